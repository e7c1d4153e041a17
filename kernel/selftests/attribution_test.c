// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose uses the scanner reports, for each kind of memory that is not plain anonymous memory or a
 * mapped file (see scan_test.c).
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "jobs.h"
#include "scene.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

#define FILE_PATH "tmm-test-attribution"
#define SHMEM_PATH "/dev/shm/tmm-test-attribution"
#define KSM "/sys/kernel/mm/ksm/"
#define HUGETLB_PAGES "/proc/sys/vm/nr_hugepages"

#define BYTES (4 * MIB)
#define HUGE_PAGE (2 * MIB)
#define HUGE_BYTES (4 * HUGE_PAGE)

static const uint64_t used = TMM_FRAME_REF, lent = TMM_FRAME_CLASS,
		      both = TMM_FRAME_CLASS | TMM_FRAME_SHARED;

static struct scene scene;
static struct worker *const owner = &scene.owner, *const contribution = &scene.contribution;
static long nr;

static void expect(const uint64_t *frames, uint64_t set, uint64_t clear, const char *name)
{
	check_scan(&scene, frames, nr, set, clear, "%s", name);
}

static long job_read_range(const char *path, long address)
{
	(void)path;
	touch_pages((uintptr_t)address, BYTES, false);
	return 0;
}

static long job_write_range(const char *path, long address)
{
	(void)path;
	touch_pages((uintptr_t)address, BYTES, true);
	return 0;
}

/*
 * A file in the page cache that is in no page table while it is used and scanned. It is mapped
 * only afterwards, to find its frames.
 */
static void test_unmapped_file(struct worker *creator, bool transparent)
{
	const char *whose = transparent ? "transparent" : "opaque";
	uint64_t charge = transparent ? lent : 0;
	struct snapshot lent_use, owned_use, no_use;
	uint64_t *frames;
	uintptr_t memory;

	worker_write_file(creator, FILE_PATH, BYTES);
	drop_file(FILE_PATH);
	worker_read_file(creator, FILE_PATH);
	start_afresh(&scene);
	worker_read_file(contribution, FILE_PATH);
	snapshot_take(&lent_use, scene.device);
	worker_read_file(owner, FILE_PATH);
	snapshot_take(&owned_use, scene.device);
	snapshot_take(&no_use, scene.device);

	memory = worker_map_file(contribution, FILE_PATH);
	frames = worker_frames(contribution, memory, BYTES);
	check(nearly_all(count_pages(&lent_use, frames, nr, charge | TMM_FRAME_FILE,
				     used | TMM_FRAME_SHARED | (lent ^ charge)),
			 nr),
	      "unmapped: %s file, not referenced by a transparent read()", whose);
	check(nearly_all(count_pages(&owned_use, frames, nr,
				     used | TMM_FRAME_FILE | (transparent ? both : 0), 0),
			 nr),
	      "unmapped: %s file, referenced by an opaque read()", whose);
	check(nearly_all(count_pages(&no_use, frames, nr, TMM_FRAME_FILE, used), nr),
	      "unmapped: %s file, not referenced if nobody uses it", whose);
	worker_unmap(contribution, memory);
	snapshot_free(&lent_use);
	snapshot_free(&owned_use);
	snapshot_free(&no_use);
	free(frames);
	unlink(FILE_PATH);
}

/* Read from the disk by who is the first to use it, with what readahead brings along. */
static void test_first_read(void)
{
	struct snapshot by_owner, by_contribution;
	uint64_t *frames;
	uintptr_t memory;

	worker_write_file(owner, FILE_PATH, BYTES);
	drop_file(FILE_PATH);
	worker_read_file(owner, FILE_PATH);
	snapshot_take(&by_owner, scene.device);
	memory = worker_map_file(contribution, FILE_PATH);
	frames = worker_frames(contribution, memory, BYTES);
	check(nearly_all(count_pages(&by_owner, frames, nr, used, lent), nr),
	      "first read(): an opaque one counts");
	worker_unmap(contribution, memory);
	free(frames);

	drop_file(FILE_PATH);
	worker_read_file(contribution, FILE_PATH);
	snapshot_take(&by_contribution, scene.device);
	memory = worker_map_file(contribution, FILE_PATH);
	frames = worker_frames(contribution, memory, BYTES);
	check(nearly_all(count_pages(&by_contribution, frames, nr, lent, used | TMM_FRAME_SHARED),
			 nr),
	      "first read(): a transparent one does not");
	worker_unmap(contribution, memory);
	snapshot_free(&by_owner);
	snapshot_free(&by_contribution);
	free(frames);
	unlink(FILE_PATH);
}

/* A use that a mapping has seen counts although the mapping is gone when the scan comes. */
static void test_use_before_unmap(void)
{
	uintptr_t kept, gone;
	uint64_t *frames;

	worker_write_file(owner, FILE_PATH, BYTES);
	kept = worker_map_file(contribution, FILE_PATH);
	frames = worker_frames(contribution, kept, BYTES);
	gone = worker_map_file(owner, FILE_PATH);
	start_afresh(&scene);
	worker_read_pages(owner, gone);
	worker_unmap(owner, gone);
	expect(frames, used, lent, "unmap: an opaque use before it counts");
	gone = worker_map_file(contribution, FILE_PATH);
	start_afresh(&scene);
	worker_read_pages(contribution, gone);
	worker_unmap(contribution, gone);
	expect(frames, 0, used | lent, "unmap: a transparent use before it does not");
	worker_unmap(contribution, kept);
	free(frames);
	unlink(FILE_PATH);
}

/* Memory of a file system in memory is on the anonymous lists, but is used as a file is. */
static void test_shmem(void)
{
	uintptr_t mapped, owned;
	uint64_t *frames;

	worker_write_file(contribution, SHMEM_PATH, BYTES);
	mapped = worker_map_file(contribution, SHMEM_PATH);
	frames = worker_frames(contribution, mapped, BYTES);
	expect(frames, lent, used | TMM_FRAME_SHARED | TMM_FRAME_FILE,
	       "shmem: what transparent tasks wrote is transparent and not referenced");
	worker_read_file(owner, SHMEM_PATH);
	worker_read_pages(contribution, mapped);
	expect(frames, both | used, TMM_FRAME_FILE, "shmem: an opaque read() of it counts");
	worker_write_file(contribution, SHMEM_PATH, BYTES);
	expect(frames, both, used, "shmem: a transparent write() does not");
	worker_write_file(owner, SHMEM_PATH, BYTES);
	expect(frames, both | used, 0, "shmem: an opaque write() does");
	owned = worker_map_file(owner, SHMEM_PATH);
	start_afresh(&scene);
	worker_write_pages(owner, owned);
	expect(frames, both | used, 0, "shmem: a store of an opaque mapping does");
	worker_unmap(owner, owned);
	worker_unmap(contribution, mapped);
	free(frames);
	unlink(SHMEM_PATH);

	worker_write_file(owner, SHMEM_PATH, BYTES);
	mapped = worker_map_file(contribution, SHMEM_PATH);
	frames = worker_frames(contribution, mapped, BYTES);
	expect(frames, used, lent | TMM_FRAME_FILE,
	       "shmem: what opaque tasks wrote is opaque and referenced");
	worker_read_file(contribution, SHMEM_PATH);
	worker_write_pages(contribution, mapped);
	expect(frames, 0, used | lent | TMM_FRAME_SHARED,
	       "shmem: transparent uses of it do not count");
	worker_unmap(contribution, mapped);
	free(frames);
	unlink(SHMEM_PATH);
}

/* Both have inherited it from their parent; the contribution is the first to use it. */
static void test_shared_anon(uintptr_t memory)
{
	uint64_t *frames;

	worker_do(contribution, job_write_range, "shared memory", (long)memory);
	frames = worker_frames(contribution, memory, BYTES);
	expect(frames, lent, used | TMM_FRAME_SHARED | TMM_FRAME_FILE,
	       "shared anonymous: a transparent use does not count");
	worker_do(owner, job_read_range, "shared memory", (long)memory);
	worker_do(contribution, job_write_range, "shared memory", (long)memory);
	expect(frames, both | used, 0, "shared anonymous: an opaque use does");
	worker_do(contribution, job_write_range, "shared memory", (long)memory);
	expect(frames, both, used,
	       "shared anonymous: it stays shared when transparent tasks use it");
	free(frames);
}

static long job_map_hugetlb(const char *path, long bytes)
{
	void *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB, -1, 0);

	(void)path;
	if (memory == MAP_FAILED)
		return -errno;
	touch_pages((uintptr_t)memory, (size_t)bytes, true);
	return (long)memory;
}

static long job_unmap_huge(const char *path, long address)
{
	(void)path;
	return munmap((void *)address, HUGE_BYTES) ? -errno : 0;
}

/* Neither class's, and never evicted: of no interest to a daemon. */
static void test_hugetlb(void)
{
	uintptr_t memory;
	uint64_t *frames;
	long present = 0;

	if (access(HUGETLB_PAGES, F_OK)) {
		skip("hugetlb: not reported", "no CONFIG_HUGETLBFS");
		return;
	}
	write_number(HUGETLB_PAGES, HUGE_BYTES / HUGE_PAGE);
	check_equal(HUGE_BYTES / HUGE_PAGE, read_number(HUGETLB_PAGES), "hugetlb: pages are there");
	memory = (uintptr_t)worker_do(owner, job_map_hugetlb, "hugetlb", HUGE_BYTES);
	frames = worker_frames(owner, memory, HUGE_BYTES);
	for (long i = 0; i < HUGE_BYTES / page_size(); i++)
		present += frames[i] != 0;
	check_equal(HUGE_BYTES / page_size(), present, "hugetlb: it is mapped");
	check_equal(0, scan_count(&scene, frames, HUGE_BYTES / page_size(), 0, 0),
		    "hugetlb: not reported");
	worker_do(owner, job_unmap_huge, "hugetlb", (long)memory);
	check_equal(0, scan_count(&scene, frames, HUGE_BYTES / page_size(), 0, 0),
		    "hugetlb: nor while it is in reserve");
	write_number(HUGETLB_PAGES, 0);
	free(frames);
}

/* Memory of which page n is the same in every process. */
static long job_map_alike(const char *path, long bytes)
{
	char *memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)path;
	if (memory == MAP_FAILED || madvise(memory, (size_t)bytes, MADV_NOHUGEPAGE) ||
	    madvise(memory, (size_t)bytes, MADV_MERGEABLE))
		return -errno;
	for (long i = 0; i < bytes; i += page_size())
		*(long *)(memory + i) = ~i;
	return (long)memory;
}

static long job_unmap_range(const char *path, long address)
{
	(void)path;
	return munmap((void *)address, BYTES) ? -errno : 0;
}

/* Until each page has been looked at often enough to be taken for stable, and merged. */
static void merge_pages(void)
{
	long long turns = read_number(KSM "full_scans");

	must_write(KSM "pages_to_scan", "100000");
	must_write(KSM "sleep_millisecs", "0");
	must_write(KSM "run", "1");
	while (read_number(KSM "full_scans") < turns + 8)
		usleep(1000);
	must_write(KSM "run", "0");
}

static void test_ksm(void)
{
	uintptr_t owned, mapped;
	uint64_t *mine, *theirs;
	long same = 0;

	if (access(KSM "run", F_OK)) {
		skip("ksm: a merged page", "no CONFIG_KSM");
		return;
	}
	owned = (uintptr_t)worker_do(owner, job_map_alike, "mergeable memory", BYTES);
	mapped = (uintptr_t)worker_do(contribution, job_map_alike, "mergeable memory", BYTES);
	merge_pages();
	mine = worker_frames(owner, owned, BYTES);
	theirs = worker_frames(contribution, mapped, BYTES);
	for (long i = 0; i < nr; i++)
		same += mine[i] && mine[i] == theirs[i];
	check(nearly_all(same, nr), "ksm: pages are merged");
	start_afresh(&scene);
	worker_do(contribution, job_read_range, "mergeable memory", (long)mapped);
	expect(mine, 0, used, "ksm: a transparent use of a merged page does not count");
	worker_do(owner, job_read_range, "mergeable memory", (long)owned);
	expect(mine, used, 0, "ksm: an opaque use does");
	check_equal(0, scan_count(&scene, mine, nr, lent, TMM_FRAME_SHARED),
		    "ksm: no page that an opaque process maps too is transparent alone");
	worker_do(owner, job_unmap_range, "mergeable memory", (long)owned);
	worker_do(contribution, job_unmap_range, "mergeable memory", (long)mapped);
	must_write(KSM "run", "2");
	must_write(KSM "run", "0");
	free(mine);
	free(theirs);
}

/* Huge pages that are there stay, but what falls to pieces is not made one again. */
static long job_keep_pieces(const char *path, long address)
{
	(void)path;
	return madvise((void *)address, HUGE_BYTES, MADV_NOHUGEPAGE) ? -errno : 0;
}

/* The last base page of a huge page. */
static long job_discard_last(const char *path, long address)
{
	(void)path;
	return madvise((void *)(address + HUGE_PAGE - page_size()), (size_t)page_size(),
		       MADV_DONTNEED)
		       ? -errno
		       : 0;
}

/* A base page in the middle of a huge page. */
static long job_read_middle(const char *path, long address)
{
	(void)path;
	touch_pages((uintptr_t)address + HUGE_PAGE / 2, (size_t)page_size(), false);
	return 0;
}

static long job_read_half(const char *path, long address)
{
	(void)path;
	touch_pages((uintptr_t)address, HUGE_PAGE / 2, false);
	return 0;
}

static void split_huge(const struct worker *worker, uintptr_t address, long bytes)
{
	char command[64];

	snprintf(command, sizeof(command), "%d,0x%lx,0x%lx", worker->pid, (unsigned long)address,
		 (unsigned long)address + (unsigned long)bytes);
	must_write("/sys/kernel/debug/split_huge_pages", command);
}

static void test_huge(struct worker *worker, bool transparent)
{
	const char *whose = transparent ? "transparent" : "opaque";
	uint64_t charge = transparent ? lent : 0, reference = transparent ? 0 : used;
	long per_huge = HUGE_PAGE / page_size(), nr_huge = HUGE_BYTES / HUGE_PAGE;
	uintptr_t memory = worker_map_huge(worker, HUGE_BYTES);
	uint64_t *frames = worker_frames(worker, memory, HUGE_BYTES);
	struct snapshot snapshot;
	long large = 0;

	worker_do(worker, job_keep_pieces, "huge pages", (long)memory);
	start_afresh(&scene);
	check_equal(nr_huge,
		    scan_count(&scene, frames, nr_huge * per_huge, charge,
			       used | (lent ^ charge) | TMM_FRAME_SHARED),
		    "huge: %s, not used, not referenced", whose);
	worker_read_pages(worker, memory);
	check_equal(nr_huge,
		    scan_count(&scene, frames, nr_huge * per_huge, charge | reference,
			       used ^ reference),
		    "huge: %s, used", whose);

	/* the mapping falls to pieces, the page does not yet */
	worker_do(worker, job_discard_last, "a huge page", (long)memory);
	start_afresh(&scene);
	worker_do(worker, job_read_middle, "a huge page", (long)memory);
	check_equal(1, scan_count(&scene, frames, per_huge, charge | reference, used ^ reference),
		    "huge: %s, one of its base pages used after a part was unmapped", whose);
	snapshot_take(&snapshot, scene.device);
	for (long i = 0; i < per_huge; i++)
		large += snapshot.words[frames[i]] != 0 &&
			 TMM_FRAME_ORDER(snapshot.words[frames[i]]) == 9;
	check_equal(1, large, "huge: %s, with a part unmapped it is still one page", whose);
	check_equal(1, count_flags(&snapshot, frames, per_huge, charge, used),
		    "huge: %s, and not referenced any more", whose);
	snapshot_free(&snapshot);

	split_huge(worker, memory, HUGE_PAGE);
	check(nearly_all(scan_count(&scene, frames, per_huge, charge, used), per_huge),
	      "huge: %s, splitting it is not a use", whose);
	worker_do(worker, job_read_half, "a huge page", (long)memory);
	snapshot_take(&snapshot, scene.device);
	check(nearly_all(count_flags(&snapshot, frames, per_huge / 2, charge | reference,
				     used ^ reference),
			 per_huge / 2) &&
		      nearly_all(count_flags(&snapshot, frames + per_huge / 2, per_huge / 2, charge,
					     used),
				 per_huge / 2),
	      "huge: %s, after a split each base page has uses of its own", whose);
	snapshot_free(&snapshot);
	worker_unmap(worker, memory);
	free(frames);
}

/* The pages of a huge page's room become one. */
static long job_collapse(const char *path, long address)
{
	void *memory = (void *)address;

	(void)path;
	if (madvise(memory, HUGE_PAGE, MADV_HUGEPAGE) || madvise(memory, HUGE_PAGE, MADV_COLLAPSE))
		return -errno;
	return 0;
}

static long job_read_first(const char *path, long address)
{
	(void)path;
	touch_pages((uintptr_t)address, (size_t)page_size(), false);
	return 0;
}

static void test_collapse(struct worker *worker, bool transparent, bool use)
{
	const char *whose = transparent ? "transparent" : "opaque";
	uint64_t charge = transparent ? lent : 0, reference = transparent || !use ? 0 : used;
	uintptr_t memory = worker_map_anon(worker, HUGE_PAGE);
	struct snapshot snapshot;
	uint64_t *frames;
	uint64_t word;

	start_afresh(&scene);
	if (use)
		worker_do(worker, job_read_first, "a page", (long)memory);
	check_equal(0, worker_do(worker, job_collapse, "a huge page", (long)memory),
		    "collapse: %s, pages become a huge one", whose);
	frames = worker_frames(worker, memory, HUGE_PAGE);
	snapshot_take(&snapshot, scene.device);
	word = snapshot.words[frames[0]];
	check_equal(9, TMM_FRAME_ORDER(word), "collapse: %s, which is huge", whose);
	check_equal((long long)(charge | reference),
		    (long long)(word & (used | lent | TMM_FRAME_SHARED)), "collapse: %s, %s", whose,
		    use ? "a use of one page is one of all" : "it is not a use");
	snapshot_free(&snapshot);
	worker_unmap(worker, memory);
	free(frames);
}

void attribution_suite(void)
{
	void *shared = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		bail_out("mmap");
	nr = BYTES / page_size();
	scene_begin(&scene);
	test_unmapped_file(owner, false);
	test_unmapped_file(contribution, true);
	test_first_read();
	test_use_before_unmap();
	test_shmem();
	test_shared_anon((uintptr_t)shared);
	test_hugetlb();
	test_ksm();
	test_huge(owner, false);
	test_huge(contribution, true);
	test_collapse(owner, false, false);
	test_collapse(owner, false, true);
	test_collapse(contribution, true, false);
	test_collapse(contribution, true, true);
	scene_end(&scene);
	munmap(shared, BYTES);
}
