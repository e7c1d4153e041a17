/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "device.h"

#include "tap.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
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

void snapshot_take(struct snapshot *snapshot, int device)
{
	uint64_t nr = end_of_memory(device);
	uint64_t *vec = calloc(nr, sizeof(*vec));
	struct tmm_scan scan = whole_scan(vec, nr);
	long got = ioctl(device, TMM_SCAN, &scan);

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

long count_flags(const struct snapshot *snapshot, const uint64_t *frames, long nr, uint64_t set,
		 uint64_t clear)
{
	long count = 0;

	for (long i = 0; i < nr; i++) {
		uint64_t word = frames[i] < snapshot->nr_frames ? snapshot->words[frames[i]] : 0;

		count += word && (word & set) == set && !(word & clear);
	}
	return count;
}
