/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The multi-gen LRU walks the page tables of a process that has used all of its memory. Nobody
 * tracks idle pages, or all of them were marked idle before they were used.
 */
#include "bench.h"

#include "../selftests/guest.h"
#include "../selftests/tap.h"
#include "../selftests/worker.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BITMAP "/sys/kernel/mm/page_idle/bitmap"
#define BYTES (256 * MIB)

static void mark_all_idle(void)
{
	int fd = open(BITMAP, O_WRONLY | O_CLOEXEC);
	char words[4096];

	if (fd < 0)
		bail_out("cannot open " BITMAP);
	memset(words, 0xff, sizeof(words));
	/* The file ends where memory does. */
	while (write(fd, words, sizeof(words)) > 0)
		;
	close(fd);
}

void aging_bench(int rounds)
{
	static const char *const variants[] = {"untracked", "tracked"};
	struct cgroup cgroup;
	struct worker worker;
	struct watch start;
	uintptr_t memory;

	cgroup_create(&cgroup, "aging", false);
	worker_start(&worker, &cgroup);
	memory = worker_map_anon(&worker, BYTES);
	result("size", 0, "touched_bytes", (double)BYTES);
	/* The first walk of each kind moves the pages into its generations. */
	for (int turn = 0; turn < 2 * (rounds + 1); turn++) {
		int tracked = turn % 2;

		if (tracked)
			mark_all_idle();
		worker_read_pages(&worker, memory);
		start = watch_start();
		cgroup_age(&cgroup);
		if (turn >= 2)
			watch_result(&start, variants[tracked], turn / 2 - 1, "age");
	}
	worker_stop(&worker);
	cgroup_remove(&cgroup);
}
