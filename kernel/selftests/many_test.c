// SPDX-License-Identifier: GPL-2.0-only
/*
 * As many cgroups as a desktop has when it is busy: each round of reclaim meets others of them, and
 * takes from the right class all the same.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "jobs.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>

#define EACH (512 * 1024L)
#define ASKED (4 * MIB)

enum { PER_CLASS = 250, ROUNDS = 12 };

static struct cgroup all;

static struct cgroup member(const char *class, int i)
{
	struct cgroup cgroup;

	snprintf(cgroup.path, sizeof(cgroup.path), "%.64s/%s-%d", all.path, class, i);
	return cgroup;
}

/* A job: goes through all cgroups of a class and leaves some memory in each. */
static long spread(const char *class, long bytes)
{
	for (int i = 0; i < PER_CLASS; i++) {
		struct cgroup cgroup = member(class, i);
		char *memory;

		if (write_text(cgroup_file(&cgroup, "cgroup.procs"), "0"))
			return -errno;
		memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (memory == MAP_FAILED)
			return -errno;
		touch_pages((uintptr_t)memory, (size_t)bytes, true);
	}
	return 0;
}

static void create(const char *class, bool lent)
{
	for (int i = 0; i < PER_CLASS; i++) {
		char name[32];
		struct cgroup cgroup;

		snprintf(name, sizeof(name), "%s-%d", class, i);
		cgroup_create_below(&cgroup, &all, name);
		if (lent)
			cgroup_set(&cgroup, "memory.transparent", 1);
	}
}

static void remove_all(const char *class)
{
	for (int i = 0; i < PER_CLASS; i++) {
		struct cgroup cgroup = member(class, i);

		cgroup_remove(&cgroup);
	}
}

static void test_rounds(const char *turn, bool from_transparent)
{
	long long worst = 100, all_given = 0, all_right = 0;
	int failures = 0;

	set_limits(from_transparent ? NO_LIMIT : 0, from_transparent ? 0 : NO_LIMIT);
	for (int round = 0; round < ROUNDS; round++) {
		long long given = lru_pages(), lent = transparent_lru_pages(), right;

		failures += reclaim_bytes(ASKED) != 0;
		given -= lru_pages();
		lent -= transparent_lru_pages();
		right = from_transparent ? lent : given - lent;
		if (given > 0 && right * 100 / given < worst)
			worst = right * 100 / given;
		all_given += given;
		all_right += right;
	}
	diag("many: %s: %lld pages reclaimed, %lld from the right class; worst round %lld %%", turn,
	     all_given, all_right, worst);
	/* not by the pages that are missing: this program's own files come back at once */
	check_equal(0, failures, "many: %s: memory.reclaim succeeds in each round", turn);
	check(worst >= 95, "many: %s: in each round the right class gave it", turn);
}

void many_suite(void)
{
	struct worker owner, contribution;
	struct cgroup start;

	cgroup_create(&all, "many", false);
	must_write(cgroup_file(&all, "cgroup.subtree_control"), "+memory");
	create("opaque", false);
	create("transparent", true);
	/* a cgroup with members cannot have processes of its own */
	cgroup_create(&start, "start", false);
	worker_start(&owner, &start);
	worker_start(&contribution, &start);
	worker_do(&owner, spread, "opaque", EACH);
	worker_do(&contribution, spread, "transparent", EACH);
	check(transparent_pages() >= PER_CLASS * EACH / page_size() * 95 / 100,
	      "many: the memory of %d transparent cgroups is counted", PER_CLASS);

	test_rounds("transparent memory has to give", true);
	test_rounds("opaque memory has to give", false);
	test_rounds("transparent memory has to give again", true);

	worker_stop(&owner);
	worker_stop(&contribution);
	evict_all(&all);
	remove_all("opaque");
	remove_all("transparent");
	cgroup_remove(&all);
	cgroup_remove(&start);
	check_equal(0, transparent_leftovers(), "many: nothing is transparent when all have gone");
	reset_limits();
}
