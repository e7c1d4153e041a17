// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "device.h"

#include "tap.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

int device_open(void)
{
	int device = open(TMM_DEVICE, O_RDWR | O_CLOEXEC);

	if (device < 0)
		bail_out("cannot open " TMM_DEVICE);
	return device;
}

struct tmm_scan whole_scan(uint64_t *vec, uint64_t vec_len)
{
	return (struct tmm_scan){
		.size = sizeof(struct tmm_scan),
		.end_pfn = ~0ULL,
		.vec = (uintptr_t)vec,
		.vec_len = vec_len,
	};
}

uint64_t end_of_memory(int device)
{
	uint64_t word;
	struct tmm_scan scan = whole_scan(&word, 1);

	scan.start_pfn = ~0ULL;
	if (ioctl(device, TMM_SCAN, &scan) != 0)
		bail_out("cannot find out the end of memory");
	return scan.walk_end;
}

/* Puts what waits in the batches of processors on the LRU lists: MADV_COLD drains its own. */
static void drain_batches(void)
{
	cpu_set_t all, one;
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED || sched_getaffinity(0, sizeof(all), &all))
		bail_out("cannot drain the batches");
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &all))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one) || madvise(page, 1, MADV_COLD))
			bail_out("cannot drain the batches");
	}
	sched_setaffinity(0, sizeof(all), &all);
	munmap(page, (size_t)sysconf(_SC_PAGESIZE));
}

void snapshot_take(struct snapshot *snapshot, int device)
{
	uint64_t nr = end_of_memory(device);
	uint64_t *vec = calloc(nr, sizeof(*vec));
	struct tmm_scan scan = whole_scan(vec, nr);
	long got;

	drain_batches();
	got = ioctl(device, TMM_SCAN, &scan);
	snapshot->nr_frames = nr;
	snapshot->words = calloc(nr, sizeof(*vec));
	if (got < 0 || !vec || !snapshot->words)
		bail_out("cannot scan memory");
	snapshot->reported = got;
	for (long i = 0; i < got; i++)
		snapshot->words[TMM_FRAME_PFN(vec[i])] = vec[i];
	free(vec);
}

void snapshot_free(struct snapshot *snapshot)
{
	free(snapshot->words);
	snapshot->words = NULL;
}

/* The word of a frame, if it has all flags of `set` and none of `clear`, else 0. */
static uint64_t word_with(const struct snapshot *snapshot, uint64_t frame, uint64_t set,
			  uint64_t clear)
{
	uint64_t word = frame < snapshot->nr_frames ? snapshot->words[frame] : 0;

	return (word & set) == set && !(word & clear) ? word : 0;
}

long count_flags(const struct snapshot *snapshot, const uint64_t *frames, long nr, uint64_t set,
		 uint64_t clear)
{
	long count = 0;

	for (long i = 0; i < nr; i++)
		count += word_with(snapshot, frames[i], set, clear) != 0;
	return count;
}

long count_pages(const struct snapshot *snapshot, const uint64_t *frames, long nr, uint64_t set,
		 uint64_t clear)
{
	long count = 0;

	for (long i = 0; i < nr; i++) {
		uint64_t word = word_with(snapshot, frames[i], set, clear);

		count += word ? 1L << TMM_FRAME_ORDER(word) : 0;
	}
	return count;
}
