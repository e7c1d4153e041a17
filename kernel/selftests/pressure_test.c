// SPDX-License-Identifier: GPL-2.0-only
/*
 * Allocations that need memory of a class that cannot give any, or hardly: the other class gives in
 * its place. There is neither an OOM kill nor reclaim that goes on for nothing.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "churn.h"
#include "guest.h"
#include "jobs.h"
#include "room.h"
#include "suites.h"
#include "swap.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROOM (192 * MIB)
#define SWAP (32 * MIB)

/* A cgroup of each class with a process, anonymous memory and page cache. */
struct side {
	struct cgroup cgroup;
	struct worker worker;
	uintptr_t anon;
	const char *file;
	long file_pages;
};

static struct side opaque = {.file = "tmm-test-opaque"},
		   transparent = {.file = "tmm-test-transparent"};

/* Those who need the memory, at most one of each class, and one who has filled the swap space. */
struct hog {
	struct cgroup cgroup;
	struct worker worker;
	bool running;
};

static struct hog hogs[2], filler;

static const char *scene;
static long long kills;

static void side_begin(struct side *side, const char *name, bool lent, long anon, long cache)
{
	cgroup_create(&side->cgroup, name, lent);
	worker_start(&side->worker, &side->cgroup);
	if (anon)
		side->anon = worker_map_anon(&side->worker, anon);
	worker_write_file(&side->worker, side->file, cache);
	side->file_pages = cache / page_size();
}

static void side_end(struct side *side)
{
	worker_stop(&side->worker);
	unlink(side->file);
	evict_all(&side->cgroup);
	cgroup_remove(&side->cgroup);
}

/*
 * Who asks for memory here must not get all of the cache: a boosted watermark keeps up to 12 MiB
 * from everybody, and a kernel that takes notes on its memory needs more of it all the time.
 */
static void begin_class(const char *name, bool lent, long anon, long cache)
{
	scene = name;
	kills = vmstat("oom_kill");
	side_begin(&opaque, "opaque", false, anon, cache);
	side_begin(&transparent, "transparent", lent, anon, cache);
}

static void begin(const char *name, long anon, long cache)
{
	begin_class(name, true, anon, cache);
}

static void hog_begin(struct hog *hog, const char *name, bool lent)
{
	cgroup_create(&hog->cgroup, name, lent);
	worker_start(&hog->worker, &hog->cgroup);
	hog->running = true;
}

static void hog_end(struct hog *hog)
{
	if (!hog->running)
		return;
	worker_stop(&hog->worker);
	evict_all(&hog->cgroup);
	cgroup_remove(&hog->cgroup);
	hog->running = false;
}

/* A process of that class maps all that is free, and so many bytes more. */
static void squeeze(bool lent, long long bytes)
{
	struct hog *hog = &hogs[lent];

	if (!hog->running)
		hog_begin(hog, lent ? "transparent-hog" : "opaque-hog", lent);
	worker_map_anon(&hog->worker, free_bytes() + bytes);
}

static bool kept(const struct side *side)
{
	long left = resident_pages(side->file);

	diag("%s: %ld of %ld pages of %s are left", scene, left, side->file_pages, side->file);
	return left >= side->file_pages * 95 / 100;
}

/* kswapd has nothing more to do, or has given up, when nobody asks for memory. */
static bool reclaim_rests(void)
{
	long long before = vmstat("pgscan_kswapd"), now;

	for (int turn = 0, quiet = 0; turn < 200; turn++) {
		usleep(50000);
		now = vmstat("pgscan_kswapd");
		quiet = now == before ? quiet + 1 : 0;
		if (quiet == 4)
			return true;
		before = now;
	}
	return false;
}

static void end(void)
{
	check_equal(kills, vmstat("oom_kill"), "%s: no OOM kill", scene);
	check(reclaim_rests(), "%s: reclaim comes to rest", scene);
	hog_end(&hogs[false]);
	hog_end(&hogs[true]);
	hog_end(&filler);
	side_end(&opaque);
	side_end(&transparent);
}

/* Locked memory is not there to be reclaimed. */
static void test_locked(void)
{
	long long before;

	begin("locked", 48 * MIB, 16 * MIB);
	worker_lock(&transparent.worker, transparent.anon);
	drop_file(transparent.file);
	before = cgroup_charged(&opaque.cgroup);
	squeeze(false, 48 * MIB);
	check(before - cgroup_charged(&opaque.cgroup) >= 16 * MIB,
	      "%s: opaque memory gives if transparent memory is locked", scene);
	end();
}

static void test_no_swap(void)
{
	swap_take_away();
	begin("no swap", 16 * MIB, 64 * MIB);
	squeeze(false, 16 * MIB);
	check(kept(&opaque), "%s: opaque cache stays as long as there is transparent cache", scene);
	check(!kept(&transparent), "%s: which gives", scene);
	squeeze(false, 56 * MIB);
	check(!kept(&opaque), "%s: opaque cache gives if there is none left", scene);
	end();
	swap_restore();
}

/*
 * The classic LRU decides for a whole node whether pages in use are to be aged: opaque cache that
 * nobody uses must not be a reason to leave transparent cache alone that somebody does.
 */
static void test_cache_in_use(void)
{
	swap_take_away();
	begin("cache in use", 0, 32 * MIB);
	/* twice as much, and each page used once */
	drop_file(opaque.file);
	worker_write_file(&opaque.worker, opaque.file, 64 * MIB);
	opaque.file_pages *= 2;
	for (int turn = 0; turn < 3; turn++)
		worker_read_file(&transparent.worker, transparent.file);
	/* a little opaque memory goes: refaults before that are not news to the next reclaim */
	set_limits(0, NO_LIMIT);
	reclaim_bytes(MIB);
	reset_limits();
	squeeze(false, 16 * MIB);
	check(kept(&opaque), "%s: idle opaque cache stays", scene);
	check(!kept(&transparent), "%s: transparent cache gives though it is used", scene);
	end();
	swap_restore();
}

/*
 * The last slots are not for reclaim: the multi-gen LRU leaves 63, they come and go with every
 * fault. What is written already, but still in memory too, must not be a reserve.
 */
static void fill_swap(bool lent)
{
	hog_begin(&filler, "filler", lent);
	worker_map_anon(&filler.worker, SWAP + 2 * MIB);
	for (int turn = 0; turn < 500 && (swap_free_pages() >= 64 ||
					  cgroup_stat(&filler.cgroup, "swapcached") >= MIB / 2);
	     turn++)
		write_number(cgroup_file(&filler.cgroup, "memory.reclaim"), MIB);
	check(swap_free_pages() < 64, "%s: the swap space is full", scene);
}

static void test_full_swap(const char *name, bool filler_lent, bool lent)
{
	swap_replace(SWAP);
	begin(name, 0, 64 * MIB);
	fill_swap(filler_lent);
	squeeze(lent, 16 * MIB);
	check(kept(&opaque), "%s: opaque cache stays as long as there is transparent cache", scene);
	check(!kept(&transparent), "%s: which gives", scene);
	squeeze(lent, 56 * MIB);
	check(!kept(&opaque), "%s: opaque cache gives if there is none left", scene);
	end();
	swap_restore();
}

/* Files that do not fit, in place of anonymous memory that does not. */
static void test_full_swap_cache(void)
{
	swap_replace(SWAP);
	begin("full swap, cache", 0, 32 * MIB);
	fill_swap(false);
	squeeze(false, 0);
	worker_write_file(&transparent.worker, transparent.file, 96 * MIB);
	check(kept(&opaque), "%s: a transparent file that does not fit takes no opaque cache",
	      scene);
	worker_read_file(&transparent.worker, transparent.file);
	check(kept(&opaque), "%s: nor does it when it is read", scene);
	worker_write_file(&opaque.worker, opaque.file, 96 * MIB);
	worker_read_file(&opaque.worker, opaque.file);
	check(resident_pages(opaque.file) >= 96 * MIB / page_size() / 4,
	      "%s: an opaque one comes in", scene);
	end();
	swap_restore();
}

/* Maps and writes more memory than there is, and has no pages to fault in but those. */
static void starve(const struct cgroup *cgroup)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	must_write(cgroup_file(cgroup, "cgroup.procs"), "0");
	must_write("/proc/self/oom_score_adj", "1000");
	if (mlockall(MCL_CURRENT))
		_exit(1);
	job_map_anon("", ram_bytes() / 2);
	job_map_anon("", ram_bytes() / 2);
	_exit(0);
}

/*
 * All tries of a process to reclaim are vain if the rest of memory is protected and there is no
 * swap. The allocator makes sixteen before it kills. How often the process gave up the processor
 * tells whether it waited in between: it has no other reason to.
 */
static void test_pause(bool lent)
{
	const char *what = lent ? "transparent" : "opaque";
	struct cgroup cgroup;
	struct side protected = {.file = "tmm-test-protected"};
	struct rusage usage;
	int status;
	pid_t pid;

	swap_take_away();
	side_begin(&protected, "protected", false, 0, 64 * MIB);
	cgroup_set(&protected.cgroup, "memory.min", 128 * MIB);
	cgroup_create(&cgroup, "starving", lent);
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0)
		starve(&cgroup);
	if (wait4(pid, &status, 0, &usage) != pid)
		bail_out("wait4");
	diag("pause: %s: status %#x, %ld waits, %ld major faults", what, (unsigned int)status,
	     usage.ru_nvcsw, usage.ru_majflt);
	check(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
	      "pause: %s memory that does not fit is an OOM kill", what);
	if (multi_gen_lru() && lent)
		check(usage.ru_nvcsw >= 16, "pause: it comes after as many waits as tries");
	cgroup_remove(&cgroup);
	cgroup_set(&protected.cgroup, "memory.min", 0);
	side_end(&protected);
	swap_restore();
}

static long long scanned(void)
{
	return vmstat("pgscan_kswapd") + vmstat("pgscan_direct");
}

static long long stolen(void)
{
	return vmstat("pgsteal_kswapd") + vmstat("pgsteal_direct");
}

/*
 * Transparent memory that is in use all the time fills memory and all but the last slots of swap.
 */
static void test_nearly_full_swap(void)
{
	long long scans, steals;
	uintptr_t memory;

	swap_replace(SWAP);
	begin("nearly full swap", 0, 64 * MIB);
	drop_file(transparent.file);
	memory = worker_map_anon(&transparent.worker, free_bytes() + SWAP);
	scans = scanned();
	steals = stolen();
	worker_churn(&transparent.worker, churn_mapping, "a loop", (long)memory);
	squeeze(false, 4 * MIB);
	worker_churn_end(&transparent.worker);
	scans = scanned() - scans;
	steals = stolen() - steals;
	diag("%s: %lld pages scanned, %lld reclaimed, %lld slots free, %lld KiB free", scene, scans,
	     steals, swap_free_pages(), free_bytes() / 1024);
	check(steals > 0 && scans <= 8 * steals,
	      "%s: memory in use is not scanned over and over in vain", scene);
	end();
	swap_restore();
}

/* Long names of files that do not exist: the system keeps them in slab, half a KiB for each. */
static long job_look_up(const char *path, long names)
{
	char name[256];

	for (long i = 0; i < names; i++) {
		snprintf(name, sizeof(name), "%s-%0200ld", path, i);
		if (access(name, F_OK) == 0)
			return -EEXIST;
	}
	return 0;
}

static long long slab_bytes(const struct side *side)
{
	return cgroup_stat(&side->cgroup, "slab_reclaimable");
}

/*
 * The contribution has little, and all of it is used by the owner too: reclaim looks for it at
 * every priority before it takes from both. The owner's slab must not go meanwhile.
 */
static void test_slab_stays(void)
{
	long long slab, left;

	begin("slab", 0, 48 * MIB);
	worker_do(&opaque.worker, job_look_up, "tmm-test-name", 20000);
	drop_file(transparent.file);
	worker_write_file(&transparent.worker, transparent.file, 8 * MIB);
	worker_read_file(&opaque.worker, transparent.file);
	slab = slab_bytes(&opaque);
	for (int turn = 0; turn < 16; turn++)
		reclaim_bytes(MIB);
	left = slab_bytes(&opaque);
	diag("%s: %lld -> %lld KiB", scene, slab / 1024, left / 1024);
	/* the rest may have gone while it came, as memory is short here */
	check(slab >= 2 * MIB, "%s: the owner has some", scene);
	check(left >= slab / 2, "%s: it stays while reclaim looks for transparent memory", scene);
	end();
}

/*
 * Half of memory is the owner's slab, and the contribution uses all it has. There is nothing else
 * that could give.
 */
static void test_slab_gives(void)
{
	long long slab = 0, left;

	swap_take_away();
	begin("mostly slab", 0, 16 * MIB);
	drop_file(opaque.file);
	worker_churn(&transparent.worker, churn_mapping, "a loop",
		     (long)worker_map_file(&transparent.worker, transparent.file));
	/*
	 * A kernel that checks itself keeps what is freed for a while. Then memory is short, and
	 * the names go while they come.
	 */
	for (int turn = 0; turn < 4 && slab < 64 * MIB; turn++) {
		/* slab of an earlier turn belongs to no cgroup any more, and would give */
		must_write("/proc/sys/vm/drop_caches", "2");
		worker_do(&opaque.worker, job_look_up, "tmm-test-name", 200000);
		slab = slab_bytes(&opaque);
	}
	squeeze(false, 64 * MIB);
	left = slab_bytes(&opaque);
	worker_churn_end(&transparent.worker);
	diag("%s: %lld -> %lld KiB", scene, slab / 1024, left / 1024);
	check(slab >= 64 * MIB, "%s: there is much of it", scene);
	check(slab - left >= 16 * MIB, "%s: it gives if nothing else can", scene);
	end();
	swap_restore();
}

/*
 * The owner reads a file that does not fit, and the contribution has little that it can give: what
 * it has is used by the owner too, or by itself all the time. Reclaim takes from the owner's file
 * then. Returns the percentage of the owner's slab that is left.
 */
static long long strain(const char *name, bool lent, bool shared)
{
	long long scans, steals, slab, left;

	/* names that are known already would count for no one */
	must_write("/proc/sys/vm/drop_caches", "2");
	begin_class(name, lent, 0, 32 * MIB);
	worker_do(&opaque.worker, job_look_up, "tmm-test-name", 20000);
	if (shared)
		worker_read_file(&opaque.worker, transparent.file);
	else
		worker_churn(&transparent.worker, churn_mapping, "a loop",
			     (long)worker_map_file(&transparent.worker, transparent.file));
	slab = slab_bytes(&opaque);
	scans = scanned();
	steals = stolen();
	/* it takes no space on the disk */
	if (truncate(opaque.file, 512 * MIB))
		bail_out("truncate");
	worker_read_file(&opaque.worker, opaque.file);
	scans = scanned() - scans;
	steals = stolen() - steals;
	left = slab_bytes(&opaque);
	if (!shared)
		worker_churn_end(&transparent.worker);
	diag("%s: %lld pages scanned, %lld reclaimed, slab %lld -> %lld KiB", scene, scans, steals,
	     slab / 1024, left / 1024);
	check(slab >= 2 * MIB, "%s: the owner has some", scene);
	/*
	 * Pages in use that were taken are read again, and are locked until the disk has them. Use
	 * does not count then, so that the multi-gen LRU looks at such pages time and again.
	 */
	check(scans <= (shared ? 4 : 8) * steals, "%s: reclaim does not search what cannot give",
	      scene);
	end();
	return slab ? 100 * left / slab : 0;
}

/*
 * The owner's slab stays meanwhile, much as it does beside an opaque program in the contribution's
 * place. A kernel that checks itself loses most of it either way.
 */
static void test_shared_spares_slab(void)
{
	long long left = strain("little to give: shared", true, true);
	long long usual = strain("nothing lent: shared", false, true);

	/* some goes before reclaim loses its patience */
	diag("%lld %% of the slab are left, %lld %% if nothing is lent", left, usual);
	check(4 * left >= usual, "little to give: shared: it costs the owner little slab");
}

/* Looks through the contribution's page tables again and again, as other reclaimers may. */
static pid_t ager_begin(void)
{
	pid_t pid = fork();

	if (pid < 0)
		bail_out("cannot fork");
	if (pid > 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		cgroup_age(&transparent.cgroup);
		usleep(5000);
	}
}

static void ager_end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/*
 * The contribution uses all of its memory all the time. That is no excuse: it gives when the owner
 * needs memory, and his idle memory stays. Nor is it one if others note its use meanwhile (walked).
 */
static void test_use_is_no_excuse(const char *name, bool anon, bool walked)
{
	pid_t ager = 0;

	if (!anon)
		swap_take_away();
	begin(name, 0, 32 * MIB);
	worker_write_file(&transparent.worker, transparent.file, anon ? 0 : 96 * MIB);
	worker_churn(&transparent.worker, churn_mapping, "a loop",
		     (long)(anon ? worker_map_anon(&transparent.worker, 96 * MIB)
				 : worker_map_file(&transparent.worker, transparent.file)));
	if (walked)
		ager = ager_begin();
	squeeze(false, 32 * MIB);
	if (walked)
		ager_end(ager);
	worker_churn_end(&transparent.worker);
	check(kept(&opaque), "%s: idle opaque cache stays", scene);
	end();
	if (!anon)
		swap_restore();
}

static long job_reclaim(const char *path, long bytes)
{
	(void)path;
	/* EAGAIN if there is less */
	reclaim_bytes(bytes);
	return 0;
}

/*
 * Reclaim has lost patience with transparent memory, as the owner uses all of it too, and takes
 * from both classes. That is not for the contribution's own tasks: when they ask for memory, they
 * get what is their own.
 */
static void test_patience_is_spent(const char *name, bool lent)
{
	const char *idle = "tmm-test-idle";
	struct worker *asks = lent ? &transparent.worker : &opaque.worker;
	long before, left;

	begin(name, 0, 32 * MIB);
	worker_read_file(&opaque.worker, transparent.file);
	for (int turn = 0; turn < 32 && kept(&opaque); turn++)
		reclaim_bytes(MIB);
	check(!kept(&opaque), "%s: opaque memory gives as well", scene);
	/* a part of the contribution makes way for what is idle, so that it does not grow */
	drop_file(transparent.file);
	worker_write_file(&transparent.worker, transparent.file, 20 * MIB);
	worker_read_file(&opaque.worker, transparent.file);
	worker_write_file(&transparent.worker, idle, 8 * MIB);
	before = resident_pages(opaque.file);
	worker_do(asks, job_reclaim, "", 4 * MIB);
	left = resident_pages(opaque.file);
	diag("%s: %ld of %ld opaque pages are left", scene, left, before);
	if (lent)
		check_equal(before, left, "%s: not for the contribution's own tasks", scene);
	else
		check(left < before, "%s: also if the owner's tasks ask", scene);
	unlink(idle);
	end();
}

void pressure_suite(void)
{
	room_make(ANY_NODE, ROOM);
	/* first: the patience that reclaim lost with other contributions counts for a minute */
	test_shared_spares_slab();
	/* memory in use is taken, comes back and is taken again, which costs slab all the same */
	strain("little to give: in use", true, false);
	test_patience_is_spent("patience is spent, opaque need", false);
	test_patience_is_spent("patience is spent, transparent need", true);
	test_locked();
	test_no_swap();
	test_cache_in_use();
	test_full_swap("swap full of opaque memory, opaque need", false, false);
	test_full_swap("swap full of opaque memory, transparent need", false, true);
	test_full_swap("swap full of transparent memory, opaque need", true, false);
	test_full_swap("swap full of transparent memory, transparent need", true, true);
	test_full_swap_cache();
	test_nearly_full_swap();
	test_slab_stays();
	/* these depend on who reclaims when */
	for (int turn = 0; turn < 3; turn++) {
		test_use_is_no_excuse("in use: anonymous memory", true, false);
		test_use_is_no_excuse("in use: file", false, false);
		if (multi_gen_lru()) {
			test_use_is_no_excuse("in use, walked: anonymous memory", true, true);
			test_use_is_no_excuse("in use, walked: file", false, true);
		}
		test_slab_gives();
	}
	room_end();
	test_pause(false);
	test_pause(true);
}
