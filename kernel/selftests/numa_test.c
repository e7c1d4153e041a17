// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines with two nodes: limits and choice are global, counters and lists are each node's.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "room.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-numa"

enum { NODES = 2 };

static const char *const counters[] = {"nr_tmm_anon", "nr_tmm_file", "nr_tmm_unevictable"};

static long long node_transparent(int node)
{
	long long pages = 0;

	for (int i = 0; i < 3; i++)
		pages += node_stat(node, counters[i]);
	return pages;
}

static void check_sums(const char *when)
{
	for (int i = 0; i < 3; i++) {
		long long sum = node_stat(0, counters[i]) + node_stat(1, counters[i]);

		check_equal(vmstat(counters[i]), sum, "numa: %s of nodes and machine agree, %s",
			    counters[i], when);
	}
}

/* Moves the pages of a mapping of a worker to a node; none may be missing. */
static void move_pages(const struct worker *worker, uintptr_t address, long bytes, int node)
{
	size_t nr = (size_t)(bytes / page_size());
	void **pages = calloc(nr, sizeof(*pages));
	int *nodes = calloc(nr, sizeof(*nodes)), *status = calloc(nr, sizeof(*status));
	long there = 0;

	if (!pages || !nodes || !status)
		bail_out("calloc");
	for (size_t i = 0; i < nr; i++) {
		pages[i] = (void *)(address + i * (size_t)page_size());
		nodes[i] = node;
	}
	if (syscall(SYS_move_pages, worker->pid, nr, pages, nodes, status, MPOL_MF_MOVE_ALL) < 0)
		bail_out("move_pages");
	for (size_t i = 0; i < nr; i++)
		there += status[i] == node;
	check_equal((long long)nr, there, "numa: all pages are moved to node %d", node);
	free(pages);
	free(nodes);
	free(status);
}

static void test_counters(void)
{
	struct cgroup cgroup;
	struct worker workers[NODES];
	uintptr_t memory[NODES];
	long bytes = 16 * MIB, pages = bytes / page_size();
	long long before, on_first, on_second;

	check_equal(0, transparent_leftovers(), "numa: nothing is transparent at first");
	cgroup_create(&cgroup, "numa", false);
	for (int node = 0; node < NODES; node++) {
		worker_start(&workers[node], &cgroup);
		worker_bind(&workers[node], node);
		memory[node] = worker_map_anon(&workers[node], bytes);
	}
	worker_write_file(&workers[1], FILE_PATH, bytes);
	worker_lock(&workers[1], worker_map_anon(&workers[1], MIB));
	cgroup_set(&cgroup, "memory.transparent", 1);
	check_sums("after memory was marked");
	for (int node = 0; node < NODES; node++)
		check(node_stat(node, "nr_tmm_anon") >= pages * 95 / 100,
		      "numa: memory of node %d is counted there", node);

	/* a move, even to where they are, empties the batches of folios that are on no list yet */
	move_pages(&workers[0], memory[0], bytes, 0);
	before = transparent_pages();
	on_first = node_transparent(0);
	on_second = node_transparent(1);
	move_pages(&workers[0], memory[0], bytes, 1);
	check_sums("after pages were moved");
	check_equal(before, transparent_pages(), "numa: none is lost");
	check_equal(on_first - pages, node_transparent(0), "numa: one node has them no longer");
	check_equal(on_second + pages, node_transparent(1), "numa: the other has");
	move_pages(&workers[0], memory[0], bytes, 0);
	check_equal(on_first, node_transparent(0), "numa: they come back");

	cgroup_set(&cgroup, "memory.transparent", 0);
	for (int node = 0; node < NODES; node++)
		check_equal(0, node_transparent(node), "numa: node %d has no transparent memory",
			    node);
	cgroup_set(&cgroup, "memory.transparent", 1);
	for (int node = 0; node < NODES; node++)
		worker_stop(&workers[node]);
	unlink(FILE_PATH);
	evict_all(&cgroup);
	cgroup_remove(&cgroup);
	/* blocks of the file system itself stay in the name of who needed them first */
	check(transparent_pages() < 32,
	      "numa: nothing is transparent when the processes have gone");
}

/* The mark of a folio that both classes use goes with it. */
static void test_shared_mark(void)
{
	struct cgroup first, second;
	struct worker contribution, owner;
	long bytes = 4 * MIB, nr = bytes / page_size();
	uintptr_t memory;
	const uint64_t shared = TMM_FRAME_CLASS | TMM_FRAME_SHARED;
	int device = device_open();

	cgroup_create(&first, "first", true);
	cgroup_create(&second, "second", false);
	worker_start(&contribution, &first);
	worker_start(&owner, &second);
	worker_bind(&contribution, 0);
	worker_write_file(&contribution, FILE_PATH, bytes);
	memory = worker_map_file(&contribution, FILE_PATH);
	/* read(2) leaves the mark only: no later scan could find out anew by a mapping */
	worker_read_file(&owner, FILE_PATH);
	worker_stop(&owner);
	for (int node = 1; node >= 0; node--) {
		struct snapshot snapshot;
		uint64_t *frames;
		long long marked;

		move_pages(&contribution, memory, bytes, node);
		frames = worker_frames(&contribution, memory, bytes);
		snapshot_take(&snapshot, device);
		marked = count_flags(&snapshot, frames, nr, shared, 0);
		check(marked >= nr * 95 / 100, "numa: a shared file is so still on node %d", node);
		diag("%lld of %ld pages are marked", marked, nr);
		snapshot_free(&snapshot);
		free(frames);
	}
	worker_stop(&contribution);
	unlink(FILE_PATH);
	evict_all(&first);
	evict_all(&second);
	cgroup_remove(&first);
	cgroup_remove(&second);
	close(device);
}

/* All that is transparent is on the other node, where it is of no use. */
static void test_exhausted_node(void)
{
	long long kills = vmstat("oom_kill"), idle, lent;
	struct cgroup first, second, third;
	struct worker owner, contribution, hog;
	long bytes = 64 * MIB;

	cgroup_create(&first, "owner", false);
	cgroup_create(&second, "contribution", true);
	cgroup_create(&third, "hog", false);
	cgroup_set(&third, "memory.swap.max", 0);
	worker_start(&owner, &first);
	worker_start(&contribution, &second);
	worker_start(&hog, &third);
	worker_bind(&owner, 0);
	worker_bind(&hog, 0);
	worker_bind(&contribution, 1);
	room_make(0, 2 * bytes);
	worker_map_anon(&owner, bytes);
	worker_map_anon(&contribution, bytes);
	idle = cgroup_charged(&first);
	lent = cgroup_charged(&second);
	worker_map_anon(&hog, room_free_bytes(0) + bytes / 2);
	idle -= cgroup_charged(&first);
	lent -= cgroup_charged(&second);
	diag("opaque memory of the full node gave %lld KiB, transparent of the other %lld KiB",
	     idle / 1024, lent / 1024);
	check(idle >= bytes / 4, "numa: opaque memory of a full node gives if there is no other");
	check(lent <= bytes / 20, "numa: transparent memory of another node stays");
	check_equal(kills, vmstat("oom_kill"), "numa: no OOM kill");
	room_end();
	worker_stop(&hog);
	worker_stop(&owner);
	worker_stop(&contribution);
	evict_all(&first);
	evict_all(&second);
	evict_all(&third);
	cgroup_remove(&first);
	cgroup_remove(&second);
	cgroup_remove(&third);
}

void numa_suite(void)
{
	if (access("/sys/devices/system/node/node1", F_OK))
		bail_out("a machine with two nodes is needed, as by numa=fake=2");
	policy_cases();
	test_counters();
	test_shared_mark();
	test_exhausted_node();
}
