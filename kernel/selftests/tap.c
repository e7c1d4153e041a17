// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "tap.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <kselftest.h>

static bool result_line(bool ok, const char *name, va_list values)
{
	char line[256];

	vsnprintf(line, sizeof(line), name, values);
	ksft_test_result(ok, "%s\n", line);
	return ok;
}

bool check(bool ok, const char *name, ...)
{
	va_list values;

	va_start(values, name);
	result_line(ok, name, values);
	va_end(values);
	return ok;
}

bool check_equal(long long expected, long long actual, const char *name, ...)
{
	va_list values;

	va_start(values, name);
	result_line(expected == actual, name, values);
	va_end(values);
	if (expected != actual)
		diag("expected %lld, is %lld", expected, actual);
	return expected == actual;
}

bool check_errno(int expected, long result, const char *name, ...)
{
	int error = result < 0 ? errno : 0;
	va_list values;

	va_start(values, name);
	result_line(error == expected, name, values);
	va_end(values);
	if (error != expected)
		diag("expected \"%s\", is \"%s\"", strerror(expected), strerror(error));
	return error == expected;
}

void skip(const char *name, const char *reason)
{
	ksft_test_result_skip("%s %s\n", name, reason);
}

void diag(const char *text, ...)
{
	char line[512];
	va_list values;

	va_start(values, text);
	vsnprintf(line, sizeof(line), text, values);
	va_end(values);
	ksft_print_msg("%s\n", line);
}

void tap_begin(void)
{
	ksft_print_header();
}

void tap_end(void)
{
	ksft_set_plan(ksft_test_num());
	ksft_finished();
}

void skip_all(const char *reason)
{
	ksft_exit_skip("%s\n", reason);
}

void bail_out(const char *text, ...)
{
	int error = errno;
	char line[512];
	va_list values;

	va_start(values, text);
	vsnprintf(line, sizeof(line), text, values);
	va_end(values);
	ksft_exit_fail_msg("%s: %s\n", line, strerror(error));
}
