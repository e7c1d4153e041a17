// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "swap.h"

#include "guest.h"
#include "tap.h"

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/swap.h>
#include <unistd.h>

#define SWAP_FILE "tmm-test-swap"
#define ZRAM "/dev/zram0"

enum { MAX_AREAS = 4 };

static char areas[MAX_AREAS][128];
static int nr_areas;
static bool zram_is_on;

static void find_areas(void)
{
	FILE *swaps = fopen("/proc/swaps", "re");
	char line[256];

	if (!swaps)
		bail_out("cannot open /proc/swaps");
	nr_areas = 0;
	/* the first line is a heading */
	while (fgets(line, sizeof(line), swaps))
		if (line[0] == '/' && nr_areas < MAX_AREAS &&
		    sscanf(line, "%127s", areas[nr_areas]) == 1)
			nr_areas++;
	fclose(swaps);
}

bool swap_try_take_away(void)
{
	int nr;

	find_areas();
	nr = nr_areas;
	for (nr_areas = 0; nr_areas < nr; nr_areas++) {
		if (swapoff(areas[nr_areas])) {
			swap_restore();
			return false;
		}
	}
	return true;
}

void swap_take_away(void)
{
	if (!swap_try_take_away())
		bail_out("cannot switch swap off");
}

static void write_header(int fd, long bytes)
{
	struct {
		char boot_block[1024];
		uint32_t version, last_page, nr_bad_pages;
	} header = {.version = 1, .last_page = (uint32_t)(bytes / page_size() - 1)};
	size_t size = (size_t)page_size();
	char *page = calloc(1, size);

	if (!page)
		bail_out("calloc");
	memcpy(page, &header, sizeof(header));
	memcpy(page + size - 10, "SWAPSPACE2", 10);
	if (pwrite(fd, page, size, 0) != (ssize_t)size || fsync(fd))
		bail_out("cannot write the header of swap space");
	free(page);
}

void swap_replace(long bytes)
{
	size_t chunk = (size_t)page_size();
	char *page = calloc(1, chunk);
	char path[PATH_MAX];
	int fd;

	swap_take_away();
	fd = open(SWAP_FILE, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0 || !page)
		bail_out("cannot create " SWAP_FILE);
	for (long at = 0; at < bytes; at += (long)chunk)
		if (pwrite(fd, page, chunk, at) != (ssize_t)chunk)
			bail_out("cannot write " SWAP_FILE);
	write_header(fd, bytes);
	close(fd);
	free(page);
	drop_file(SWAP_FILE);
	if (!realpath(SWAP_FILE, path) || swapon(path, 0))
		bail_out("cannot switch " SWAP_FILE " on");
}

bool swap_compress(long bytes)
{
	int fd;

	if (access(ZRAM, F_OK))
		return false;
	swap_take_away();
	if (write_number("/sys/block/zram0/disksize", bytes))
		bail_out("cannot set the size of " ZRAM);
	fd = open(ZRAM, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		bail_out("cannot open " ZRAM);
	write_header(fd, bytes);
	close(fd);
	if (swapon(ZRAM, 0))
		bail_out("cannot switch " ZRAM " on");
	zram_is_on = true;
	return true;
}

void swap_restore(void)
{
	if (zram_is_on && (swapoff(ZRAM) || write_number("/sys/block/zram0/reset", 1)))
		bail_out("cannot switch " ZRAM " off");
	zram_is_on = false;
	/* the file is absent if swap was only taken away */
	if (access(SWAP_FILE, F_OK) == 0 && (swapoff(SWAP_FILE) || unlink(SWAP_FILE)))
		bail_out("cannot switch " SWAP_FILE " off");
	for (int i = 0; i < nr_areas; i++)
		if (swapon(areas[i], 0))
			bail_out("cannot switch %s on again", areas[i]);
}

long long swap_free_pages(void)
{
	return read_keyed("/proc/meminfo", "SwapFree:") * 1024 / page_size();
}
