// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "room.h"

#include "guest.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <unistd.h>

static struct cgroup cgroup;
static struct worker ballast;
static long long min_free_kbytes;

#define MIN_FREE "/proc/sys/vm/min_free_kbytes"
#define HOARDS "/proc/sys/vm/percpu_pagelist_high_fraction"

long long room_free_bytes(int node)
{
	if (node == ANY_NODE)
		return free_bytes();
	return node_stat(node, "nr_free_pages") * page_size();
}

void room_make(int node, long long bytes)
{
	long long locked;

	/* what is in the page cache by now would be free when it is needed */
	sync();
	must_write("/proc/sys/vm/drop_caches", "3");
	/*
	 * the reserve, which huge pages enlarge, and the hoards of the processors would blur how
	 * much memory is needed and how much is free
	 */
	min_free_kbytes = read_number(MIN_FREE);
	must_write(MIN_FREE, "4096");
	must_write(HOARDS, "100000");
	cgroup_create(&cgroup, "ballast", false);
	worker_start(&ballast, &cgroup);
	if (node != ANY_NODE)
		worker_bind(&ballast, node);
	locked = room_free_bytes(node) - bytes;
	if (locked < 0) {
		errno = ENOMEM;
		bail_out("less than %lld MiB are free", bytes / MIB);
	}
	worker_lock(&ballast, worker_map_huge(&ballast, locked));
}

void room_end(void)
{
	worker_stop(&ballast);
	must_write(HOARDS, "0");
	if (write_number(MIN_FREE, min_free_kbytes))
		bail_out("cannot write to " MIN_FREE);
	cgroup_remove(&cgroup);
}
