/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A contribution that is small and cannot give memory: it uses all of it all the time, has locked
 * it, or the owner uses it too. Meanwhile the owner reads files that do not fit into memory. What
 * that costs him, if the contribution is transparent and if it is not: pages scanned for each page
 * reclaimed, time, and his cache of names and inodes.
 */
#include "bench.h"

#include "../selftests/churn.h"
#include "../selftests/guest.h"
#include "../selftests/jobs.h"
#include "../selftests/swap.h"
#include "../selftests/tap.h"
#include "../selftests/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_PATH "bench-stream"
#define HOT_PATH "bench-hot"
#define SHARED_PATH "bench-shared"
#define NAMES_PATH "bench-names"
#define STREAM_BYTES (800 * MIB)
#define ANON_BYTES (64 * MIB)
#define HOT_BYTES (4 * MIB)
#define SHARED_BYTES (100 * MIB)
#define ZRAM_BYTES (256 * MIB)

enum { NAMES = 8000 };

struct process {
	struct cgroup cgroup;
	struct worker worker;
};

static struct process owner, contribution;

static void process_start(struct process *process, const char *name, bool transparent)
{
	cgroup_create(&process->cgroup, name, transparent);
	worker_start(&process->worker, &process->cgroup);
}

static void process_end(struct process *process)
{
	worker_stop(&process->worker);
	evict_all(&process->cgroup);
	cgroup_remove(&process->cgroup);
}

/* Runs in the owner's process. */
static long job_look_up(const char *path, long names)
{
	struct stat status;
	char name[64];

	for (long i = 0; i < names; i++) {
		snprintf(name, sizeof(name), "%s/%ld", path, i);
		if (stat(name, &status))
			return -errno;
	}
	return 0;
}

static void create_names(void)
{
	char name[64];
	int fd;

	if (mkdir(NAMES_PATH, 0700))
		bail_out("mkdir " NAMES_PATH);
	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), NAMES_PATH "/%d", i);
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
		if (fd < 0)
			bail_out("cannot create %s", name);
		close(fd);
	}
	sync();
}

static void remove_names(void)
{
	char name[64];

	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), NAMES_PATH "/%d", i);
		unlink(name);
	}
	rmdir(NAMES_PATH);
}

/* What the contribution has. A load goes on until load_end(). */
static void anon_begin(void)
{
	worker_churn(&contribution.worker, churn_mapping, "",
		     (long)worker_map_anon(&contribution.worker, ANON_BYTES));
}

static void file_begin(void)
{
	worker_churn(&contribution.worker, churn_reading, "",
		     (long)worker_map_file(&contribution.worker, HOT_PATH));
}

static void dirty_begin(void)
{
	worker_churn(&contribution.worker, churn_mapping, "",
		     (long)worker_map_file(&contribution.worker, HOT_PATH));
}

static void locked_begin(void)
{
	worker_lock(&contribution.worker, worker_map_anon(&contribution.worker, ANON_BYTES));
}

static void shared_begin(void)
{
	worker_read_file(&contribution.worker, SHARED_PATH);
	worker_read_file(&owner.worker, SHARED_PATH);
}

static void orphaned_begin(void)
{
	shared_begin();
	worker_stop(&contribution.worker);
	cgroup_remove(&contribution.cgroup);
}

static void load_end(void)
{
	worker_churn_end(&contribution.worker);
	process_end(&contribution);
}

static void memory_end(void)
{
	process_end(&contribution);
}

static void orphaned_end(void)
{
}

static const struct {
	const char *name;
	void (*begin)(void);
	void (*end)(void);
} kinds[] = {
	{"anonymous", anon_begin, load_end},	 {"mapped file", file_begin, load_end},
	{"written file", dirty_begin, load_end}, {"locked", locked_begin, memory_end},
	{"shared", shared_begin, memory_end},	 {"orphaned", orphaned_begin, orphaned_end},
};

static void measure(size_t kind, const char *swap, bool transparent, int round)
{
	char variant[96];
	long long scanned, stolen;
	struct watch watch;

	snprintf(variant, sizeof(variant), "%s; %s; %s", kinds[kind].name, swap,
		 transparent ? "transparent" : "opaque");
	must_write("/proc/sys/vm/drop_caches", "3");
	process_start(&owner, "owner", false);
	process_start(&contribution, "contribution", transparent);
	kinds[kind].begin();
	worker_do(&owner.worker, job_look_up, NAMES_PATH, NAMES);

	scanned = reclaim_counter("pgscan");
	stolen = reclaim_counter("pgsteal");
	result(variant, round, "slab_before",
	       (double)cgroup_stat(&owner.cgroup, "slab_reclaimable"));
	watch = watch_start();
	worker_read_file(&owner.worker, STREAM_PATH);
	watch_result(&watch, variant, round, "stream");
	result(variant, round, "scanned", (double)(reclaim_counter("pgscan") - scanned));
	result(variant, round, "stolen", (double)(reclaim_counter("pgsteal") - stolen));
	result(variant, round, "slab_after",
	       (double)cgroup_stat(&owner.cgroup, "slab_reclaimable"));

	kinds[kind].end();
	process_end(&owner);
	drop_file(STREAM_PATH);
	drop_file(SHARED_PATH);
	drop_file(HOT_PATH);
}

static void measure_kinds(const char *swap, int round)
{
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		measure(kind, swap, false, round);
		measure(kind, swap, true, round);
	}
}

void small_bench(int rounds)
{
	create_sparse_file(STREAM_PATH, STREAM_BYTES);
	create_sparse_file(HOT_PATH, HOT_BYTES);
	create_sparse_file(SHARED_PATH, SHARED_BYTES);
	create_names();
	for (int round = 0; round < rounds; round++) {
		measure_kinds("swap on a disk", round);
		swap_take_away();
		measure_kinds("no swap", round);
		swap_restore();
		if (swap_compress(ZRAM_BYTES)) {
			measure_kinds("swap on zram", round);
			swap_restore();
		}
	}
	remove_names();
	unlink(STREAM_PATH);
	unlink(HOT_PATH);
	unlink(SHARED_PATH);
}
