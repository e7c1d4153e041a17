/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The measurements of the kernel series, which run in the guest on both kernels, the patched one
 * and the plain one. Results on standard output, one a line:
 * bench,variant,round,metric,value.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* The cost of a scan, and of the next use of the memory that was looked at. Patched kernel only. */
void scan_bench(int rounds);
/* The cost of the reclaim of a MiB. */
void reclaim_bench(int rounds);
/* The cost of the first use of a page. */
void fault_bench(int rounds);
/* Pages that reclaim looks at for each one that it gets. */
void futile_bench(int rounds);

void result(const char *variant, int round, const char *metric, double value);

/* Time of this thread, by the wall clock and by its processor alone. */
struct watch {
	int64_t wall_ns;
	int64_t cpu_ns;
};

struct watch watch_start(void);
/* Results PREFIX_wall_ns and PREFIX_cpu_ns. */
void watch_result(const struct watch *start, const char *variant, int round, const char *prefix);

/* pgscan or pgsteal of all groups. /proc/vmstat is without what memory.reclaim does. */
long long reclaim_counter(const char *name);

/* Does this kernel have classes of memory? */
bool has_classes(void);

/* A file whose content takes no place on the disk. */
void create_sparse_file(const char *path, long bytes);
