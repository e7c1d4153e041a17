// SPDX-License-Identifier: GPL-2.0-only
/*
 * The histogram of refault distances: what is counted, and where.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "churn.h"
#include "device.h"
#include "guest.h"
#include "suites.h"
#include "swap.h"
#include "tap.h"
#include "worker.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-refault"
#define BYTES (32 * MIB)
#define HUGE_PAGES "/sys/kernel/mm/transparent_hugepage/hugepages-"
#define PAGES_OF_64K (64 * 1024 / page_size())

static int device;
static uint64_t histogram[TMM_REFAULT_BUCKETS];

/* Reads the histogram and returns the clock. */
static struct tmm_refaults read_histogram(uint64_t flags)
{
	struct tmm_refaults refaults = {
		.size = sizeof(refaults),
		.flags = flags,
		.vec = (uintptr_t)histogram,
		.vec_len = TMM_REFAULT_BUCKETS,
	};

	if (ioctl(device, TMM_REFAULTS, &refaults) != TMM_REFAULT_BUCKETS)
		bail_out("cannot read the histogram of refaults");
	return refaults;
}

/* Pages that came back from distances of `from` to `to` pages. */
static long long pages_between(uint64_t unit_pages, uint64_t from, uint64_t to)
{
	long long pages = 0;

	for (uint64_t i = from / unit_pages; i <= to / unit_pages && i < TMM_REFAULT_BUCKETS; i++)
		pages += (long long)histogram[i];
	return pages;
}

static long long all_pages(void)
{
	return pages_between(1, 0, TMM_REFAULT_BUCKETS);
}

struct party {
	struct cgroup cgroup;
	struct worker worker;
	uintptr_t memory;
};

static void party_begin(struct party *party, const char *name, bool transparent)
{
	cgroup_create(&party->cgroup, name, transparent);
	worker_start(&party->worker, &party->cgroup);
	party->memory = worker_map_anon(&party->worker, BYTES);
}

static void party_end(struct party *party)
{
	worker_stop(&party->worker);
	cgroup_remove(&party->cgroup);
}

/* Two owners' programs and a contribution are evicted one after the other, and come back. */
static void test_distance(void)
{
	struct party first, second, lent;
	long long pages = BYTES / page_size(), near, far;
	struct tmm_refaults before, after;
	long long unit;

	party_begin(&first, "first", false);
	party_begin(&second, "second", false);
	party_begin(&lent, "lent", true);
	before = read_histogram(TMM_REFAULTS_CLEAR);
	unit = (long long)before.unit_pages;
	evict_all(&first.cgroup);
	evict_all(&lent.cgroup);
	evict_all(&second.cgroup);
	after = read_histogram(TMM_REFAULTS_CLEAR);
	diag("clock advanced by %llu pages, unit %lld pages", after.clock - before.clock, unit);
	check(after.clock - before.clock >= (uint64_t)(2 * pages * 95 / 100),
	      "refaults: the clock counts opaque pages");
	check(after.clock - before.clock <= (uint64_t)(2 * pages * 115 / 100),
	      "refaults: and no transparent ones");
	check(all_pages() < pages / 20, "refaults: an eviction is no refault");

	worker_read_pages(&first.worker, first.memory);
	read_histogram(TMM_REFAULTS_CLEAR);
	near = pages_between(before.unit_pages, 0, (uint64_t)(pages * 9 / 10));
	far = pages_between(before.unit_pages, (uint64_t)(pages * 9 / 10),
			    (uint64_t)(2 * pages * 115 / 100));
	diag("first: %lld pages near, %lld far, %lld in all", near, far, all_pages());
	check(far >= pages * 95 / 100 && far <= pages * 105 / 100,
	      "refaults: pages come back from behind those evicted later");
	check(near <= pages / 20, "refaults: none of them from before those");

	worker_read_pages(&second.worker, second.memory);
	read_histogram(TMM_REFAULTS_CLEAR);
	near = pages_between(before.unit_pages, 0, (uint64_t)(pages * 115 / 100));
	diag("second: %lld pages near, %lld in all", near, all_pages());
	check(near >= pages * 95 / 100 && near <= pages * 105 / 100,
	      "refaults: those evicted last come back from near");
	check(all_pages() <= pages * 105 / 100, "refaults: what was handed out has been cleared");

	worker_read_pages(&lent.worker, lent.memory);
	read_histogram(0);
	check(all_pages() < pages / 20, "refaults: transparent pages that come back do not count");
	party_end(&lent);
	party_end(&second);
	party_end(&first);
}

/*
 * The kernel keeps as many shadow entries as are worth it for what the cgroup still has, which it
 * takes from counters that may be old: reading them has them brought up to date.
 */
static void evict_file(const struct cgroup *cgroup, long long pages)
{
	for (int turn = 0; turn < 200 && resident_pages(FILE_PATH) >= pages / 20; turn++) {
		cgroup_stat(cgroup, "unevictable");
		write_number(cgroup_file(cgroup, "memory.reclaim"), BYTES);
	}
}

/* Page cache, and that the histogram stays if it is not asked to be cleared. */
static void test_file(void)
{
	struct cgroup cgroup;
	struct worker worker;
	long long pages = BYTES / page_size(), once;

	cgroup_create(&cgroup, "file", false);
	worker_start(&worker, &cgroup);
	/* what the cgroup still has when the file is gone, see evict_file() */
	worker_lock(&worker, worker_map_anon(&worker, BYTES));
	worker_write_file(&worker, FILE_PATH, BYTES);
	evict_file(&cgroup, pages);
	check(resident_pages(FILE_PATH) < pages / 20, "refaults: a file was evicted");
	read_histogram(TMM_REFAULTS_CLEAR);
	worker_read_file(&worker, FILE_PATH);
	read_histogram(0);
	once = all_pages();
	diag("file: %lld pages of %lld", once, pages);
	check(once >= pages * 95 / 100 && once <= pages * 105 / 100, "refaults: page cache counts");
	read_histogram(0);
	check(all_pages() >= once, "refaults: the histogram stays if it is not cleared");
	worker_stop(&worker);
	unlink(FILE_PATH);
	cgroup_remove(&cgroup);
}

/*
 * A program that goes round a file, with room for part of it only. A page that went comes back when
 * the rest of the file has been read, which the rest that has no room has to be evicted for: its
 * distance is the size of the file less that of the room, in whichever order the pages go.
 */
static void test_loop(long room, long beyond, bool churn)
{
	const char *how = churn ? ", beside transparent churn" : "";
	long long expected = beyond / page_size(), margin = ram_bytes() / page_size() * 5 / 100;
	struct tmm_refaults before, after;
	long long least = expected > margin ? expected - margin : 0;
	long long all, right, transparent;
	struct cgroup cgroup, lent;
	struct worker worker, other;

	cgroup_create(&cgroup, "loop", false);
	cgroup_set(&cgroup, "memory.max", room);
	worker_start(&worker, &cgroup);
	if (churn) {
		uintptr_t memory;

		cgroup_create(&lent, "churn", true);
		worker_start(&other, &lent);
		memory = worker_map_anon(&other, BYTES);
		/* all of it goes out and in over and over */
		evict_all(&lent);
		cgroup_set(&lent, "memory.max", BYTES * 3 / 4);
		worker_churn(&other, churn_mapping, "a loop", (long)memory);
	}
	worker_write_file(&worker, FILE_PATH, room + beyond);
	/*
	 * Brings the cgroup's counters up to date, by which the kernel decides how many shadow
	 * entries are worth keeping: with old ones it may drop some, and pages come back unseen.
	 */
	cgroup_stat(&cgroup, "file");
	worker_read_file(&worker, FILE_PATH);
	before = read_histogram(TMM_REFAULTS_CLEAR);
	transparent = vmstat("pswpout");
	worker_read_file(&worker, FILE_PATH);
	after = read_histogram(TMM_REFAULTS_CLEAR);
	all = all_pages();
	right = pages_between(before.unit_pages, (uint64_t)least, (uint64_t)(expected + margin));
	diag("loop: %ld MiB short: %lld refaults, %lld of them from %lld to %lld MiB; clock +%llu",
	     beyond / MIB, all, right, least * page_size() / MIB,
	     (expected + margin) * page_size() / MIB, after.clock - before.clock);
	check(all >= expected, "refaults: a loop of %ld MiB beyond its room refaults%s",
	      beyond / MIB, how);
	check(right >= all * 95 / 100, "refaults: from within 5 %% of RAM of where it has to be%s",
	      how);
	check(after.clock - before.clock <= (uint64_t)all * 105 / 100,
	      "refaults: the clock counts what has been evicted for it, and nothing else%s", how);
	if (churn) {
		check(worker_churn_end(&other) > 0 && vmstat("pswpout") > transparent,
		      "refaults: transparent memory was evicted meanwhile");
		worker_stop(&other);
		evict_all(&lent);
		cgroup_remove(&lent);
	}
	worker_stop(&worker);
	unlink(FILE_PATH);
	cgroup_remove(&cgroup);
}

/* Pages that lie in a frame of 64 KiB as they do in memory. */
static long pages_in_large(const uint64_t *frames, long nr)
{
	long large = 0;

	for (long first = 0; first < nr; first += PAGES_OF_64K) {
		long i = 0;

		while (i < PAGES_OF_64K && frames[first + i] == frames[first] + (uint64_t)i)
			i++;
		if (i == PAGES_OF_64K && frames[first] % (uint64_t)PAGES_OF_64K == 0)
			large += i;
	}
	return large;
}

/* A large folio counts with all of its pages. Only compressed memory brings one back as it was. */
static void test_large_folios(void)
{
	long pages = BYTES / page_size();
	uint64_t *frames;
	uintptr_t memory;
	struct tmm_refaults before, after;
	struct cgroup cgroup;
	struct worker worker;
	long long all;

	if (access(HUGE_PAGES "64kB", F_OK) || !swap_compress(2 * BYTES)) {
		skip("refaults: large folios", "no folios of 64 KiB, or no zram");
		return;
	}
	must_write(HUGE_PAGES "64kB/enabled", "madvise");
	must_write(HUGE_PAGES "2048kB/enabled", "never");
	cgroup_create(&cgroup, "large", false);
	worker_start(&worker, &cgroup);
	memory = worker_map_huge(&worker, BYTES);
	before = read_histogram(0);
	evict_all(&cgroup);
	after = read_histogram(TMM_REFAULTS_CLEAR);
	worker_read_pages(&worker, memory);
	frames = worker_frames(&worker, memory, BYTES);
	read_histogram(0);
	all = all_pages();
	diag("large: clock +%llu, %lld refaults of %ld pages, %ld in large folios",
	     after.clock - before.clock, all, pages, pages_in_large(frames, pages));
	check(after.clock - before.clock >= (uint64_t)(pages * 95 / 100),
	      "refaults: the clock counts all pages of large folios");
	check(pages_in_large(frames, pages) >= pages / 2, "refaults: large folios come back");
	check(all >= pages * 95 / 100 && all <= pages * 105 / 100,
	      "refaults: with all of their pages");
	free(frames);
	worker_stop(&worker);
	cgroup_remove(&cgroup);
	must_write(HUGE_PAGES "2048kB/enabled", "inherit");
	must_write(HUGE_PAGES "64kB/enabled", "never");
	swap_restore();
}

void refault_suite(void)
{
	device = device_open();
	test_distance();
	test_file();
	test_large_folios();
	test_loop(32 * MIB, 96 * MIB, false);
	test_loop(32 * MIB, 192 * MIB, true);
	close(device);
}
