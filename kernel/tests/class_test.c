/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * memory.transparent: inheritance, what it refuses, and that the counters stay exact.
 */
#include "guest.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-class"

static long long transparent_pages(void)
{
	return vmstat("nr_tmm_anon") + vmstat("nr_tmm_file") + vmstat("nr_tmm_unevictable");
}

static int set_class(const struct cgroup *cgroup, const char *value)
{
	return write_text(cgroup_file(cgroup, "memory.transparent"), value);
}

static long long class_of(const struct cgroup *cgroup)
{
	return read_number("%s", cgroup_file(cgroup, "memory.transparent"));
}

static struct cgroup child_of(const struct cgroup *parent, const char *name)
{
	struct cgroup child;

	if (snprintf(child.path, sizeof(child.path), "%s/%s", parent->path, name) >=
		    (int)sizeof(child.path) ||
	    mkdir(child.path, 0755))
		bail_out("cannot create %s/%s", parent->path, name);
	return child;
}

static void test_inheritance(void)
{
	struct cgroup parent, before, after, grandchild;

	check(access("/sys/fs/cgroup/memory.transparent", F_OK) != 0, "class: the root has none");
	cgroup_create(&parent, "class", false);
	must_write(cgroup_file(&parent, "cgroup.subtree_control"), "+memory");
	before = child_of(&parent, "before");
	check_equal(0, class_of(&parent), "class: opaque by default");
	check_errno(EINVAL, set_class(&parent, "x"), "class: nonsense is refused");
	check_errno(0, set_class(&parent, "1"), "class: can be set");
	check_equal(1, class_of(&before), "class: a child there is follows");
	after = child_of(&parent, "after");
	check_equal(1, class_of(&after), "class: a new child inherits");
	must_write(cgroup_file(&after, "cgroup.subtree_control"), "+memory");
	grandchild = child_of(&after, "grandchild");
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

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		long long counted = vmstat(lists[i].counter);
		long long bytes = cgroup_stat(cgroup, lists[i].active);

		if (lists[i].inactive)
			bytes += cgroup_stat(cgroup, lists[i].inactive);
		/* memory.stat is flushed every two seconds or by big changes only: up to 64 pages a
		 * processor may be missing */
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

/* Page cache outlives its cgroup; when it goes, the counters must see it. */
static void test_removed_cgroup(void)
{
	struct cgroup cgroup;
	struct worker worker;

	cgroup_create(&cgroup, "removed", true);
	worker_start(&worker, &cgroup);
	worker_write_file(&worker, FILE_PATH, 8 * MIB);
	worker_stop(&worker);
	cgroup_remove(&cgroup);
	check(vmstat("nr_tmm_file") >= 7 * MIB / page_size(),
	      "class: the cache of a removed cgroup stays transparent");
	unlink(FILE_PATH);
	/* blocks of the file system itself, which the worker was the first to need, stay in its
	 * name */
	check(transparent_pages() < 32, "class: nothing is transparent when its cache has gone");
}

void class_suite(void)
{
	test_inheritance();
	test_counters();
	test_flips_under_load();
	test_removed_cgroup();
}
