// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.min and memory.low come before the class: who is protected keeps memory though the class
 * has to give, and the other class gives when only protected memory is left.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "room.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROOM (192 * MIB)
/* of each cgroup */
#define ANON (40 * MIB)
#define CACHE (40 * MIB)
#define STREAM (100 * MIB)
#define STREAM_FILE "tmm-test-protection"

/* Two cgroups of each class, of which the first will be protected. */
enum { FIRST, SECOND, MEMBERS };

static struct cgroup all;
static struct member {
	struct cgroup cgroup;
	struct worker worker;
	char file[64];
	long long before;
} members[2][MEMBERS];

static void fill_with_anon(struct member *member)
{
	worker_map_anon(&member->worker, ANON);
}

/*
 * Clean, so that it can be reclaimed at once. Anonymous memory goes only after the disk has written
 * it: if reclaim is faster at all of its priorities, the class seems to have nothing.
 */
static void fill_with_cache(struct member *member)
{
	worker_write_file(&member->worker, member->file, CACHE);
}

static void begin(void (*fill)(struct member *member))
{
	static const char *const names[2][MEMBERS] = {{"opaque-first", "opaque-second"},
						      {"transparent-first", "transparent-second"}};

	cgroup_create(&all, "protection", false);
	must_write(cgroup_file(&all, "cgroup.subtree_control"), "+memory");
	for (int lent = 0; lent < 2; lent++) {
		for (int i = 0; i < MEMBERS; i++) {
			struct member *member = &members[lent][i];

			cgroup_create_below(&member->cgroup, &all, names[lent][i]);
			cgroup_set(&member->cgroup, "memory.transparent", lent);
			snprintf(member->file, sizeof(member->file), "tmm-test-%s", names[lent][i]);
			worker_start(&member->worker, &member->cgroup);
			fill(member);
		}
	}
}

static void end(void)
{
	for (int lent = 0; lent < 2; lent++) {
		for (int i = 0; i < MEMBERS; i++) {
			worker_stop(&members[lent][i].worker);
			unlink(members[lent][i].file);
			evict_all(&members[lent][i].cgroup);
			cgroup_remove(&members[lent][i].cgroup);
		}
	}
	cgroup_remove(&all);
	reset_limits();
}

/* Of a member, which its parent hands on. */
static void protect(bool lent, int i, const char *file)
{
	cgroup_set(&all, file, NO_LIMIT);
	cgroup_set(&members[lent][i].cgroup, file, NO_LIMIT);
}

/*
 * For global reclaim, the multi-gen LRU works out who is protected when kswapd runs, and uses old
 * results until then. A request to the cgroup above has the same effect on those that it comes
 * upon: at least one, behind the last one of the request before. Losses count from here.
 */
static void work_out_protection(void)
{
	for (int turn = 0; turn < 1 + 2 * MEMBERS; turn++)
		write_number(cgroup_file(&all, "memory.reclaim"), page_size());
	for (int lent = 0; lent < 2; lent++)
		for (int i = 0; i < MEMBERS; i++)
			members[lent][i].before = cgroup_charged(&members[lent][i].cgroup);
}

static long long lost(bool lent, int i)
{
	return members[lent][i].before - cgroup_charged(&members[lent][i].cgroup);
}

static long long low_events(bool lent, int i)
{
	return read_keyed(cgroup_file(&members[lent][i].cgroup, "memory.events"), "low");
}

static void show_losses(const char *name)
{
	diag("%s: lost opaque %lld and %lld, transparent %lld and %lld KiB", name,
	     lost(false, FIRST) / 1024, lost(false, SECOND) / 1024, lost(true, FIRST) / 1024,
	     lost(true, SECOND) / 1024);
}

/* `file` is memory.min or memory.low. */
static void test_reclaim(const char *file, bool victim_lent)
{
	const char *victim = victim_lent ? "transparent" : "opaque";
	long long kills = vmstat("oom_kill");

	begin(fill_with_cache);
	set_limits(victim_lent ? NO_LIMIT : 0, victim_lent ? 0 : NO_LIMIT);
	protect(victim_lent, FIRST, file);
	work_out_protection();

	check_errno(0, reclaim_bytes(CACHE / 2), "%s: %s memory is the victim", file, victim);
	show_losses(file);
	check(lost(victim_lent, FIRST) <= CACHE / 20,
	      "%s: of %s cgroups, one that is protected keeps its memory", file, victim);
	check(lost(victim_lent, SECOND) >= CACHE / 4, "%s: one that is not gives memory", file);
	check(lost(!victim_lent, FIRST) + lost(!victim_lent, SECOND) <= CACHE / 20,
	      "%s: the other class keeps all", file);

	check_errno(0, reclaim_bytes(CACHE), "%s: more than %s memory has unprotected", file,
		    victim);
	show_losses(file);
	check(lost(victim_lent, FIRST) <= CACHE / 20, "%s: what is protected stays even then",
	      file);
	check(lost(!victim_lent, FIRST) + lost(!victim_lent, SECOND) >= CACHE / 4,
	      "%s: the other class gives", file);
	check_equal(kills, vmstat("oom_kill"), "%s: no OOM kill", file);
	end();
}

/* kswapd takes from the other class if the right one is protected: nobody has to wait for that. */
static void test_kswapd(void)
{
	long long by_kswapd, all;

	begin(fill_with_anon);
	for (int i = 0; i < MEMBERS; i++)
		protect(true, i, "memory.low");
	work_out_protection();
	by_kswapd = vmstat("pgsteal_kswapd");
	all = by_kswapd + vmstat("pgsteal_direct");
	worker_write_file(&members[false][FIRST].worker, STREAM_FILE, free_bytes() + STREAM);
	by_kswapd = vmstat("pgsteal_kswapd") - by_kswapd;
	all = vmstat("pgsteal_kswapd") + vmstat("pgsteal_direct") - all;
	diag("kswapd: %lld pages of %lld", by_kswapd, all);
	check(by_kswapd > all / 4, "memory.low: kswapd takes from the other class");
	unlink(STREAM_FILE);
	end();
}

/*
 * memory.events tells of `low` where memory was taken in spite of it: each turn comes upon all
 * members. If there is unprotected memory of the other class, left by whomever, reclaim takes it
 * first, from both classes, and goes on like that.
 */
static void test_low_events(void)
{
	long long taken, passed_over;
	bool both_gave;

	begin(fill_with_anon);
	set_limits(0, NO_LIMIT);
	for (int lent = 0; lent < 2; lent++)
		for (int i = 0; i < MEMBERS; i++)
			protect(lent, i, "memory.low");
	work_out_protection();
	for (int turn = 0; turn < 50 && lost(false, FIRST) + lost(false, SECOND) < ANON; turn++)
		reclaim_bytes(4 * MIB);
	show_losses("memory.low, events");
	taken = low_events(false, FIRST) + low_events(false, SECOND);
	passed_over = low_events(true, FIRST) + low_events(true, SECOND);
	both_gave = lost(true, FIRST) + lost(true, SECOND) > ANON / 20;
	diag("memory.low, events: opaque %lld, transparent %lld", taken, passed_over);
	check(lost(false, FIRST) + lost(false, SECOND) >= ANON / 2,
	      "memory.low: opaque memory gives in spite of it");
	check(taken > 0, "memory.low: which is an event");
	check(both_gave || passed_over * 4 <= taken, "memory.low: to be passed over is none");
	end();
}

/* An allocation, when all the rest is protected as far as possible. */
static void test_all_low(void)
{
	long long kills = vmstat("oom_kill"), swapped = vmstat("pswpout");
	struct cgroup cgroup;
	struct worker hog;

	begin(fill_with_anon);
	for (int lent = 0; lent < 2; lent++)
		for (int i = 0; i < MEMBERS; i++)
			protect(lent, i, "memory.low");
	work_out_protection();
	cgroup_create(&cgroup, "hog", false);
	cgroup_set(&cgroup, "memory.swap.max", 0);
	worker_start(&hog, &cgroup);
	worker_map_anon(&hog, free_bytes() + ANON);
	show_losses("memory.low everywhere");
	check(vmstat("pswpout") > swapped,
	      "memory.low: protected memory gives if there is no other");
	check_equal(kills, vmstat("oom_kill"), "memory.low: no OOM kill if all is protected");
	worker_stop(&hog);
	evict_all(&cgroup);
	cgroup_remove(&cgroup);
	end();
}

/*
 * The same from both classes' side: the unprotected memory of the wrong class goes before
 * memory.low of the right one.
 */
static void test_low_pressure(void)
{
	long long kills = vmstat("oom_kill");
	struct cgroup cgroup;
	struct worker hog;

	begin(fill_with_anon);
	for (int i = 0; i < MEMBERS; i++)
		protect(true, i, "memory.low");
	work_out_protection();
	cgroup_create(&cgroup, "hog", false);
	cgroup_set(&cgroup, "memory.swap.max", 0);
	worker_start(&hog, &cgroup);
	worker_map_anon(&hog, free_bytes() + ANON);
	show_losses("memory.low, transparent");
	check(lost(true, FIRST) + lost(true, SECOND) <= ANON / 10,
	      "memory.low: transparent memory that is protected stays under pressure");
	check(lost(false, FIRST) + lost(false, SECOND) >= ANON * 3 / 4,
	      "memory.low: opaque memory that is not gives");
	check_equal(kills, vmstat("oom_kill"), "memory.low: no OOM kill under pressure");
	worker_stop(&hog);
	evict_all(&cgroup);
	cgroup_remove(&cgroup);
	end();
}

void protection_suite(void)
{
	test_reclaim("memory.min", true);
	test_reclaim("memory.min", false);
	test_reclaim("memory.low", true);
	test_reclaim("memory.low", false);
	room_make(ANY_NODE, ROOM);
	test_low_pressure();
	test_all_low();
	test_kswapd();
	test_low_events();
	room_end();
}
