/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the kernel says in files, and control groups. All functions bail out if a file that must be
 * there is not.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include "attributes.h"

#include <stdbool.h>

#define MIB (1024L * 1024)

/* The number that is the whole of a small file. */
long long read_number(const char *path, ...) __printf(1, 2);

/* The number behind "name " in a flat-keyed file as /proc/vmstat; bails out if there is none. */
long long read_keyed(const char *path, const char *name);

/*
 * As read_keyed() in /proc/vmstat, with the differences that CPUs keep for themselves added in
 * first.
 */
long long vmstat(const char *name);
long long node_stat(int node, const char *name);

/*
 * Evictable pages on the LRU lists, of both classes; pages of transparent cgroups that are
 * evictable, and all of them. Each is read at one instant.
 */
long long lru_pages(void);
long long transparent_lru_pages(void);
long long transparent_pages(void);

/* Bytes of memory that nobody uses, and that the machine has. */
long long free_bytes(void);
long long ram_bytes(void);

/* Writes the text in one system call. Returns 0, or -1 with errno. */
int write_text(const char *path, const char *text);
int write_number(const char *path, long long number);
void must_write(const char *path, const char *text);

bool multi_gen_lru(void);

/*
 * A cgroup below the root, named after the test. The path is its directory. Removed by
 * cgroup_remove(), which waits until the last process in it has gone.
 */
struct cgroup {
	char path[128];
};

void cgroup_create(struct cgroup *cgroup, const char *name, bool transparent);
void cgroup_create_below(struct cgroup *child, const struct cgroup *parent, const char *name);
void cgroup_remove(struct cgroup *cgroup);
/* The path of one of its files, in a static buffer. */
const char *cgroup_file(const struct cgroup *cgroup, const char *file);
void cgroup_set(const struct cgroup *cgroup, const char *file, long long number);
/* All that is charged to it, in bytes: independent of the counters that TMM adds. */
long long cgroup_charged(const struct cgroup *cgroup);
/* Bytes of anonymous, or of file memory, in memory.stat. */
long long cgroup_stat(const struct cgroup *cgroup, const char *name);
/* Makes the multi-gen LRU take its accessed bits out of the page tables. */
void cgroup_age(const struct cgroup *cgroup);

/*
 * Asks for bytes from the root's memory.reclaim. Returns 0, or -1 with errno (EAGAIN: fewer were
 * found).
 */
int reclaim_bytes(long long bytes);
/*
 * Evicts all that a cgroup has; at the end of a test, also what its processes left: pages that were
 * on the way to swap stay until reclaim comes by, and the next test would find them.
 */
void evict_all(const struct cgroup *cgroup);
/*
 * What is left of transparent pages when all who had them have gone, and reclaim has taken what it
 * can: pages that were under I/O, and blocks of the file system that they were the first to need.
 * Not 0 if the counters are wrong.
 */
long long transparent_leftovers(void);

void set_limits(long long opaque_bytes, long long transparent_bytes);
#define NO_LIMIT (1024LL * 1024 * 1024 * 1024 * MIB)
void reset_limits(void);

/* Pages of a file that are in the page cache. */
long resident_pages(const char *path);
void drop_file(const char *path);

long page_size(void);
