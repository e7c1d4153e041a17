/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What the kernel says in files, and control groups. All functions bail out if a file that must be
 * there is not.
 */
#pragma once

#include <stdbool.h>

#define MIB (1024L * 1024)

/* The number that is the whole of a small file. */
long long read_number(const char *path, ...) __attribute__((format(printf, 1, 2)));

/* The number behind "name " in a flat-keyed file as /proc/vmstat; bails out if there is none. */
long long read_keyed(const char *path, const char *name);

/* As read_keyed() in /proc/vmstat, with the differences that CPUs keep for themselves added in
 * first. */
long long vmstat(const char *name);

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
void cgroup_remove(struct cgroup *cgroup);
/* The path of one of its files, in a static buffer. */
const char *cgroup_file(const struct cgroup *cgroup, const char *file);
/* Bytes of anonymous, or of file memory, in memory.stat. */
long long cgroup_stat(const struct cgroup *cgroup, const char *name);

/* Asks for bytes from the root's memory.reclaim. Returns 0, or -1 with errno (EAGAIN: fewer were
 * found). */
int reclaim(long long bytes);
/* Evicts all that a cgroup has. */
void evict_all(const struct cgroup *cgroup);

void set_limits(long long opaque_bytes, long long transparent_bytes);
#define NO_LIMIT (1LL << 60)
void reset_limits(void);

/* Pages of a file that are in the page cache. */
long resident_pages(const char *path);
void drop_file(const char *path);

long page_size(void);
