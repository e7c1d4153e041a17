// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that reclaim loses nothing by scans of /dev/tmm-mapped.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

#define FILE_PATH "mapped-test-file"
#define IDLE_FILE "mapped-test-idle"

static uintptr_t map_clean_file(const char *path, long bytes)
{
	uintptr_t memory;

	worker_write_file(&mapped.owner, path, bytes);
	drop_file(path);
	memory = worker_map_file(&mapped.owner, path);
	worker_forget_uses(&mapped.owner);
	return memory;
}

struct lost {
	long used, idle;
};

static struct lost reclaim_files(int scans)
{
	long bytes = 32 * MIB, pages = bytes / page_size();
	uintptr_t in_use = map_clean_file(FILE_PATH, bytes),
		  idle = map_clean_file(IDLE_FILE, bytes);
	struct lost lost;

	worker_read_pages(&mapped.owner, in_use);
	for (int i = 0; i < scans; i++)
		start_afresh();
	write_number(cgroup_file(&mapped.opaque, "memory.reclaim"), bytes * 3 / 4);
	lost.used = pages - resident_pages(FILE_PATH);
	lost.idle = pages - resident_pages(IDLE_FILE);
	worker_unmap(&mapped.owner, in_use);
	worker_unmap(&mapped.owner, idle);
	unlink(FILE_PATH);
	unlink(IDLE_FILE);
	return lost;
}

static long missing_pages(uintptr_t memory, long bytes)
{
	uint64_t *frames = worker_frames(&mapped.owner, memory, bytes);
	long missing = 0;

	for (long i = 0; i < bytes / page_size(); i++)
		missing += !frames[i];
	free(frames);
	return missing;
}

static struct lost reclaim_anon(int scans)
{
	long bytes = 32 * MIB;
	uintptr_t in_use = worker_map_anon(&mapped.owner, bytes), idle = worker_map_anon(&mapped.owner, bytes);
	struct lost lost;

	worker_forget_uses(&mapped.owner);
	worker_read_pages(&mapped.owner, in_use);
	for (int i = 0; i < scans; i++)
		start_afresh();
	write_number(cgroup_file(&mapped.opaque, "memory.reclaim"), bytes * 3 / 4);
	lost.used = missing_pages(in_use, bytes);
	lost.idle = missing_pages(idle, bytes);
	worker_unmap(&mapped.owner, in_use);
	worker_unmap(&mapped.owner, idle);
	return lost;
}

/*
 * Reclaim must not miss the uses that scans have taken out of the page tables, see the test of the
 * series (scan_test.c). The same without scans is for comparison: the multi-gen LRU may not look.
 */
static void test_reclaim(const char *what, struct lost (*reclaim)(int scans))
{
	long pages = 32 * MIB / page_size();
	struct lost without = reclaim(0), with = reclaim(1), thrice = reclaim(3);

	diag("%s: of %ld pages in use and as many idle ones, reclaim took %ld and %ld without a scan, %ld and %ld "
	     "after one, %ld and %ld after three",
	     what, pages, without.used, without.idle, with.used, with.idle, thrice.used, thrice.idle);
	check(with.idle > pages / 2 && thrice.idle > pages / 2, "%s: reclaim takes idle memory", what);
	check(with.used < pages / 20, "%s: and not what was in use before a scan", what);
	check(thrice.used < pages / 20, "%s: nor before three", what);
}

void reclaim_suite(void)
{
	test_reclaim("files", reclaim_files);
	test_reclaim("anonymous memory", reclaim_anon);
}
