/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A process in a cgroup that does what the test tells it, and keeps its memory in between.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include "guest.h"

#include <stdint.h>
#include <sys/types.h>

struct worker {
	pid_t pid;
	int request;
	int reply;
};

void worker_start(struct worker *worker, const struct cgroup *cgroup);
/* Its memory is free, and it has left the cgroup as far as memory goes. */
void worker_stop(struct worker *worker);

/*
 * Has the worker do a job (see jobs.h) that there is no function for below, and returns its result.
 * Memory is as it was in the caller when the worker was started.
 */
long worker_do(struct worker *worker, long (*work)(const char *path, long number), const char *path,
	       long number);

/*
 * The worker maps memory and touches all of it, once. Returns the address in the worker. A worker
 * has up to 8 mappings.
 */
uintptr_t worker_map_anon(struct worker *worker, long bytes);
uintptr_t worker_map_huge(struct worker *worker, long bytes);
uintptr_t worker_map_file(struct worker *worker, const char *path);
void worker_unmap(struct worker *worker, uintptr_t address);

/*
 * Reads a byte, or writes one, of each page. The processor forgets its translations first: it sets
 * accessed bits anew.
 */
void worker_read_pages(struct worker *worker, uintptr_t address);
void worker_write_pages(struct worker *worker, uintptr_t address);

/* Files, by system calls. Writing does not change the length of a file that is long enough. */
void worker_write_file(struct worker *worker, const char *path, long bytes);
void worker_read_file(struct worker *worker, const char *path);
/* Brings it into the page cache without using it. */
void worker_read_ahead(struct worker *worker, const char *path);

/*
 * The worker maps, touches and unmaps memory until it is told to end; then says how often it did.
 * Nothing else in between.
 */
void worker_churn_start(struct worker *worker, long bytes);
/* The same with another load, see churn.h. */
void worker_churn(struct worker *worker, long (*churn)(const char *path, long number),
		  const char *path, long number);
long worker_churn_end(struct worker *worker);

/* What it will map comes from this node only. */
void worker_bind(struct worker *worker, int node);

/* Locks the mapping into memory. */
void worker_lock(struct worker *worker, uintptr_t address);

/* It stays mapped, but reclaim finds no trace of a use of any of its memory. */
void worker_forget_uses(const struct worker *worker);

/* Page frames of a mapping, one for each page, 0 if it is not present. The caller frees them. */
uint64_t *worker_frames(const struct worker *worker, uintptr_t address, long bytes);
