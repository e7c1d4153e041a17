/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Replaces tools/testing/selftests/kselftest.h of the kernel tree, so that kernel/selftests compile without that tree. Has the names
 * that they use, with the same output (KTAP).
 */
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#define KSFT_PASS 0
#define KSFT_FAIL 1
#define KSFT_SKIP 4

static unsigned int ksft_nr, ksft_nr_failed;

static inline void ksft_print_header(void)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("TAP version 13\n");
}

static inline unsigned int ksft_test_num(void)
{
	return ksft_nr;
}

static inline void ksft_set_plan(unsigned int plan)
{
	printf("1..%u\n", plan);
}

__attribute__((format(printf, 2, 3))) static inline void ksft_test_result(int ok, const char *text, ...)
{
	va_list values;

	ksft_nr_failed += !ok;
	printf("%s %u ", ok ? "ok" : "not ok", ++ksft_nr);
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
}

__attribute__((format(printf, 1, 2))) static inline void ksft_test_result_skip(const char *text, ...)
{
	va_list values;

	printf("ok %u # SKIP ", ++ksft_nr);
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
}

__attribute__((format(printf, 1, 2))) static inline void ksft_print_msg(const char *text, ...)
{
	va_list values;

	printf("# ");
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
}

__attribute__((format(printf, 1, 2), noreturn)) static inline void ksft_exit_skip(const char *text, ...)
{
	va_list values;

	printf("1..0 # SKIP ");
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
	exit(KSFT_SKIP);
}

__attribute__((format(printf, 1, 2), noreturn)) static inline void ksft_exit_fail_msg(const char *text, ...)
{
	va_list values;

	printf("Bail out! ");
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
	exit(KSFT_FAIL);
}

__attribute__((noreturn)) static inline void ksft_finished(void)
{
	exit(ksft_nr_failed ? KSFT_FAIL : KSFT_PASS);
}
