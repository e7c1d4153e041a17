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
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define BLOCKS "/sys/devices/system/memory"
#define MAX_BLOCKS 64
#define TURNS 10
#define BYTES (16 * MIB)
#define STREAM_FILE "tmm-test-stream"
#define FOLDER "tmm-test-folder"
#define NR_FILES 6000
#define NR_PIPES 3
#define PIPE_BYTES (64 * MIB)

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

/* The first frame of the movable zone. */
static uint64_t movable_start(void)
{
	FILE *stream = fopen("/proc/zoneinfo", "re");
	unsigned long long start = 0;
	bool movable = false;
	char line[256];

	while (stream && fgets(line, sizeof(line), stream)) {
		if (strncmp(line, "Node", 4) == 0)
			movable = strstr(line, "Movable");
		else if (movable && sscanf(line, " start_pfn: %llu", &start) == 1)
			break;
	}
	if (!start)
		bail_out("no movable zone");
	fclose(stream);
	return start;
}

static long job_make_folder(const char *path, long nr)
{
	char file[128];

	if (mkdir(path, 0755))
		return -errno;
	for (long i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "%s/%ld", path, i);
		if (mknod(file, S_IFREG | 0600, 0))
			return -errno;
	}
	return 0;
}

static void remove_folder(const char *path, long nr)
{
	char file[128];

	for (long i = 0; i < nr; i++) {
		snprintf(file, sizeof(file), "%s/%ld", path, i);
		unlink(file);
	}
	rmdir(path);
}

/* Memory that cannot come from a movable zone. Ends with the process. */
static void fill_pipes(int (*pipes)[2], int nr, long bytes_each)
{
	char *page = calloc(1, (size_t)page_size());

	for (int i = 0; i < nr; i++) {
		if (pipe2(pipes[i], O_CLOEXEC | O_NONBLOCK) ||
		    fcntl(pipes[i][1], F_SETPIPE_SZ, (int)bytes_each) < bytes_each)
			bail_out("cannot make a pipe of %ld MiB", bytes_each / MIB);
		for (long at = 0; at < bytes_each; at += page_size())
			if (write(pipes[i][1], page, (size_t)page_size()) != page_size())
				bail_out("cannot write to a pipe");
	}
	free(page);
}

static long long stolen(void)
{
	return vmstat("pgsteal_kswapd") + vmstat("pgsteal_direct");
}

/*
 * Transparent memory in the movable zone only, and a need in the others: it has nothing to give
 * there. The owner's page cache gives, without a search that costs the owner's slab.
 */
static void test_need_of_other_zones(void)
{
	long long slab, slab_left, scanned_slab, steals;
	int pipes[NR_PIPES][2];
	uint64_t *frames;
	uintptr_t memory;
	uint64_t start = movable_start();
	long nr_movable = 0, nr = BYTES / page_size();
	int fd = open(STREAM_FILE, O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	memory = worker_map_anon(&scene.contribution, BYTES);
	frames = worker_frames(&scene.contribution, memory, BYTES);
	for (long i = 0; i < nr; i++)
		nr_movable += frames[i] >= start;
	check_equal(nr, nr_movable, "zones: transparent memory is in the movable zone");
	free(frames);

	if (worker_do(&scene.owner, job_make_folder, FOLDER, NR_FILES))
		bail_out("cannot make " FOLDER);
	if (fd < 0 || ftruncate(fd, free_bytes() - PIPE_BYTES))
		bail_out("cannot make " STREAM_FILE);
	close(fd);
	worker_read_file(&scene.owner, STREAM_FILE);
	slab = vmstat("nr_slab_reclaimable");
	scanned_slab = vmstat("slabs_scanned");
	steals = stolen();
	fill_pipes(pipes, NR_PIPES, PIPE_BYTES);
	steals = stolen() - steals;
	scanned_slab = vmstat("slabs_scanned") - scanned_slab;
	slab_left = vmstat("nr_slab_reclaimable");
	diag("zones: %lld pages reclaimed, %lld objects of slab scanned, slab %lld -> %lld pages",
	     steals, scanned_slab, slab, slab_left);
	check(steals > PIPE_BYTES / page_size(), "zones: the owner's page cache gives");
	check(slab_left * 2 >= slab, "zones: and keeps its slab");
	for (int i = 0; i < NR_PIPES; i++) {
		close(pipes[i][0]);
		close(pipes[i][1]);
	}
	remove_folder(FOLDER, NR_FILES);
	unlink(STREAM_FILE);
	worker_unmap(&scene.contribution, memory);
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
	test_need_of_other_zones();
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
