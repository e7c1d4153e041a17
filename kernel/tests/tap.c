/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "tap.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int nr_tests, nr_failed;

static void result_line(bool ok, const char *name, va_list values)
{
	printf("%s %d - ", ok ? "ok" : "not ok", ++nr_tests);
	vprintf(name, values);
	printf("\n");
	fflush(stdout);
	nr_failed += !ok;
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
	printf("ok %d - %s # SKIP %s\n", ++nr_tests, name, reason);
	fflush(stdout);
}

void diag(const char *text, ...)
{
	va_list values;

	printf("# ");
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
	printf("\n");
	fflush(stdout);
}

int tap_end(void)
{
	printf("1..%d\n", nr_tests);
	fflush(stdout);
	return nr_failed ? 1 : 0;
}

void bail_out(const char *text, ...)
{
	int error = errno;
	va_list values;

	printf("Bail out! ");
	va_start(values, text);
	vprintf(text, values);
	va_end(values);
	printf(": %s\n", strerror(error));
	exit(2);
}
