// SPDX-License-Identifier: GPL-2.0-only
/*
 * Scans of /dev/tmm-mapped.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"

#include "tap.h"

#include <linux/tmm.h>
#include <stdlib.h>
#include <sys/ioctl.h>

struct mapped mapped;

struct tmm_mapped_scan mapped_request(uint64_t *vec, uint32_t shift)
{
	return (struct tmm_mapped_scan){
		.size = sizeof(struct tmm_mapped_scan),
		.seed = 42,
		.vec = (uintptr_t)vec,
		.vec_len = TMM_MAPPED_VEC_MAX,
		.cgroups = (uintptr_t)&mapped.transparent_id,
		.nr_cgroups = 1,
		.shift = shift,
	};
}

struct words mapped_scan(uint32_t shift)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];
	struct tmm_mapped_scan scan = mapped_request(vec, shift);
	struct words words = { .nr_frames = 1UL << 22 };

	words.by_frame = calloc(words.nr_frames, sizeof(uint64_t));
	while (scan.walk_pid != TMM_MAPPED_END) {
		int got = ioctl(mapped.device, TMM_MAPPED_SCAN, &scan);

		if (got < 0 || !words.by_frame)
			bail_out("cannot scan");
		words.reported += got;
		for (int i = 0; i < got; i++) {
			uint64_t *word = &words.by_frame[TMM_FRAME_PFN(vec[i])];

			words.frames += !*word;
			*word |= vec[i];
		}
	}
	return words;
}

void words_forget(struct words *words)
{
	free(words->by_frame);
	words->by_frame = NULL;
}

void start_afresh(void)
{
	struct words words = mapped_scan(0);

	words_forget(&words);
}

long count_in(const struct words *words, const uint64_t *frames, long nr,
	      uint64_t set, uint64_t clear)
{
	long count = 0;

	for (long i = 0; i < nr; i++) {
		uint64_t word = frames[i] ? words->by_frame[frames[i]] : 0;

		count += word && (word & set) == set && !(word & clear);
	}
	return count;
}

bool nearly(long expected, long count)
{
	if (count != expected)
		diag("%ld of %ld", count, expected);
	return labs(count - expected) <= expected / 100;
}
