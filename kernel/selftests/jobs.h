/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a worker can be asked to do (worker.h says what for). A job gets a path and a number, which
 * is a size or an address, as it needs, and returns -errno if it fails.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

long job_read_pages(const char *path, long address);
long job_write_pages(const char *path, long address);
long job_map_anon(const char *path, long bytes);
long job_map_huge(const char *path, long bytes);
long job_map_file(const char *path, long unused);
long job_unmap(const char *path, long address);
long job_lock(const char *path, long address);
long job_bind(const char *path, long node);
long job_write_file(const char *path, long bytes);
long job_read_file(const char *path, long unused);
long job_read_ahead(const char *path, long unused);

/* Empties the TLB of this processor. */
void forget_translations(void);

/* Reads a byte, or writes a word, of each page, whose accessed bits are set anew. */
void touch_pages(uintptr_t address, size_t bytes, bool write);

/* Sends a result to the test. */
void worker_reply(long result);
