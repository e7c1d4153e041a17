/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/tmm, as a daemon uses it.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include <linux/tmm.h>
#include <stdint.h>

#define TMM_DEVICE "/dev/tmm"

/* The words of a scan of all memory, by page frame; 0 where the scan reported nothing. */
struct snapshot {
	uint64_t *words;
	uint64_t nr_frames;
	long reported;
};

int device_open(void);

/* Looks at each page frame, and leaves all pages unreferenced. */
void snapshot_take(struct snapshot *snapshot, int device);
void snapshot_free(struct snapshot *snapshot);

/* How many of the frames were reported with all of the flags of `set`, and none of `clear`. */
long count_flags(const struct snapshot *snapshot, const uint64_t *frames, long nr, uint64_t set,
		 uint64_t clear);

/*
 * The same in pages: a large folio is reported once, by its first frame. The page cache of Linux
 * 7.3 has them on ext4 as well.
 */
long count_pages(const struct snapshot *snapshot, const uint64_t *frames, long nr, uint64_t set,
		 uint64_t clear);

/* The end of memory as the kernel clamps it. */
uint64_t end_of_memory(int device);

/* A request for all of memory with shift 0 into vec. */
struct tmm_scan whole_scan(uint64_t *vec, uint64_t vec_len);
