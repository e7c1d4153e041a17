/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What fuzz_test.c and stress_test.c do at random, again if it is asked for: with the same seed the
 * same numbers come.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
	uint64_t state;
};

/* Number `stream` of the independent sources that a seed has. */
struct random random_source(uint64_t seed, unsigned int stream);
uint64_t random_bits(struct random *random);
/* 0 to limit - 1. */
uint64_t random_below(struct random *random, uint64_t limit);
/* True once in n times. */
bool random_once_in(struct random *random, unsigned int n);

#define RANDOM_OF(random, values) \
	((values)[random_below((random), sizeof(values) / sizeof((values)[0]))])

/* The number in the environment, or else the one given. */
uint64_t environment_number(const char *name, uint64_t otherwise);

/* Seconds of a clock that nobody sets. */
double now_seconds(void);
