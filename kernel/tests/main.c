/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * Runs the tests of the kernel series in the guest: all suites, or those named. Results in TAP.
 */
#include "guest.h"
#include "suites.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*run)(void);
} suites[] = {
	{"kunit", kunit_suite},	    {"device", device_suite}, {"class", class_suite},
	{"policy", policy_suite},   {"shared", shared_suite}, {"scan", scan_suite},
	{"refault", refault_suite},
};

static bool wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc == 1;
}

int main(int argc, char **argv)
{
	if (access("/sys/kernel/mm/tmm", F_OK))
		bail_out("this kernel is without CONFIG_TMM");
	if (access("/sys/fs/cgroup/cgroup.controllers", F_OK))
		bail_out("cgroup v2 is not mounted");
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		if (wanted(suites[i].name, argc, argv))
			suites[i].run();
	return tap_end();
}
