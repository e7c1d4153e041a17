/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * What a worker can be asked to do (worker.h says what for). A job gets a path and a number, which
 * is a size or an address, as it needs, and returns -errno if it fails.
 */
#pragma once

long job_read_pages(const char *path, long address);
long job_write_pages(const char *path, long address);
long job_map_anon(const char *path, long bytes);
long job_map_huge(const char *path, long bytes);
long job_map_file(const char *path, long unused);
long job_unmap(const char *path, long address);
long job_lock(const char *path, long address);
long job_churn(const char *path, long bytes);
long job_write_file(const char *path, long bytes);
long job_read_file(const char *path, long unused);
long job_read_ahead(const char *path, long unused);

/* Handler of the signal that ends job_churn(), which replies once when its load is on, and again
 * when it has ended. */
void job_end_churn(int signal);

/* Sends a result to the test. */
void worker_reply(long result);
