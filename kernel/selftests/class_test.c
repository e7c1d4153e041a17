// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.transparent: inheritance, what it refuses, and that the counters stay exact.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "churn.h"
#include "guest.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-class"

static int set_class(const struct cgroup *cgroup, const char *value)
{
	return write_text(cgroup_file(cgroup, "memory.transparent"), value);
}

static long long class_of(const struct cgroup *cgroup)
{
	return read_number("%s", cgroup_file(cgroup, "memory.transparent"));
}

static void test_inheritance(void)
{
	struct cgroup parent, before, after, grandchild;

	check(access("/sys/fs/cgroup/memory.transparent", F_OK) != 0, "class: the root has none");
	cgroup_create(&parent, "class", false);
	must_write(cgroup_file(&parent, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&before, &parent, "before");
	check_equal(0, class_of(&parent), "class: opaque by default");
	check_errno(EINVAL, set_class(&parent, "x"), "class: nonsense is refused");
	check_errno(0, set_class(&parent, "1"), "class: can be set");
	check_equal(1, class_of(&before), "class: a child there is follows");
	cgroup_create_below(&after, &parent, "after");
	check_equal(1, class_of(&after), "class: a new child inherits");
	must_write(cgroup_file(&after, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&grandchild, &after, "grandchild");
	check_equal(1, class_of(&grandchild), "class: so does a grandchild");
	check_errno(EINVAL, set_class(&grandchild, "0"), "class: a grandchild cannot leave it");
	check_errno(EINVAL, set_class(&after, "0"), "class: a child cannot leave it");
	check_errno(0, set_class(&after, "1"), "class: setting what it is, is no error");
	check_errno(0, set_class(&parent, "0"), "class: can be cleared");
	check_equal(0, class_of(&grandchild), "class: descendants follow back");
	check_errno(0, set_class(&after, "1"),
		    "class: a child of an opaque cgroup can be transparent");
	check_equal(0, class_of(&parent), "class: its parent is not");
	check_equal(1, class_of(&grandchild), "class: its child is");
	check_equal(0, class_of(&before), "class: its sibling is not");
	cgroup_remove(&grandchild);
	cgroup_remove(&after);
	cgroup_remove(&before);
	cgroup_remove(&parent);
}

/* The counters against those of the cgroup itself, in pages. */
static void check_counters(const struct cgroup *cgroup, const char *when)
{
	static const struct {
		const char *counter, *active, *inactive;
	} lists[] = {
		{"nr_tmm_anon", "active_anon", "inactive_anon"},
		{"nr_tmm_file", "active_file", "inactive_file"},
		{"nr_tmm_unevictable", "unevictable", NULL},
	};

	for (size_t i = 0; i < ARRAY_SIZE(lists); i++) {
		long long counted = vmstat(lists[i].counter);
		long long bytes = cgroup_stat(cgroup, lists[i].active);

		if (lists[i].inactive)
			bytes += cgroup_stat(cgroup, lists[i].inactive);
		/*
		 * memory.stat is flushed every two seconds or by big changes only: up to 64 pages a
		 * processor may be missing
		 */
		if (!check(llabs(counted - bytes / page_size()) <=
				   64 * sysconf(_SC_NPROCESSORS_ONLN),
			   "class: %s is what the cgroup has, %s", lists[i].counter, when))
			diag("counted %lld pages, the cgroup has %lld", counted,
			     bytes / page_size());
	}
}

static void test_counters(void)
{
	struct cgroup cgroup;
	struct worker worker;
	uintptr_t memory, locked;

	check_equal(0, transparent_pages(), "class: nothing is transparent at first");
	cgroup_create(&cgroup, "counters", false);
	worker_start(&worker, &cgroup);
	memory = worker_map_anon(&worker, 24 * MIB);
	locked = worker_map_anon(&worker, 8 * MIB);
	worker_lock(&worker, locked);
	worker_write_file(&worker, FILE_PATH, 16 * MIB);
	check_equal(0, transparent_pages(), "class: opaque memory is not counted");
	set_class(&cgroup, "1");
	check_counters(&cgroup, "after it was marked");
	check(vmstat("nr_tmm_anon") >= 23 * MIB / page_size(),
	      "class: memory that is charged already is counted");
	check(read_number("/sys/kernel/mm/tmm/transparent_usage") >= 47 * MIB,
	      "class: and seen in transparent_usage");

	worker_unmap(&worker, memory);
	worker_map_anon(&worker, 40 * MIB);
	check_counters(&cgroup, "after it got more");

	/* the counters must not lose track while pages come and go */
	for (int i = 0; i < 50; i++) {
		must_write(cgroup_file(&cgroup, "memory.transparent"), i % 2 ? "1" : "0");
		worker_unmap(&worker, worker_map_anon(&worker, MIB));
	}
	check_equal(1, class_of(&cgroup), "class: still marked");
	check_counters(&cgroup, "after flips");
	set_class(&cgroup, "0");
	check_equal(0, transparent_pages(), "class: nothing is transparent after the last flip");

	worker_stop(&worker);
	unlink(FILE_PATH);
	cgroup_remove(&cgroup);
}

/* Flips while the pages of another process come and go at full speed. */
static void test_flips_under_load(void)
{
	struct cgroup cgroup;
	struct worker busy;

	cgroup_create(&cgroup, "load", false);
	worker_start(&busy, &cgroup);
	worker_churn_start(&busy, 2 * MIB);
	for (int i = 0; i < 300; i++)
		must_write(cgroup_file(&cgroup, "memory.transparent"), i % 2 ? "0" : "1");
	check(worker_churn_end(&busy) > 0, "class: the load worked while the class flipped");
	check_equal(0, transparent_pages(), "class: nothing is transparent after flips under load");
	worker_stop(&busy);
	cgroup_remove(&cgroup);
}

/* Linux 7 moves what a removed cgroup leaves to its parent, and it takes the parent's class. */
static bool leftovers_move(void)
{
	struct utsname system;

	return uname(&system) == 0 && atoi(system.release) >= 7;
}

/* Page cache outlives its cgroup; when it goes, the counters must see it. */
static void test_removed_cgroup(void)
{
	struct cgroup parent, cgroup;
	struct worker worker;
	long most = 7 * MIB / page_size();

	cgroup_create(&parent, "parent", true);
	must_write(cgroup_file(&parent, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&cgroup, &parent, "removed");
	worker_start(&worker, &cgroup);
	worker_write_file(&worker, FILE_PATH, 8 * MIB);
	worker_stop(&worker);
	cgroup_remove(&cgroup);
	check(vmstat("nr_tmm_file") >= most,
	      "class: the cache of a removed cgroup stays transparent");
	cgroup_remove(&parent);
	/* It does so a moment after rmdir(2). */
	for (int turn = 0; turn < 500 && leftovers_move() && vmstat("nr_tmm_file") >= most; turn++)
		usleep(10000);
	check((vmstat("nr_tmm_file") < most) == leftovers_move(),
	      "class: so it does without a parent, if the kernel does not move it to the root");
	unlink(FILE_PATH);
	check_equal(0, transparent_leftovers(),
		    "class: nothing is transparent when its cache has gone");
}

/* A process that flips the class of a cgroup until it is killed. */
static pid_t flip_forever(const struct cgroup *cgroup)
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	for (bool lent = true; pid == 0; lent = !lent) {
		/* refused below a transparent cgroup, at times */
		if (write_text(cgroup_file(cgroup, "memory.transparent"), lent ? "1" : "0") &&
		    errno != EINVAL)
			_exit(1);
	}
	return pid;
}

/* Whether it has come that far without an error. */
static bool end_flipping(pid_t pid)
{
	int status;

	kill(pid, SIGKILL);
	return waitpid(pid, &status, 0) == pid && WIFSIGNALED(status);
}

/*
 * All kinds of memory come and go, evicted at times, while two others flip the class of the cgroup
 * and of the one above it, and more cgroups are born and die below.
 */
static void test_storm(void)
{
	static const struct {
		long (*churn)(const char *path, long number);
		const char *path;
	} loads[] = {
		{churn_anon, "anon"},	{churn_huge, "huge pages"}, {churn_locked, "mlock"},
		{churn_forks, "forks"}, {churn_file, FILE_PATH},
	};
	enum { LOADS = ARRAY_SIZE(loads) };
	struct cgroup above, busy;
	struct worker workers[LOADS];
	pid_t flippers[2];
	bool worked = true;

	cgroup_create(&above, "above", false);
	must_write(cgroup_file(&above, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&busy, &above, "busy");
	for (int i = 0; i < LOADS; i++) {
		worker_start(&workers[i], &busy);
		worker_churn(&workers[i], loads[i].churn, loads[i].path, 6 * MIB);
	}
	flippers[0] = flip_forever(&above);
	flippers[1] = flip_forever(&busy);
	for (int turn = 0; turn < 40; turn++) {
		struct cgroup brief;
		struct worker guest;

		cgroup_create_below(&brief, &above, "brief");
		worker_start(&guest, &brief);
		worker_map_anon(&guest, MIB);
		write_number(cgroup_file(&above, "memory.reclaim"), MIB);
		worker_stop(&guest);
		cgroup_remove(&brief);
	}
	check(end_flipping(flippers[0]) && end_flipping(flippers[1]),
	      "class: two flip at the same time");
	for (int i = 0; i < LOADS; i++)
		worked = worker_churn_end(&workers[i]) > 0 && worked;
	check(worked, "class: all kinds of load worked meanwhile");

	set_class(&above, "0");
	check_equal(0, transparent_leftovers(), "class: nothing is transparent after all that");
	worker_map_anon(&workers[0], 8 * MIB);
	worker_lock(&workers[1], worker_map_anon(&workers[1], 8 * MIB));
	worker_write_file(&workers[2], FILE_PATH, 8 * MIB);
	set_class(&above, "1");
	check_counters(&above, "after all that");

	/* gone while it is marked */
	for (int i = 0; i < LOADS; i++)
		worker_stop(&workers[i]);
	cgroup_remove(&busy);
	cgroup_remove(&above);
	unlink(FILE_PATH);
	check_equal(0, transparent_leftovers(),
		    "class: nothing is transparent when marked cgroups have gone");
}

void class_suite(void)
{
	test_inheritance();
	test_counters();
	test_flips_under_load();
	test_storm();
	test_removed_cgroup();
}
