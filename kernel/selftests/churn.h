/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Jobs of a worker (see jobs.h) that go on until they are told to end, and return how many turns
 * they made. In each turn memory of one kind comes and goes.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

/* Anonymous memory: small pages, huge ones, locked, or shared with a child until it writes. */
long churn_anon(const char *path, long bytes);
long churn_huge(const char *path, long bytes);
long churn_locked(const char *path, long bytes);
long churn_forks(const char *path, long bytes);
/* A file that is written, mapped and removed. */
long churn_file(const char *path, long bytes);

/* Uses the mapping at an address over and over: writes to all its pages, or only reads. */
long churn_mapping(const char *path, long address);
long churn_reading(const char *path, long address);

/*
 * Handler of the signal that ends the job. A job replies once when its load is on, and again when
 * it has ended.
 */
void churn_end(int signal);
