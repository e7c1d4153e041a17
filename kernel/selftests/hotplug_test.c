// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that goes offline and comes back while it is scanned and used. For a machine that was
 * booted with movablecore=256M or so: without movable memory nothing can be taken away for sure.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "scene.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS "/sys/devices/system/memory"
#define MAX_BLOCKS 64
#define TURNS 10
#define BYTES (16 * MIB)

static struct scene scene;

/* Movable blocks of memory, by number. */
static int blocks[MAX_BLOCKS], nr_blocks;
static uint64_t pages_per_block;

static bool block_has(int block, const char *file, const char *word)
{
	char path[128], text[64] = "";
	FILE *stream;

	snprintf(path, sizeof(path), BLOCKS "/memory%d/%s", block, file);
	stream = fopen(path, "re");
	if (!stream || !fgets(text, sizeof(text), stream))
		bail_out("cannot read %s", path);
	fclose(stream);
	return strncmp(text, word, strlen(word)) == 0;
}

/* Offlining gives up if a page is in use for too long, which is no fault of the scanner: retry. */
static bool set_state(int block, const char *state)
{
	char path[128];

	snprintf(path, sizeof(path), BLOCKS "/memory%d/state", block);
	for (int turn = 0; turn < 100; turn++)
		if (write_text(path, state) == 0)
			return true;
		else if (errno != EBUSY && errno != EAGAIN)
			return false;
	return false;
}

/* The last block of memory is not whole in many machines, and has to stay. */
static bool has_hole(int block)
{
	if (!set_state(block, "offline"))
		return true;
	if (!set_state(block, "online_movable"))
		bail_out("memory%d does not come back", block);
	return false;
}

static void find_blocks(void)
{
	DIR *folder = opendir(BLOCKS);
	struct dirent *entry;
	char size[32];
	FILE *stream;
	int block;

	while (folder && (entry = readdir(folder)))
		if (sscanf(entry->d_name, "memory%d", &block) == 1 && nr_blocks < MAX_BLOCKS &&
		    block_has(block, "valid_zones", "Movable") && !has_hole(block))
			blocks[nr_blocks++] = block;
	if (!nr_blocks)
		bail_out("no whole block of movable memory: boot with movablecore=256M");
	closedir(folder);
	/* the only number of these files that is hexadecimal */
	stream = fopen(BLOCKS "/block_size_bytes", "re");
	if (!stream || !fgets(size, sizeof(size), stream))
		bail_out("cannot read the size of a block");
	fclose(stream);
	pages_per_block = strtoul(size, NULL, 16) / (unsigned long)page_size();
}

/* Frames of a block that are reported. */
static long reported(const struct snapshot *snapshot, int block)
{
	long count = 0;

	for (uint64_t i = 0; i < pages_per_block; i++) {
		uint64_t pfn = (uint64_t)block * pages_per_block + i;

		count += pfn < snapshot->nr_frames && snapshot->words[pfn] != 0;
	}
	return count;
}

static pid_t start_scanner(void)
{
	uint64_t nr = end_of_memory(scene.device);
	pid_t pid = fork();

	if (pid == 0) {
		uint64_t *vec = calloc(nr, sizeof(*vec));

		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;) {
			struct tmm_scan scan = whole_scan(vec, nr);

			if (!vec || ioctl(scene.device, TMM_SCAN, &scan) < 0)
				_exit(1);
		}
	}
	if (pid < 0)
		bail_out("fork");
	return pid;
}

/* Those of the kernel against those of the only transparent cgroup, in pages. */
static void check_counters(void)
{
	long long counted = vmstat("nr_tmm_anon"),
		  bytes = cgroup_stat(&scene.transparent, "active_anon") +
			  cgroup_stat(&scene.transparent, "inactive_anon");

	/* memory.stat may lack up to 64 pages a processor */
	if (!check(llabs(counted - bytes / page_size()) <= 64 * sysconf(_SC_NPROCESSORS_ONLN),
		   "hotplug: nr_tmm_anon is what the cgroup has"))
		diag("counted %lld pages, the cgroup has %lld", counted, bytes / page_size());
}

void hotplug_suite(void)
{
	struct worker busy_owner, busy_contribution;
	int away = 0, back = 0, status;
	long was_reported = 0, still_reported = 0, nr;
	struct snapshot snapshot;
	uintptr_t owned, lent;
	uint64_t *mine, *theirs;
	pid_t scanner;

	find_blocks();
	scene_begin(&scene);
	worker_start(&busy_owner, &scene.opaque);
	worker_start(&busy_contribution, &scene.transparent);
	owned = worker_map_anon(&scene.owner, BYTES);
	lent = worker_map_anon(&scene.contribution, BYTES);
	scanner = start_scanner();
	worker_churn_start(&busy_owner, 64 * MIB);
	worker_churn_start(&busy_contribution, 64 * MIB);

	for (int turn = 0; turn < TURNS; turn++) {
		int block = blocks[turn % nr_blocks];

		snapshot_take(&snapshot, scene.device);
		was_reported += reported(&snapshot, block);
		snapshot_free(&snapshot);
		if (!set_state(block, "offline"))
			continue;
		away++;
		snapshot_take(&snapshot, scene.device);
		still_reported += reported(&snapshot, block);
		snapshot_free(&snapshot);
		back += set_state(block, "online_movable");
	}
	check_equal(TURNS, away, "hotplug: blocks go offline while they are scanned and used");
	check_equal(TURNS, back, "hotplug: they come back");
	check(was_reported > 0, "hotplug: there was something to report in them");
	check_equal(0, still_reported, "hotplug: no frame of an offline block is reported");

	check(worker_churn_end(&busy_owner) > 0 && worker_churn_end(&busy_contribution) > 0,
	      "hotplug: both classes got on meanwhile");
	check_equal(0, waitpid(scanner, &status, WNOHANG), "hotplug: so did the scanner");
	kill(scanner, SIGKILL);
	waitpid(scanner, &status, 0);
	worker_stop(&busy_owner);
	worker_stop(&busy_contribution);
	check_counters();

	nr = BYTES / page_size();
	start_afresh(&scene);
	worker_read_pages(&scene.owner, owned);
	worker_read_pages(&scene.contribution, lent);
	mine = worker_frames(&scene.owner, owned, BYTES);
	theirs = worker_frames(&scene.contribution, lent, BYTES);
	snapshot_take(&snapshot, scene.device);
	check(nearly_all(count_flags(&snapshot, mine, nr, TMM_FRAME_REF, TMM_FRAME_CLASS), nr),
	      "hotplug: opaque memory that had to move is reported as it was");
	check(nearly_all(count_flags(&snapshot, theirs, nr, TMM_FRAME_CLASS,
				     TMM_FRAME_REF | TMM_FRAME_SHARED),
			 nr),
	      "hotplug: so is transparent memory");
	snapshot_free(&snapshot);
	free(mine);
	free(theirs);
	scene_end(&scene);
	check_equal(0, vmstat("nr_tmm_anon") + vmstat("nr_tmm_unevictable"),
		    "hotplug: no transparent memory is left");
}
