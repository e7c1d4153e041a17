// SPDX-License-Identifier: GPL-2.0-only
/*
 * Hibernation takes as much memory as its image needs, whoever has it. For a machine with
 * CONFIG_HIBERNATION and CONFIG_PM_DEBUG, whose swap is on a disk. The machine does not go down:
 * the kernel's own test "freezer" gets it as far as memory is concerned, and works with devices
 * that cannot be suspended.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "scene.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define POWER "/sys/power/"
#define SYSFS "/sys/kernel/mm/tmm/"
#define CHECK_BYTES (4 * MIB)
/* The smallest image that the kernel can make: it evicts what it can. */
#define SMALLEST "0"

static struct scene scene;

static void find_requirements(void)
{
	if (access(POWER "disk", W_OK) || access(POWER "pm_test", W_OK))
		bail_out("no CONFIG_HIBERNATION with CONFIG_PM_DEBUG");
}

static void hibernate(const char *when)
{
	long long kills = vmstat("oom_kill"), evicted = vmstat("pgsteal_direct");

	check_errno(0, write_text(POWER "state", "disk"), "hibernate: %s: it works", when);
	check(vmstat("pgsteal_direct") > evicted, "hibernate: %s: memory was evicted for it", when);
	check_equal(kills, vmstat("oom_kill"), "hibernate: %s: no OOM kill", when);
}

void hibernate_suite(void)
{
	long nr = CHECK_BYTES / page_size();
	uintptr_t owned, lent;
	uint64_t *mine, *theirs;

	find_requirements();
	must_write(POWER "pm_test", "freezer");
	must_write(POWER "image_size", SMALLEST);
	scene_begin(&scene);
	worker_map_anon(&scene.owner, ram_bytes() / 4);
	worker_map_anon(&scene.contribution, ram_bytes() / 4);
	owned = worker_map_anon(&scene.owner, CHECK_BYTES);
	lent = worker_map_anon(&scene.contribution, CHECK_BYTES);

	/*
	 * With the kernel it does not fit beside an image of itself; transparent memory is to give,
	 * but cannot.
	 */
	cgroup_set(&scene.transparent, "memory.swap.max", 0);
	hibernate("transparent memory cannot be swapped");
	must_write(cgroup_file(&scene.transparent, "memory.swap.max"), "max");
	set_limits(0, NO_LIMIT);
	hibernate("all can be swapped");
	check_equal(0, read_number(SYSFS "opaque_limit"), "hibernate: opaque limit, as before");
	check(read_number(SYSFS "transparent_limit") >= NO_LIMIT,
	      "hibernate: transparent limit, as before");
	check_equal(1, read_number("%s", cgroup_file(&scene.transparent, "memory.transparent")),
		    "hibernate: a transparent cgroup stays one");
	check_equal(0, read_number("%s", cgroup_file(&scene.opaque, "memory.transparent")),
		    "hibernate: so does an opaque one");

	/* /dev/tmm has been open all the time */
	worker_read_pages(&scene.contribution, lent);
	start_afresh(&scene);
	worker_read_pages(&scene.owner, owned);
	worker_read_pages(&scene.contribution, lent);
	mine = worker_frames(&scene.owner, owned, CHECK_BYTES);
	theirs = worker_frames(&scene.contribution, lent, CHECK_BYTES);
	check_scan(&scene, mine, nr, TMM_FRAME_REF, TMM_FRAME_CLASS,
		   "hibernate: the device, open all the time, goes on telling what is used");
	check_scan(&scene, theirs, nr, TMM_FRAME_CLASS, TMM_FRAME_REF | TMM_FRAME_SHARED,
		   "hibernate: and by whom");
	free(mine);
	free(theirs);
	scene_end(&scene);
	must_write(POWER "pm_test", "none");
	reset_limits();
}
