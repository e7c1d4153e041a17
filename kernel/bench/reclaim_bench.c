/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Reclaim through the root's memory.reclaim, in which only the writer takes part: of clean page
 * cache and of anonymous memory, in one group and in many, with classes in use and without.
 */
#include "bench.h"

#include "../selftests/guest.h"
#include "../selftests/jobs.h"
#include "../selftests/tap.h"
#include "../selftests/worker.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#define MANY 500
#define ALL_BYTES (128 * MIB)
/* Half of what is transparent if half of the groups are. */
#define RECLAIMED_BYTES (32 * MIB)

enum memory { FILE_CACHE, ANON };

static struct cgroup groups[MANY];
static int nr_groups;

static long share(void)
{
	return ALL_BYTES / nr_groups & ~(page_size() - 1);
}

static const char *group_file(int group)
{
	static char path[64];

	snprintf(path, sizeof(path), "/root/bench-%d", group);
	return path;
}

static void enter(int group)
{
	must_write(cgroup_file(&groups[group], "cgroup.procs"), "0");
}

/* Runs in a worker, which fills the group from within. */
static long job_fill_file(const char *path, long group)
{
	(void)path;
	enter((int)group);
	return job_read_file(group_file((int)group), 0);
}

static long job_fill_anon(const char *path, long group)
{
	char *memory = mmap(NULL, (size_t)share(), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)path;
	if (memory == MAP_FAILED || madvise(memory, (size_t)share(), MADV_NOHUGEPAGE))
		return -errno;
	enter((int)group);
	for (long at = 0; at < share(); at += page_size())
		*(volatile long *)(memory + at) = group + at;
	return 0;
}

/*
 * A process has the class of its group, so there are two workers. The second fills the groups that
 * may be transparent; if there is only one group, the second fills it.
 */
static void fill(struct worker workers[2], enum memory memory)
{
	worker_start(&workers[0], &groups[0]);
	worker_start(&workers[1], &groups[nr_groups - 1]);
	for (int i = 0; i < nr_groups; i++)
		worker_do(&workers[i >= nr_groups / 2],
			  memory == ANON ? job_fill_anon : job_fill_file, "fill", i);
}

static void empty(struct worker workers[2], enum memory memory)
{
	worker_stop(&workers[0]);
	worker_stop(&workers[1]);
	for (int i = 0; memory == FILE_CACHE && i < nr_groups; i++)
		drop_file(group_file(i));
}

static void one_turn(enum memory memory, bool on, int round)
{
	struct worker workers[2];
	struct watch start;
	long long before;
	char variant[64];

	snprintf(variant, sizeof(variant), "%s/%d/%s", memory == ANON ? "anon" : "file", nr_groups,
		 on ? "on" : "off");
	for (int i = nr_groups / 2; on && i < nr_groups; i++)
		must_write(cgroup_file(&groups[i], "memory.transparent"), "1");
	fill(workers, memory);
	before = reclaim_counter("pgsteal");
	start = watch_start();
	if (reclaim_bytes(RECLAIMED_BYTES) && errno != EAGAIN)
		bail_out("cannot write to memory.reclaim");
	watch_result(&start, variant, round, "reclaim");
	result(variant, round, "pages", (double)(reclaim_counter("pgsteal") - before));
	empty(workers, memory);
	for (int i = nr_groups / 2; on && i < nr_groups; i++)
		must_write(cgroup_file(&groups[i], "memory.transparent"), "0");
}

static void with_groups(int nr, int rounds)
{
	char name[32];

	nr_groups = nr;
	for (int i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "reclaim-%d", i);
		cgroup_create(&groups[i], name, false);
		create_sparse_file(group_file(i), share());
	}
	for (int round = 0; round < rounds; round++) {
		for (int turn = 0; turn < 4; turn++) {
			/* The first turn changes from round to round. */
			bool on = (turn ^ round) & 1;

			if (on && !has_classes())
				continue;
			one_turn(turn < 2 ? FILE_CACHE : ANON, on, round);
		}
	}
	for (int i = 0; i < nr; i++)
		cgroup_remove(&groups[i]);
}

void reclaim_bench(int rounds)
{
	with_groups(1, rounds);
	with_groups(MANY, rounds);
}
