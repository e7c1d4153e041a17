// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the tests of the transparent memory manager: all suites, or those named. Results in TAP.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "suites.h"
#include "tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A suite that needs a machine made for it runs only if it is named. */
enum where { ANYWHERE, SPECIAL_MACHINE };

static const struct {
	const char *name;
	void (*run)(void);
	enum where where;
} suites[] = {
	{"kunit", kunit_suite, ANYWHERE},
	{"device", device_suite, ANYWHERE},
	{"class", class_suite, ANYWHERE},
	{"policy", policy_suite, ANYWHERE},
	{"pressure", pressure_suite, ANYWHERE},
	{"protection", protection_suite, ANYWHERE},
	{"many", many_suite, ANYWHERE},
	{"delegation", delegation_suite, ANYWHERE},
	{"shared", shared_suite, ANYWHERE},
	{"scan", scan_suite, ANYWHERE},
	{"attribution", attribution_suite, ANYWHERE},
	{"movement", movement_suite, ANYWHERE},
	{"refault", refault_suite, ANYWHERE},
	{"fuzz", fuzz_suite, ANYWHERE},
	{"stress", stress_suite, ANYWHERE},
	{"numa", numa_suite, SPECIAL_MACHINE},
	{"nomemcg", nomemcg_suite, SPECIAL_MACHINE},
	{"hotplug", hotplug_suite, SPECIAL_MACHINE},
	{"hibernate", hibernate_suite, SPECIAL_MACHINE},
};

static bool has_swap(void)
{
	FILE *swaps = fopen("/proc/swaps", "re");
	char line[256];
	int nr = 0;

	while (swaps && fgets(line, sizeof(line), swaps))
		nr++;
	if (swaps)
		fclose(swaps);
	return nr > 1;
}

static bool wanted(const char *name, enum where where, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], name) == 0)
			return true;
	return argc == 1 && where == ANYWHERE;
}

/* They evict memory of others, so a machine that somebody needs is no place for them. */
static void check_requirements(void)
{
	if (geteuid())
		skip_all("not root");
	if (access("/sys/kernel/mm/tmm", F_OK))
		skip_all("this kernel is without CONFIG_TMM");
	if (access("/sys/fs/cgroup/cgroup.controllers", F_OK))
		skip_all("cgroup v2 is not mounted at /sys/fs/cgroup");
	if (access("/sys/kernel/debug/kunit", F_OK))
		skip_all("no debugfs with CONFIG_KUNIT_DEBUGFS at /sys/kernel/debug");
	if (!has_swap())
		skip_all("no swap is on");
}

int main(int argc, char **argv)
{
	tap_begin();
	check_requirements();
	for (size_t i = 0; i < ARRAY_SIZE(suites); i++)
		if (wanted(suites[i].name, suites[i].where, argc, argv))
			suites[i].run();
	tap_end();
}
