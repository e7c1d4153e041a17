// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lattice of frames that a scan looks at. Memory changes between two scans, so few differences
 * are allowed.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "suites.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/ioctl.h>

/* All words of a scan, asked for in portions. Returns their number. */
static long scan_in_portions(int device, uint64_t *vec, unsigned int shift, uint64_t seed,
			     uint64_t portion)
{
	struct tmm_scan scan = whole_scan(vec, portion);
	uint64_t end = end_of_memory(device);
	long total = 0, got;

	scan.shift = shift;
	scan.seed = seed;
	do {
		scan.vec = (uintptr_t)(vec + total);
		got = ioctl(device, TMM_SCAN, &scan);
		if (got < 0)
			bail_out("cannot scan");
		total += got;
		scan.start_pfn = scan.walk_end;
	} while (scan.walk_end < end);
	return total;
}

/* Frames that are in both, of words in the order of their frames. */
static long in_common(const uint64_t *a, long nr_a, const uint64_t *b, long nr_b)
{
	long count = 0;

	for (long i = 0, j = 0; i < nr_a && j < nr_b;) {
		uint64_t left = TMM_FRAME_PFN(a[i]), right = TMM_FRAME_PFN(b[j]);

		count += left == right;
		i += left <= right;
		j += right <= left;
	}
	return count;
}

void scan_lattice_tests(int device)
{
	uint64_t end = end_of_memory(device);
	uint64_t *all = calloc(end, 8), *some = calloc(end, 8), *again = calloc(end, 8),
		 *other = calloc(end, 8);
	long nr_all = scan_in_portions(device, all, 0, 0, end), nr_some, nr_again, nr_other,
	     ordered = 0, alone = 0, expected = 0;
	long nr_portions = scan_in_portions(device, again, 0, 0, 1000);

	for (long i = 1; i < nr_all; i++)
		ordered += TMM_FRAME_PFN(all[i]) >=
			   TMM_FRAME_PFN(all[i - 1]) + (1ULL << TMM_FRAME_ORDER(all[i - 1]));
	check_equal(nr_all - 1, ordered, "lattice: folios come in order, none twice");
	check(labs(nr_all - nr_portions) < nr_all / 20,
	      "lattice: a scan in portions finds as many");
	check(in_common(all, nr_all, again, nr_portions) > nr_all * 95 / 100,
	      "lattice: and the same");

	/* one in 16: folios larger than a block are found for sure, others by their share of it */
	nr_some = scan_in_portions(device, some, 4, 7, end);
	nr_again = scan_in_portions(device, again, 4, 7, 33);
	nr_other = scan_in_portions(device, other, 4, 8, end);
	for (long i = 0; i < nr_all; i++)
		expected += TMM_FRAME_ORDER(all[i]) >= 4 ? 16 : 1 << TMM_FRAME_ORDER(all[i]);
	expected /= 16;
	for (long i = 0; i < nr_some; i++)
		alone += i == 0 || TMM_FRAME_PFN(some[i]) >> 4 != TMM_FRAME_PFN(some[i - 1]) >> 4;
	diag("%ld folios in all, %ld in the sample, %ld expected", nr_all, nr_some, expected);
	check_equal(nr_some, alone, "lattice: no more than one frame in a block");
	check(labs(nr_some - expected) < expected / 4,
	      "lattice: the sample has the size that is asked for");
	check(in_common(some, nr_some, again, nr_again) > nr_some * 95 / 100,
	      "lattice: the same seed looks at the same frames");
	check(in_common(some, nr_some, other, nr_other) < nr_some / 2,
	      "lattice: another seed looks at others");
	free(all);
	free(some);
	free(again);
	free(other);
}
