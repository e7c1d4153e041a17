// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which class gives up memory, and that neither an OOM kill nor a hang comes of it if that class
 * cannot.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <unistd.h>

#define OPAQUE_FILE "tmm-test-opaque"
#define TRANSPARENT_FILE "tmm-test-transparent"

#define ANON (96 * MIB)
#define CACHE (48 * MIB)
#define ASKED (64 * MIB)

static struct cgroup opaque, transparent;
static struct worker owner, contribution;

/* Both classes have more of each kind of memory than will be asked for in all cases together. */
static void set_up(void)
{
	cgroup_create(&opaque, "opaque", false);
	cgroup_create(&transparent, "transparent", true);
	worker_start(&owner, &opaque);
	worker_start(&contribution, &transparent);
	worker_map_anon(&owner, ANON);
	worker_map_anon(&contribution, ANON);
	worker_write_file(&owner, OPAQUE_FILE, CACHE);
	worker_write_file(&contribution, TRANSPARENT_FILE, CACHE);
}

static void tear_down(void)
{
	worker_stop(&owner);
	worker_stop(&contribution);
	unlink(OPAQUE_FILE);
	unlink(TRANSPARENT_FILE);
	evict_all(&opaque);
	evict_all(&transparent);
	cgroup_remove(&opaque);
	cgroup_remove(&transparent);
	reset_limits();
}

static void test_case(const char *name, long long opaque_limit, long long transparent_limit,
		      bool from_transparent)
{
	long long all, lent, given, kept;
	const struct cgroup *giver, *keeper;

	set_up();
	giver = from_transparent ? &transparent : &opaque;
	keeper = from_transparent ? &opaque : &transparent;
	set_limits(opaque_limit, transparent_limit);
	all = lru_pages() * page_size();
	lent = transparent_lru_pages() * page_size();
	given = cgroup_charged(giver);
	kept = cgroup_charged(keeper);
	check_errno(0, reclaim_bytes(ASKED), "policy: %s: memory.reclaim succeeds", name);
	all -= lru_pages() * page_size();
	lent -= transparent_lru_pages() * page_size();
	given -= cgroup_charged(giver);
	kept -= cgroup_charged(keeper);
	check(all >= ASKED * 9 / 10, "policy: %s: memory was reclaimed", name);
	check((from_transparent ? lent : all - lent) >= all * 95 / 100,
	      "policy: %s: %s memory gave it", name, from_transparent ? "transparent" : "opaque");
	check(given >= ASKED / 2 && kept <= ASKED * 5 / 100,
	      "policy: %s: the cgroup of the other class kept its memory", name);
	diag("%lld KiB reclaimed, %lld KiB of them transparent; the cgroups lost %lld and %lld KiB",
	     all / 1024, lent / 1024, given / 1024, kept / 1024);
	tear_down();
}

/* The transparent class looks reclaimable, but cannot be swapped: only trying shows it. */
static void test_fallback(void)
{
	long long lent, all;

	set_up();
	unlink(TRANSPARENT_FILE);
	must_write(cgroup_file(&transparent, "memory.swap.max"), "0");
	lent = cgroup_charged(&transparent);
	all = lru_pages() * page_size();
	check_errno(0, reclaim_bytes(ASKED), "fallback: can reclaim though not transparent memory");
	check(lent - cgroup_charged(&transparent) < 2 * MIB, "fallback: transparent memory stayed");
	check(all - lru_pages() * page_size() >= ASKED * 9 / 10, "fallback: opaque memory gave it");
	tear_down();
}

/* The same with an allocation that does not fit, in place of a request that may fail. */
static void test_pressure(void)
{
	long long kills = vmstat("oom_kill");
	struct worker hog;

	set_up();
	unlink(TRANSPARENT_FILE);
	must_write(cgroup_file(&transparent, "memory.swap.max"), "0");
	worker_start(&hog, &opaque);
	worker_map_anon(&hog, ram_bytes() * 85 / 100);
	check_equal(kills, vmstat("oom_kill"),
		    "fallback: no OOM kill when opaque memory has to make room for itself");
	worker_stop(&hog);
	tear_down();
}

/* A contribution that wants all memory must not take any from an owner who is away. */
static void test_hog(void)
{
	long long before, swapped = vmstat("pswpout");
	struct worker hog;

	set_up();
	before = cgroup_charged(&opaque);
	worker_start(&hog, &transparent);
	worker_map_anon(&hog, ram_bytes());
	check(vmstat("pswpout") > swapped, "hog: there was pressure");
	check(cgroup_charged(&opaque) >= before * 95 / 100,
	      "hog: transparent memory beyond the size of RAM displaces no idle opaque memory");
	check(resident_pages(OPAQUE_FILE) * page_size() >= CACHE * 95 / 100,
	      "hog: nor opaque page cache");
	worker_stop(&hog);
	tear_down();
}

/* Reclaim that is targeted at a cgroup does not ask for the class. */
static void test_targeted(void)
{
	long long before;

	set_up();
	before = cgroup_charged(&opaque);
	check_errno(0, write_number(cgroup_file(&opaque, "memory.reclaim"), ASKED),
		    "targeted: an opaque cgroup can be reclaimed");
	check(before - cgroup_charged(&opaque) >= ASKED * 9 / 10, "targeted: it gave memory");
	tear_down();
}

void policy_cases(void)
{
	test_case("none above its limit", NO_LIMIT, NO_LIMIT, true);
	test_case("both above their limits", 0, 0, true);
	test_case("only opaque above its limit", 0, NO_LIMIT, false);
	test_case("only transparent above its limit", NO_LIMIT, 0, true);
}

void policy_suite(void)
{
	policy_cases();
	test_targeted();
	test_fallback();
	test_pressure();
	test_hog();
}
