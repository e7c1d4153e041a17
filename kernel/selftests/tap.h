/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Test results by kselftest.h, in KTAP on standard output. A test is a plain function that calls
 * check() and diag(); an error of the test itself (no memory, no such file) ends the program, for
 * nothing after it could be trusted.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include "attributes.h"

#include <stdbool.h>

/* One result line. The name is printf-like. Returns ok. */
bool check(bool ok, const char *name, ...) __printf(2, 3);

/* check() with both values shown if they differ. */
bool check_equal(long long expected, long long actual, const char *name, ...) __printf(3, 4);

/* Whether a system call's result (negative, with errno) is the failure expected; 0: success. */
bool check_errno(int expected, long result, const char *name, ...) __printf(3, 4);

void skip(const char *name, const char *reason);
void diag(const char *text, ...) __printf(1, 2);

void tap_begin(void);

/* Prints the plan and exits: with 0 if all is well. */
void tap_end(void) __noreturn;

/* Nothing can be tested here. */
void skip_all(const char *reason) __noreturn;

/* An error of the test itself, with errno. */
void bail_out(const char *text, ...) __printf(1, 2) __noreturn;
