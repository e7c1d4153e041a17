// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "scene.h"

#include "device.h"
#include "tap.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

void scene_begin(struct scene *scene)
{
	scene->device = device_open();
	cgroup_create(&scene->opaque, "opaque", false);
	cgroup_create(&scene->transparent, "transparent", true);
	worker_start(&scene->owner, &scene->opaque);
	worker_start(&scene->contribution, &scene->transparent);
}

void scene_end(struct scene *scene)
{
	worker_stop(&scene->owner);
	worker_stop(&scene->contribution);
	cgroup_remove(&scene->opaque);
	cgroup_remove(&scene->transparent);
	close(scene->device);
}

void start_afresh(const struct scene *scene)
{
	scan_count(scene, NULL, 0, 0, 0);
}

long scan_count(const struct scene *scene, const uint64_t *frames, long nr, uint64_t set,
		uint64_t clear)
{
	struct snapshot snapshot;
	long count;

	snapshot_take(&snapshot, scene->device);
	count = count_flags(&snapshot, frames, nr, set, clear);
	snapshot_free(&snapshot);
	return count;
}

bool nearly_all(long count, long nr)
{
	if (count < nr)
		diag("%ld of %ld", count, nr);
	return count >= nr * 99 / 100;
}

bool check_scan(const struct scene *scene, const uint64_t *frames, long nr, uint64_t set,
		uint64_t clear, const char *name, ...)
{
	long count = scan_count(scene, frames, nr, set, clear);
	char text[256];
	va_list values;

	va_start(values, name);
	vsnprintf(text, sizeof(text), name, values);
	va_end(values);
	return check(nearly_all(count, nr), "%s", text);
}
