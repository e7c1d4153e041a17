// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "random.h"

#include "tap.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct random random_source(uint64_t seed, unsigned int stream)
{
	return (struct random){.state = seed * 0x100000001b3ULL + stream};
}

/* splitmix64 */
uint64_t random_bits(struct random *random)
{
	uint64_t bits = random->state += 0x9e3779b97f4a7c15ULL;

	bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9ULL;
	bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebULL;
	return bits ^ (bits >> 31);
}

uint64_t random_below(struct random *random, uint64_t limit)
{
	return random_bits(random) % limit;
}

bool random_once_in(struct random *random, unsigned int n)
{
	return random_below(random, n) == 0;
}

uint64_t environment_number(const char *name, uint64_t otherwise)
{
	const char *text = getenv(name);
	uint64_t number;
	char *end;

	if (!text)
		return otherwise;
	number = strtoull(text, &end, 0);
	if (end == text || *end) {
		errno = EINVAL;
		bail_out("%s is \"%s\"", name, text);
	}
	return number;
}

double now_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
