/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The owner is away, and a contribution uses more memory than the machine has, all of it again and
 * again: a file, and anonymous memory, for which swap has room or has not.
 */
#include "bench.h"

#include "../selftests/guest.h"
#include "../selftests/jobs.h"
#include "../selftests/swap.h"
#include "../selftests/worker.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILE_PATH "/root/bench-file"
#define OWNER_BYTES (48 * MIB)
#define ANON_BYTES (64 * MIB)
#define FILE_BYTES (256 * MIB)
/* Free swap when it is nearly full. */
#define SWAP_REST_BYTES (4 * MIB)
#define PASSES 3

/* Runs in the contribution, and alternates between both kinds of memory. */
static long job_use_all(const char *path, long passes)
{
	uintptr_t anon = (uintptr_t)job_map_anon("", ANON_BYTES);
	uintptr_t file = (uintptr_t)job_map_file(path, 0);

	if ((long)anon < 0 || (long)file < 0)
		return -ENOMEM;
	for (long pass = 0; pass < passes; pass++) {
		for (long at = 0; at < FILE_BYTES; at += page_size()) {
			(void)*(volatile char *)(file + (uintptr_t)at);
			*(volatile char *)(anon + (uintptr_t)(at % ANON_BYTES)) = (char)at;
		}
	}
	job_unmap("", (long)file);
	job_unmap("", (long)anon);
	return 0;
}

struct process {
	struct cgroup cgroup;
	struct worker worker;
};

static void process_start(struct process *process, const char *name, bool transparent)
{
	cgroup_create(&process->cgroup, name, transparent);
	worker_start(&process->worker, &process->cgroup);
}

static void process_end(struct process *process)
{
	worker_stop(&process->worker);
	cgroup_remove(&process->cgroup);
}

static void measure(const char *variant, int round)
{
	struct process owner, contribution;
	long long scanned, stolen;

	process_start(&owner, "owner", false);
	worker_map_anon(&owner.worker, OWNER_BYTES);
	process_start(&contribution, "contribution", has_classes());

	scanned = reclaim_counter("pgscan");
	stolen = reclaim_counter("pgsteal");
	worker_do(&contribution.worker, job_use_all, FILE_PATH, PASSES);
	result(variant, round, "scanned", (double)(reclaim_counter("pgscan") - scanned));
	result(variant, round, "stolen", (double)(reclaim_counter("pgsteal") - stolen));
	result(variant, round, "owner_bytes", (double)cgroup_stat(&owner.cgroup, "anon"));

	process_end(&contribution);
	process_end(&owner);
	drop_file(FILE_PATH);
}

static void with_full_swap(int round)
{
	struct process ballast;

	process_start(&ballast, "ballast", false);
	worker_map_anon(&ballast.worker,
			read_keyed("/proc/meminfo", "SwapFree:") * 1024 - SWAP_REST_BYTES);
	evict_all(&ballast.cgroup);
	measure("swap nearly full", round);
	process_end(&ballast);
}

static void without_swap(int round)
{
	swap_take_away();
	measure("no swap", round);
	swap_restore();
}

void futile_bench(int rounds)
{
	create_sparse_file(FILE_PATH, FILE_BYTES);
	for (int round = 0; round < rounds; round++) {
		measure("swap with room", round);
		with_full_swap(round);
		without_swap(round);
	}
	unlink(FILE_PATH);
}
