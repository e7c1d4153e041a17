// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of what /dev/tmm-mapped reports.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <linux/tmm.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#define FILE_PATH "mapped-test-file"
#define BYTES (4 * MIB)

static long nr;

static long count_now(const uint64_t *frames, uint64_t set, uint64_t clear)
{
	struct words words = mapped_scan(0);
	long count = count_in(&words, frames, nr, set, clear);

	words_forget(&words);
	return count;
}

static void test_anon(void)
{
	uintptr_t owned = worker_map_anon(&mapped.owner, BYTES),
		  lent = worker_map_anon(&mapped.contribution, BYTES),
		  deep = worker_map_anon(&mapped.nested, BYTES);
	uint64_t *mine = worker_frames(&mapped.owner, owned, BYTES),
		 *theirs = worker_frames(&mapped.contribution, lent, BYTES),
		 *deeper = worker_frames(&mapped.nested, deep, BYTES);

	check(nearly(nr, count_now(mine, TMM_FRAME_REF, TMM_FRAME_CLASS | TMM_FRAME_FILE)),
	      "new opaque memory is referenced");
	check(nearly(nr, count_now(mine, 0, TMM_FRAME_REF)), "it is not, if it is not used again");
	worker_read_pages(&mapped.owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_REF, 0)), "it is, if it is read");
	worker_write_pages(&mapped.owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_REF, 0)), "and if it is written");
	check_equal(0, count_now(theirs, 0, 0), "memory of transparent processes is not reported");
	check_equal(0, count_now(deeper, 0, 0), "nor that of processes in cgroups below");
	worker_lock(&mapped.owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_UNEVICTABLE, 0)),
	      "locked memory is unevictable");
	worker_unmap(&mapped.owner, owned);
	worker_unmap(&mapped.contribution, lent);
	worker_unmap(&mapped.nested, deep);
	free(mine);
	free(theirs);
	free(deeper);
}

/* Of a file that two opaque processes and a transparent one map. */
static void test_file(void)
{
	uintptr_t first, second, lent;
	struct worker other;
	struct words words;
	uint64_t *frames;
	long looked;

	worker_start(&other, &mapped.opaque);
	worker_write_file(&mapped.owner, FILE_PATH, BYTES);
	lent = worker_map_file(&mapped.contribution, FILE_PATH);
	frames = worker_frames(&mapped.contribution, lent, BYTES);
	check_equal(0, count_now(frames, 0, 0),
		    "a file that only transparent processes map is not reported");
	first = worker_map_file(&mapped.owner, FILE_PATH);
	second = worker_map_file(&other, FILE_PATH);
	check(nearly(nr, count_now(frames, TMM_FRAME_FILE | TMM_FRAME_REF, 0)),
	      "a mapped file is referenced");
	worker_read_pages(&mapped.contribution, lent);
	check(nearly(nr, count_now(frames, TMM_FRAME_FILE, TMM_FRAME_REF)),
	      "a transparent mapping's use does not count");
	worker_read_pages(&other, second);
	check(nearly(nr, count_now(frames, TMM_FRAME_REF, 0)),
	      "the use of one of two opaque processes does");

	words = mapped_scan(3);
	looked = count_in(&words, frames, nr, 0, 0);
	check_equal(nr / 8, looked, "both processes look at the same page of each block");
	words_forget(&words);
	worker_unmap(&mapped.owner, first);
	worker_unmap(&other, second);
	worker_unmap(&mapped.contribution, lent);
	worker_stop(&other);
	free(frames);
	unlink(FILE_PATH);
}

/* How many frames of the memory were among those before. told: with another tag. */
static long count_recycled(const uint64_t *before, const struct words *then, uintptr_t memory,
			   long bytes, long *told)
{
	uint64_t *after = worker_frames(&mapped.owner, memory, bytes);
	struct words now = mapped_scan(0);
	long recycled = 0;

	for (long i = 0; i < bytes / page_size(); i++) {
		uint64_t was = then->by_frame[after[i]], is = now.by_frame[after[i]];

		for (long j = 0; j < nr; j++) {
			if (before[j] != after[i] || !was || !is)
				continue;
			recycled++;
			*told += TMM_FRAME_TAG(was) != TMM_FRAME_TAG(is);
		}
	}
	words_forget(&now);
	free(after);
	return recycled;
}

static void test_tags(void)
{
	enum { TURNS = 16 };
	uintptr_t memory = worker_map_anon(&mapped.owner, BYTES), above[TURNS];
	uint64_t *before = worker_frames(&mapped.owner, memory, BYTES);
	struct words first = mapped_scan(0), second = mapped_scan(0);
	long same = 0, recycled = 0, told = 0;
	int turns = 0;

	for (long i = 0; i < nr; i++)
		same += TMM_FRAME_TAG(first.by_frame[before[i]]) ==
			TMM_FRAME_TAG(second.by_frame[before[i]]);
	check(nearly(nr, same), "a page keeps its tag");
	worker_unmap(&mapped.owner, memory);
	/*
	 * Above, so that no index is the same. The frames may be kept for a processor that the
	 * owner no longer runs on.
	 */
	while (!recycled && turns < TURNS) {
		above[turns] = worker_map_anon(&mapped.owner, 8 * BYTES);
		recycled = count_recycled(before, &first, above[turns++], 8 * BYTES, &told);
	}
	diag("%ld of %ld frames were recycled in %d turns, %ld with another tag", recycled, nr,
	     turns, told);
	check(recycled > 0 && told >= recycled - 1 - recycled / 100,
	      "a recycled frame has another tag");
	while (turns > 0)
		worker_unmap(&mapped.owner, above[--turns]);
	words_forget(&first);
	words_forget(&second);
	free(before);
}

static void test_huge(void)
{
	long bytes = 8 * MIB, huge = 0, parts = 0, pages = bytes / page_size(),
	     per_huge = 2 * MIB / page_size();
	uintptr_t memory = worker_map_huge(&mapped.owner, bytes);
	uint64_t *frames = worker_frames(&mapped.owner, memory, bytes);
	struct words words = mapped_scan(4);

	for (long i = 0; i < pages; i++) {
		uint64_t word = words.by_frame[frames[i]];

		if (i % per_huge == 0)
			huge += TMM_FRAME_ORDER(word) == 9 && (word & TMM_FRAME_REF);
		else
			parts += word != 0;
	}
	check_equal(bytes / (2 * MIB), huge, "huge pages have order 9");
	check_equal(0, parts, "they are reported by their first frame");
	words_forget(&words);
	words = mapped_scan(4);
	check_equal(0, count_in(&words, frames, pages, TMM_FRAME_REF, 0),
		    "and are not referenced if not used again");
	words_forget(&words);
	worker_read_pages(&mapped.owner, memory);
	words = mapped_scan(4);
	check_equal(bytes / (2 * MIB), count_in(&words, frames, pages, TMM_FRAME_REF, 0),
		    "and are if they are");
	words_forget(&words);
	worker_unmap(&mapped.owner, memory);
	free(frames);
}

static void on_alarm(int number)
{
	(void)number;
}

/* A signal ends a call; the scan goes on behind what it has found. */
static void test_signals(void)
{
	uintptr_t memory = worker_map_anon(&mapped.owner, 64 * MIB);
	long pages = 64 * MIB / page_size(), found;
	uint64_t *frames = worker_frames(&mapped.owner, memory, 64 * MIB);
	struct itimerval timer = { .it_interval.tv_usec = 500, .it_value.tv_usec = 500 };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct words words;

	sigaction(SIGALRM, &action, NULL);
	start_afresh();
	worker_read_pages(&mapped.owner, memory);
	setitimer(ITIMER_REAL, &timer, NULL);
	words = mapped_scan(0);
	timer = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &timer, NULL);
	found = count_in(&words, frames, pages, TMM_FRAME_REF, 0);
	check(nearly(pages, found), "a scan that signals interrupt finds all");
	words_forget(&words);
	worker_unmap(&mapped.owner, memory);
	free(frames);
}

void reports_suite(void)
{
	nr = BYTES / page_size();
	test_anon();
	test_file();
	test_tags();
	test_huge();
	test_signals();
}
