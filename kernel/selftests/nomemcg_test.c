// SPDX-License-Identifier: GPL-2.0-only
/*
 * Machines without memory cgroups, booted with cgroup_disable=memory: all memory is opaque.
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
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define SYSFS "/sys/kernel/mm/tmm/"
#define FILE_PATH "tmm-test-nomemcg"

static void test_files(const struct cgroup *cgroup)
{
	long long total = read_number(SYSFS "total"), usage = read_number(SYSFS "opaque_usage");

	check_errno(ENOENT, access(cgroup_file(cgroup, "memory.transparent"), F_OK),
		    "nomemcg: there is no memory.transparent");
	check(usage > 0 && usage < total, "nomemcg: all memory in use is opaque");
	check_equal(0, read_number(SYSFS "transparent_usage"), "nomemcg: none is transparent");
	check_equal(TMM_ABI_VERSION, read_number(SYSFS "version"), "nomemcg: version");
	set_limits(64 * MIB, 32 * MIB);
	check_equal(64 * MIB, read_number(SYSFS "opaque_limit"), "nomemcg: limits can be set");
}

/* Whatever the limits are, memory that is needed is found. */
static void test_reclaim(struct worker *worker)
{
	long long kills = vmstat("oom_kill"), swapped = vmstat("pswpout");
	uintptr_t memory;

	set_limits(0, NO_LIMIT);
	memory = worker_map_anon(worker, free_bytes() + 64 * MIB);
	worker_unmap(worker, memory);
	reset_limits();
	memory = worker_map_anon(worker, free_bytes() + 64 * MIB);
	worker_unmap(worker, memory);
	check(vmstat("pswpout") > swapped, "nomemcg: memory is reclaimed");
	check_equal(kills, vmstat("oom_kill"), "nomemcg: no OOM kill");
	check_equal(0, transparent_pages(), "nomemcg: no counter has moved");
}

static void test_scan(int device, struct worker *worker)
{
	long bytes = 4 * MIB, nr = bytes / page_size();
	uintptr_t memory = worker_map_anon(worker, bytes);
	uint64_t *frames = worker_frames(worker, memory, bytes);
	struct snapshot first, quiet, used;
	long class = 0;

	snapshot_take(&first, device);
	snapshot_take(&quiet, device);
	worker_write_pages(worker, memory);
	snapshot_take(&used, device);
	for (uint64_t i = 0; i < used.nr_frames; i++)
		class += (used.words[i] & (TMM_FRAME_CLASS | TMM_FRAME_SHARED)) != 0;
	check_equal(0, class, "nomemcg: a scan reports all memory as opaque");
	check(count_flags(&quiet, frames, nr, 0, TMM_FRAME_REF) >= nr * 9 / 10,
	      "nomemcg: memory that nobody uses is not referenced");
	check(count_flags(&used, frames, nr, TMM_FRAME_REF, 0) >= nr * 9 / 10,
	      "nomemcg: it is, if it is used");
	snapshot_free(&first);
	snapshot_free(&quiet);
	snapshot_free(&used);
	free(frames);
	worker_unmap(worker, memory);
}

static bool all_present(struct worker *worker, uintptr_t memory, long bytes)
{
	uint64_t *frames = worker_frames(worker, memory, bytes);
	bool all = true;

	for (long i = 0; i < bytes / page_size(); i++)
		all = all && frames[i];
	free(frames);
	return all;
}

/*
 * There is no cgroup to ask. Which memory pressure displaces is up to reclaim: file pages, or some
 * of what makes the pressure, may go first.
 */
static void evict_some(struct worker *worker, uintptr_t memory, long bytes)
{
	for (long over = 64 * MIB; all_present(worker, memory, bytes); over += 64 * MIB) {
		uintptr_t pressure = worker_map_anon(worker, free_bytes() + over);

		worker_unmap(worker, pressure);
		if (over > 1024 * MIB)
			bail_out("pressure does not displace a worker's memory");
	}
}

static void test_refaults(int device, struct worker *worker)
{
	static uint64_t histogram[TMM_REFAULT_BUCKETS];
	struct tmm_refaults refaults = {
		.size = sizeof(refaults),
		.flags = TMM_REFAULTS_CLEAR,
		.vec = (uintptr_t)histogram,
		.vec_len = TMM_REFAULT_BUCKETS,
	};
	long bytes = 16 * MIB;
	uintptr_t memory = worker_map_anon(worker, bytes);
	uint64_t pages = 0, clock;

	if (ioctl(device, TMM_REFAULTS, &refaults) < 0)
		bail_out("cannot read the histogram of refaults");
	clock = refaults.clock;
	evict_some(worker, memory, bytes);
	worker_read_pages(worker, memory);
	if (ioctl(device, TMM_REFAULTS, &refaults) < 0)
		bail_out("cannot read the histogram of refaults");
	for (int i = 0; i < TMM_REFAULT_BUCKETS; i++)
		pages += histogram[i];
	check(refaults.clock > clock, "nomemcg: the clock of evictions advances");
	check(pages > 0, "nomemcg: refaults are counted");
	worker_unmap(worker, memory);
}

void nomemcg_suite(void)
{
	int device = device_open();
	struct cgroup cgroup;
	struct worker worker;

	cgroup_create(&cgroup, "nomemcg", false);
	if (access(cgroup_file(&cgroup, "memory.current"), F_OK) == 0)
		bail_out("a machine without memory cgroups is needed: cgroup_disable=memory");
	room_make(ANY_NODE, 128 * MIB);
	worker_start(&worker, &cgroup);
	test_files(&cgroup);
	test_scan(device, &worker);
	test_refaults(device, &worker);
	test_reclaim(&worker);
	worker_stop(&worker);
	room_end();
	cgroup_remove(&cgroup);
	close(device);
}
