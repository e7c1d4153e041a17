// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of /dev/tmm-mapped in a machine of its own. Results in TAP.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static uint64_t id_of(const struct cgroup *cgroup)
{
	struct stat status;

	if (stat(cgroup->path, &status))
		bail_out("no %s", cgroup->path);
	return status.st_ino;
}

/* Whether the module in the kernel has a function of that name. */
static bool module_has(const char *function)
{
	char line[512], name[256], module[256];
	FILE *symbols = fopen("/proc/kallsyms", "re");
	bool found = false;

	if (!symbols)
		bail_out("cannot open /proc/kallsyms");
	while (!found && fgets(line, sizeof(line), symbols))
		found = sscanf(line, "%*s %*s %255s [%255[^]]", name, module) == 2 &&
			strcmp(name, function) == 0 && strcmp(module, "tmm_mapped") == 0;
	fclose(symbols);
	return found;
}

int main(int argc, char **argv)
{
	bool reclaim_only = argc == 2 && strcmp(argv[1], "reclaim") == 0;
	bool flag = argc == 4 && strcmp(argv[3], "flag") == 0;
	bool notifier = argc == 4 && strcmp(argv[3], "notifier") == 0;

	if (!flag && !notifier && !reclaim_only) {
		fprintf(stderr, "usage: tmm-mapped-test MODULE ROUNDS flag|notifier | reclaim\n");
		return 2;
	}
	tap_begin();
	cgroup_create(&mapped.opaque, "opaque", false);
	cgroup_create(&mapped.transparent, "transparent", false);
	cgroup_create_below(&mapped.below, &mapped.transparent, "below");
	mapped.transparent_id = id_of(&mapped.transparent);
	worker_start(&mapped.owner, &mapped.opaque);
	worker_start(&mapped.nested, &mapped.below);
	worker_start(&mapped.contribution, &mapped.transparent);
	/* after the forks, or the workers have it open as well, and the module cannot go */
	mapped.device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (mapped.device < 0)
		bail_out("cannot open " DEVICE);
	if (!reclaim_only)
		check(module_has("watch_clear_young") == notifier,
		      "the module keeps references by %s",
		      notifier ? "MMU notifiers" : "the young flag");
	reclaim_suite();
	if (!reclaim_only) {
		requests_suite();
		reports_suite();
		accuracy_suite();
		unload_suite(argv[1], atol(argv[2]));
	}
	worker_stop(&mapped.owner);
	worker_stop(&mapped.nested);
	worker_stop(&mapped.contribution);
	cgroup_remove(&mapped.opaque);
	cgroup_remove(&mapped.below);
	cgroup_remove(&mapped.transparent);
	tap_end();
}
