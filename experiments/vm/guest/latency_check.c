// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// latency-check [--fill] DEVICE: prints median and 95th percentile of 200 random one-page reads past the page cache, as
// "median_us=N p95_us=N". --fill writes the pages first, since a zram device answers without any work for pages that it lacks.
// The seed is fixed, so that two runs read the same pages.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <linux/fs.h>
#include <unistd.h>

#define PAGE 4096
#define READS 200

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	int fill = argc == 3 && !strcmp(argv[1], "--fill");

	if (argc != 2 + fill || argv[argc - 1][0] == '-') {
		fprintf(stderr, "usage: latency-check [--fill] DEVICE\n");
		return 2;
	}
	const char *path = argv[argc - 1];
	int fd = open(path, (fill ? O_RDWR : O_RDONLY) | O_DIRECT | O_CLOEXEC);
	uint64_t size, took_ns[READS], state = 88172645463325252ull;
	void *page;

	if (fd < 0 || ioctl(fd, BLKGETSIZE64, &size) < 0 || size < PAGE || posix_memalign(&page, PAGE, PAGE)) {
		fprintf(stderr, "latency-check: %s: %m\n", path);
		return 1;
	}
	for (int i = 0; i < READS; i++) {
		off_t offset = (off_t)(next_random(&state) % (size / PAGE)) * PAGE;

		if (fill) {
			// Half of it random: about as compressible as a program's memory.
			for (int word = 0; word < PAGE / 16; word++)
				((uint64_t *)page)[word] = next_random(&state);
			if (pwrite(fd, page, PAGE, offset) != PAGE) {
				fprintf(stderr, "latency-check: writing %s: %m\n", path);
				return 1;
			}
		}
		uint64_t start_ns = now_ns();

		if (pread(fd, page, PAGE, offset) != PAGE) {
			fprintf(stderr, "latency-check: reading %s: %m\n", path);
			return 1;
		}
		took_ns[i] = now_ns() - start_ns;
	}
	qsort(took_ns, READS, sizeof(took_ns[0]), by_value);
	printf("median_us=%llu p95_us=%llu\n", (unsigned long long)took_ns[READS / 2] / 1000,
	       (unsigned long long)took_ns[READS * 95 / 100] / 1000);
	return 0;
}
