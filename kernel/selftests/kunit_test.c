// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hands on the results of the KUnit tests that the kernel ran at boot.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "suites.h"
#include "tap.h"

#include <stdio.h>
#include <string.h>

#define RESULTS "/sys/kernel/debug/kunit/tmm/results"

void kunit_suite(void)
{
	FILE *results = fopen(RESULTS, "re");
	char line[256], name[200];
	int nr = 0;

	if (!results)
		bail_out("cannot open " RESULTS
			 ": a kernel with CONFIG_TMM_KUNIT_TEST and debugfs is needed");
	while (fgets(line, sizeof(line), results)) {
		/* the cases are indented, the line of the suite is not */
		bool failed = sscanf(line, "    not ok %*d %199s", name) == 1;

		if (failed || sscanf(line, "    ok %*d %199s", name) == 1) {
			check(!failed, "kunit: %s", name);
			nr++;
		}
	}
	fclose(results);
	check(nr > 0, "kunit: there are tests");
}
