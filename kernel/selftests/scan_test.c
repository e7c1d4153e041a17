// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scanner: the lattice of frames that it looks at, and whose uses it reports.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "scene.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-scan"
#define IDLE_FILE "tmm-test-scan-idle"
#define BYTES (4 * MIB)

static struct scene scene;
static long nr;

static bool most(long count)
{
	return nearly_all(count, nr);
}

static long count_now(const uint64_t *frames, uint64_t set, uint64_t clear)
{
	return scan_count(&scene, frames, nr, set, clear);
}

static void test_anon(void)
{
	uintptr_t owned = worker_map_anon(&scene.owner, BYTES),
		  lent = worker_map_anon(&scene.contribution, BYTES);
	uint64_t *mine = worker_frames(&scene.owner, owned, BYTES),
		 *theirs = worker_frames(&scene.contribution, lent, BYTES);
	const uint64_t all_flags =
		TMM_FRAME_REF | TMM_FRAME_CLASS | TMM_FRAME_SHARED | TMM_FRAME_FILE;

	check(most(count_now(mine, TMM_FRAME_REF, TMM_FRAME_CLASS | TMM_FRAME_FILE)),
	      "scan: new opaque memory is referenced");
	check(most(count_now(mine, 0, all_flags)), "scan: it is not, if it is not used again");
	worker_read_pages(&scene.owner, owned);
	worker_write_pages(&scene.contribution, lent);
	check(most(count_now(mine, TMM_FRAME_REF, 0)), "scan: it is, if it is read");
	worker_write_pages(&scene.owner, owned);
	check(most(count_now(mine, TMM_FRAME_REF, 0)), "scan: and if it is written");

	worker_write_pages(&scene.contribution, lent);
	check(most(count_now(theirs, TMM_FRAME_CLASS,
			     TMM_FRAME_REF | TMM_FRAME_SHARED | TMM_FRAME_FILE)),
	      "scan: transparent memory that transparent tasks use is not referenced");

	if (multi_gen_lru()) {
		start_afresh(&scene);
		worker_write_pages(&scene.owner, owned);
		worker_write_pages(&scene.contribution, lent);
		cgroup_age(&scene.opaque);
		cgroup_age(&scene.transparent);
		check(most(count_now(mine, TMM_FRAME_REF, 0)),
		      "scan: a use is not lost if the aging comes first");
		worker_write_pages(&scene.contribution, lent);
		cgroup_age(&scene.transparent);
		check(most(count_now(theirs, TMM_FRAME_CLASS, TMM_FRAME_REF)),
		      "scan: and a transparent use is not counted then");
	}

	worker_lock(&scene.owner, owned);
	check(most(count_now(mine, TMM_FRAME_UNEVICTABLE, TMM_FRAME_CLASS)),
	      "scan: locked memory is unevictable");
	worker_unmap(&scene.owner, owned);
	worker_unmap(&scene.contribution, lent);
	free(mine);
	free(theirs);
}

/* A file of the owner's. */
static void test_opaque_file(void)
{
	uintptr_t owned, lent;
	uint64_t *frames;
	struct snapshot quiet, by_read, by_write, read_ahead;
	long count;

	worker_write_file(&scene.owner, FILE_PATH, BYTES);
	start_afresh(&scene);
	worker_read_file(&scene.contribution, FILE_PATH);
	snapshot_take(&quiet, scene.device);
	worker_read_file(&scene.owner, FILE_PATH);
	snapshot_take(&by_read, scene.device);
	worker_write_file(&scene.owner, FILE_PATH, BYTES);
	snapshot_take(&by_write, scene.device);

	/* only now somebody maps it, so that its frames can be found */
	lent = worker_map_file(&scene.contribution, FILE_PATH);
	frames = worker_frames(&scene.contribution, lent, BYTES);
	count = count_flags(&quiet, frames, nr, TMM_FRAME_FILE,
			    TMM_FRAME_REF | TMM_FRAME_CLASS | TMM_FRAME_SHARED);
	check(most(count), "scan: an opaque file that transparent tasks read() is not referenced");
	count = count_flags(&by_read, frames, nr, TMM_FRAME_FILE | TMM_FRAME_REF, TMM_FRAME_CLASS);
	check(most(count), "scan: it is, if opaque tasks read() it");
	count = count_flags(&by_write, frames, nr, TMM_FRAME_REF, 0);
	check(most(count), "scan: or write() it");

	worker_read_pages(&scene.contribution, lent);
	check(most(count_now(frames, TMM_FRAME_FILE, TMM_FRAME_REF)),
	      "scan: a transparent mapping's use does not count");
	owned = worker_map_file(&scene.owner, FILE_PATH);
	start_afresh(&scene);
	worker_read_pages(&scene.owner, owned);
	check(most(count_now(frames, TMM_FRAME_REF, TMM_FRAME_CLASS | TMM_FRAME_SHARED)),
	      "scan: an opaque mapping's does");
	worker_unmap(&scene.contribution, lent);
	worker_unmap(&scene.owner, owned);
	free(frames);

	drop_file(FILE_PATH);
	worker_read_ahead(&scene.owner, FILE_PATH);
	snapshot_take(&read_ahead, scene.device);
	lent = worker_map_file(&scene.contribution, FILE_PATH);
	frames = worker_frames(&scene.contribution, lent, BYTES);
	check(most(count_flags(&read_ahead, frames, nr, TMM_FRAME_FILE, TMM_FRAME_REF)),
	      "scan: pages that were read ahead and not used are not referenced");
	worker_unmap(&scene.contribution, lent);
	free(frames);
	snapshot_free(&quiet);
	snapshot_free(&by_read);
	snapshot_free(&by_write);
	snapshot_free(&read_ahead);
	unlink(FILE_PATH);
}

/* A file that the contribution came to first. */
static void test_transparent_file(void)
{
	const uint64_t shared = TMM_FRAME_CLASS | TMM_FRAME_SHARED;
	uintptr_t owned, lent;
	uint64_t *frames;

	worker_write_file(&scene.contribution, FILE_PATH, BYTES);
	lent = worker_map_file(&scene.contribution, FILE_PATH);
	frames = worker_frames(&scene.contribution, lent, BYTES);
	check(most(count_now(frames, TMM_FRAME_CLASS | TMM_FRAME_FILE,
			     TMM_FRAME_REF | TMM_FRAME_SHARED)),
	      "scan: a transparent file is not referenced by transparent uses");
	owned = worker_map_file(&scene.owner, FILE_PATH);
	worker_read_pages(&scene.contribution, lent);
	check(most(count_now(frames, shared | TMM_FRAME_REF, 0)),
	      "scan: it is referenced and shared if both use it");
	worker_read_pages(&scene.contribution, lent);
	check(most(count_now(frames, shared, TMM_FRAME_REF)),
	      "scan: it stays shared while transparent tasks use it alone");
	worker_unmap(&scene.owner, owned);
	start_afresh(&scene);
	worker_read_file(&scene.owner, FILE_PATH);
	check(most(count_now(frames, shared | TMM_FRAME_REF, 0)),
	      "scan: an opaque read() of a shared file counts");
	worker_unmap(&scene.contribution, lent);
	free(frames);
	unlink(FILE_PATH);
}

static void test_tags(void)
{
	uintptr_t memory = worker_map_anon(&scene.owner, BYTES);
	uint64_t *before = worker_frames(&scene.owner, memory, BYTES), *after;
	struct snapshot first, second, third;
	long same = 0, recycled = 0, told = 0;

	snapshot_take(&first, scene.device);
	snapshot_take(&second, scene.device);
	for (long i = 0; i < nr; i++)
		same += first.words[before[i]] && TMM_FRAME_TAG(first.words[before[i]]) ==
							  TMM_FRAME_TAG(second.words[before[i]]);
	check(most(same), "scan: a page keeps its tag");

	worker_unmap(&scene.owner, memory);
	memory = worker_map_anon(&scene.owner, 8 * BYTES);
	after = worker_frames(&scene.owner, memory, 8 * BYTES);
	snapshot_take(&third, scene.device);
	for (long i = 0; i < 8 * nr; i++) {
		for (long j = 0; j < nr; j++) {
			if (after[i] != before[j] || !first.words[before[j]] ||
			    !third.words[after[i]])
				continue;
			recycled++;
			told += TMM_FRAME_TAG(first.words[before[j]]) !=
				TMM_FRAME_TAG(third.words[after[i]]);
		}
	}
	diag("%ld of %ld frames were recycled, %ld with another tag", recycled, nr, told);
	check(recycled > 0, "scan: frames were recycled");
	/* 16 bits: about one in 65,536 is the same by chance */
	check(told >= recycled - 1 - recycled / 100, "scan: a recycled frame has another tag");
	worker_unmap(&scene.owner, memory);
	snapshot_free(&first);
	snapshot_free(&second);
	snapshot_free(&third);
	free(before);
	free(after);
}

static void test_huge(void)
{
	long bytes = 8 * MIB, huge = 0, parts = 0, per_huge = 2 * MIB / page_size();
	uintptr_t memory = worker_map_huge(&scene.owner, bytes);
	uint64_t *frames = worker_frames(&scene.owner, memory, bytes);
	struct snapshot snapshot;

	snapshot_take(&snapshot, scene.device);
	for (long i = 0; i < bytes / page_size(); i++) {
		uint64_t word = snapshot.words[frames[i]];

		if (i % per_huge == 0)
			huge += TMM_FRAME_ORDER(word) == 9 && (word & TMM_FRAME_REF);
		else
			parts += word != 0;
	}
	check_equal(bytes / (2 * MIB), huge, "scan: huge pages have order 9");
	check_equal(0, parts, "scan: they are reported once, by their first frame");
	snapshot_free(&snapshot);
	worker_unmap(&scene.owner, memory);
	free(frames);
}

static uintptr_t map_clean_file(const char *path, long bytes)
{
	uintptr_t memory;

	worker_write_file(&scene.owner, path, bytes);
	drop_file(path);
	memory = worker_map_file(&scene.owner, path);
	worker_forget_uses(&scene.owner);
	return memory;
}

/*
 * Reclaim must not miss the uses that the scanner has taken out of the page tables. Clean files go
 * at once: of memory that has to be written first, all might go before the first page is free.
 */
static void test_reclaim_after_scan(void)
{
	long bytes = 32 * MIB, pages = bytes / page_size(), lost_used, lost_idle;
	uintptr_t in_use = map_clean_file(FILE_PATH, bytes),
		  idle = map_clean_file(IDLE_FILE, bytes);

	worker_read_pages(&scene.owner, in_use);
	start_afresh(&scene);
	write_number(cgroup_file(&scene.opaque, "memory.reclaim"), bytes * 3 / 4);
	lost_used = pages - resident_pages(FILE_PATH);
	lost_idle = pages - resident_pages(IDLE_FILE);
	diag("scan: reclaim took %ld pages in use and %ld idle ones", lost_used, lost_idle);
	check(lost_idle > pages / 2, "scan: reclaim takes idle memory");
	check(lost_used < pages / 20, "scan: and not what was in use before the scan");
	worker_unmap(&scene.owner, in_use);
	worker_unmap(&scene.owner, idle);
	unlink(FILE_PATH);
	unlink(IDLE_FILE);
}

/* There has to be enough memory in use for a sample to be like the whole. */
static void test_lattice(void)
{
	uintptr_t memory = worker_map_anon(&scene.owner, 64 * MIB);

	scan_lattice_tests(scene.device);
	worker_unmap(&scene.owner, memory);
}

void scan_suite(void)
{
	nr = BYTES / page_size();
	scene_begin(&scene);
	test_lattice();
	test_anon();
	test_opaque_file();
	test_transparent_file();
	test_tags();
	test_huge();
	test_reclaim_after_scan();
	scene_end(&scene);
}
