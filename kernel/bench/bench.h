/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The benchmarks of the kernel series. They run in the guest, on the patched kernel and on the
 * plain one, and print one result a line: bench,variant,round,metric,value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The cost of a scan, and of the next use of the scanned memory. Needs the patched kernel. */
void scan_bench(int rounds);
/* The cost of the reclaim of a MiB. */
void reclaim_bench(int rounds);
/* The cost of the first use of a page. */
void fault_bench(int rounds);
/* Pages that reclaim scans for each page that it evicts. */
void futile_bench(int rounds);
/* What a contribution that cannot give memory costs the owner. Needs the patched kernel. */
void small_bench(int rounds);
/* The cost of a walk of the multi-gen LRU over page tables, if idle pages are tracked and if not. */
void aging_bench(int rounds);

void result(const char *variant, int round, const char *metric, double value);

/* A point in time, by the wall clock and by the CPU time of this thread. */
struct watch {
	int64_t wall_ns;
	int64_t cpu_ns;
};

struct watch watch_start(void);
/* Prints the time since start as the metrics PREFIX_wall_ns and PREFIX_cpu_ns. */
void watch_result(const struct watch *start, const char *variant, int round, const char *prefix);

/* pgscan or pgsteal of all groups. /proc/vmstat does not count memory.reclaim. */
long long reclaim_counter(const char *name);

/* Whether this kernel has classes of memory. */
bool has_classes(void);

/* Creates a file whose content takes no space on the disk. */
void create_sparse_file(const char *path, long bytes);
