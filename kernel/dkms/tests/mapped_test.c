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

int main(int argc, char **argv)
{
	bool reclaim_only = argc == 2 && strcmp(argv[1], "reclaim") == 0;

	if (argc != 3 && !reclaim_only) {
		fprintf(stderr, "usage: tmm-mapped-test MODULE ROUNDS | reclaim\n");
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
