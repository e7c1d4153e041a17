/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * tmm-kernel-bench ROUNDS NAME...: runs the benchmarks named. See bench.h.
 */
#include "bench.h"

#include "../selftests/tap.h"
#include "../selftests/guest.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*run)(int rounds);
} benches[] = {
	{"scan", scan_bench},	  {"reclaim", reclaim_bench}, {"fault", fault_bench},
	{"futile", futile_bench}, {"small", small_bench},     {"aging", aging_bench},
};

static const char *running;

void result(const char *variant, int round, const char *metric, double value)
{
	printf("%s,%s,%d,%s,%.17g\n", running, variant, round, metric, value);
	fflush(stdout);
}

static int64_t clock_ns(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return time.tv_sec * 1000000000LL + time.tv_nsec;
}

struct watch watch_start(void)
{
	return (struct watch){
		.wall_ns = clock_ns(CLOCK_MONOTONIC),
		.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID),
	};
}

void watch_result(const struct watch *start, const char *variant, int round, const char *prefix)
{
	struct watch end = watch_start();
	char metric[64];

	snprintf(metric, sizeof(metric), "%s_wall_ns", prefix);
	result(variant, round, metric, (double)(end.wall_ns - start->wall_ns));
	snprintf(metric, sizeof(metric), "%s_cpu_ns", prefix);
	result(variant, round, metric, (double)(end.cpu_ns - start->cpu_ns));
}

long long reclaim_counter(const char *name)
{
	return read_keyed("/sys/fs/cgroup/memory.stat", name);
}

bool has_classes(void)
{
	return access("/sys/kernel/mm/tmm", F_OK) == 0;
}

void create_sparse_file(const char *path, long bytes)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0 || ftruncate(fd, bytes))
		bail_out("cannot create %s", path);
	close(fd);
}

static bool run_named(const char *name, int rounds)
{
	for (size_t i = 0; i < sizeof(benches) / sizeof(benches[0]); i++) {
		if (strcmp(benches[i].name, name))
			continue;
		running = name;
		benches[i].run(rounds);
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[1]) : 0;

	if (rounds < 1) {
		fprintf(stderr, "usage: tmm-kernel-bench ROUNDS NAME...\n");
		return 2;
	}
	for (int i = 2; i < argc; i++) {
		if (run_named(argv[i], rounds))
			continue;
		fprintf(stderr, "tmm-kernel-bench: no benchmark '%s'\n", argv[i]);
		return 2;
	}
	return 0;
}
