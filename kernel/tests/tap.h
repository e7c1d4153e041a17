/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Test results in TAP on standard output. A test is a plain function that calls check() and diag();
 * an error of the test itself (no memory, no such file) ends the program, for nothing after it
 * could be trusted.
 */
#pragma once

#include <stdbool.h>

/* One result line. The name is printf-like. Returns ok. */
bool check(bool ok, const char *name, ...) __attribute__((format(printf, 2, 3)));

/* check() with both values shown if they differ. */
bool check_equal(long long expected, long long actual, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

/* Whether a system call's result (negative, with errno) is the failure that was expected; 0 expects
 * success. */
bool check_errno(int expected, long result, const char *name, ...)
	__attribute__((format(printf, 3, 4)));

void skip(const char *name, const char *reason);
void diag(const char *text, ...) __attribute__((format(printf, 1, 2)));

/* Prints the plan. Returns the exit status: 0 if all is well. */
int tap_end(void);

/* An error of the test itself, with errno. */
void bail_out(const char *text, ...) __attribute__((format(printf, 1, 2), noreturn));
