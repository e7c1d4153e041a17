/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What tests of the scanner have in common: the owner of the machine and a contribution, each a
 * process in a cgroup of its class, and the open device.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include "guest.h"
#include "worker.h"

#include <stdbool.h>
#include <stdint.h>

struct scene {
	int device;
	struct cgroup opaque, transparent;
	struct worker owner, contribution;
};

void scene_begin(struct scene *scene);
void scene_end(struct scene *scene);

/* Scans; what was used since the last scan is forgotten. */
void start_afresh(const struct scene *scene);

/* Scans; how many of the frames have all flags of `set` and none of `clear`. */
long scan_count(const struct scene *scene, const uint64_t *frames, long nr, uint64_t set,
		uint64_t clear);

/* Pages may be isolated: a few of them are missing. */
bool nearly_all(long count, long nr);

/* Scans, and checks that nearly all of the frames have the flags of `set` and none of `clear`. */
bool check_scan(const struct scene *scene, const uint64_t *frames, long nr, uint64_t set,
		uint64_t clear, const char *name, ...) __printf(6, 7);
