/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of /dev/tmm-mapped have in common: the owner of the machine and a contribution, each a
 * process in a cgroup of its class, and the open device.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include "guest.h"
#include "worker.h"

#include <linux/tmm_mapped.h>
#include <stdbool.h>
#include <stdint.h>

#define DEVICE "/dev/tmm-mapped"

/* A process of the contribution is in a cgroup below its own, too. */
struct mapped {
	int device;
	struct cgroup opaque, transparent, below;
	struct worker owner, contribution, nested;
	uint64_t transparent_id;
};

extern struct mapped mapped;

/* Words by page frame, 0 where nothing was reported; of several for a frame their flags. */
struct words {
	uint64_t *by_frame;
	uint64_t nr_frames;
	long reported;
	long frames;
};

/* A request for all that opaque processes map, which puts TMM_MAPPED_VEC_MAX words into vec. */
struct tmm_mapped_scan mapped_request(uint64_t *vec, uint32_t shift);

/* Scans; what was used since the last scan is forgotten. */
struct words mapped_scan(uint32_t shift);
void words_forget(struct words *words);
void start_afresh(void);

/* How many of the frames have all flags of `set` and none of `clear`. */
long count_in(const struct words *words, const uint64_t *frames, long nr, uint64_t set,
	      uint64_t clear);

/* Pages may be isolated: a few of them are missing. */
bool nearly(long expected, long count);

/* The groups of tests. */
void requests_suite(void);
void reports_suite(void);
void reclaim_suite(void);
void accuracy_suite(void);
/* Closes the device, and unloads the module so often. */
void unload_suite(const char *module, long rounds);
