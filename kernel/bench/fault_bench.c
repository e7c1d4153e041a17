/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * First touch of new memory: allocation, charge, LRU lists and the accounting of the classes.
 */
#include "bench.h"

#include "../selftests/guest.h"
#include "../selftests/tap.h"

#include <stddef.h>
#include <sys/mman.h>

#define BYTES (256 * MIB)

void fault_bench(int rounds)
{
	for (int round = 0; round < rounds; round++) {
		char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		struct watch start;

		if (memory == MAP_FAILED || madvise(memory, BYTES, MADV_NOHUGEPAGE))
			bail_out("no memory");
		start = watch_start();
		for (long at = 0; at < BYTES; at += page_size())
			*(volatile char *)(memory + at) = 1;
		watch_result(&start, "anon", round, "fault");
		result("anon", round, "pages", (double)(BYTES / page_size()));
		munmap(memory, BYTES);
	}
}
