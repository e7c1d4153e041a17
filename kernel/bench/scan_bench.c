/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * A process has touched most of the machine's memory. The methods that find out which memory it
 * uses take turns; after each the process touches its memory again.
 */
#include "bench.h"

#include "../selftests/device.h"
#include "../selftests/guest.h"
#include "../selftests/jobs.h"
#include "../selftests/tap.h"
#include "../selftests/worker.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define BITMAP "/sys/kernel/mm/page_idle/bitmap"
#define FILE_PATH "/root/bench-file"
#define RANDOM "random"
#define IN_ORDER "in_order"

/* Set before the process starts, so that it inherits them. */
static size_t nr_pages;
static uint32_t *shuffled;

static uint64_t nr_frames;

static void shuffle(void)
{
	shuffled = malloc(nr_pages * sizeof(*shuffled));
	if (!shuffled)
		bail_out("no memory");
	srandom(1);
	for (size_t i = 0; i < nr_pages; i++) {
		size_t other = (size_t)random() % (i + 1);

		shuffled[i] = shuffled[other];
		shuffled[other] = (uint32_t)i;
	}
}

/*
 * Runs in the process. Returns nanoseconds. A daemon sleeps for seconds between two scans, and the
 * TLB loses its entries meanwhile. Here they are flushed at once, so that the processor has to set
 * the accessed bits that were cleared.
 */
static long job_touch(const char *order, long address)
{
	const volatile char *memory = (const volatile char *)address;
	bool random = strcmp(order, RANDOM) == 0;
	struct watch start, end;

	forget_translations();
	start = watch_start();
	for (size_t i = 0; i < nr_pages; i++)
		(void)memory[(random ? shuffled[i] : i) * 4096];
	end = watch_start();
	return end.cpu_ns - start.cpu_ns;
}

enum method { NOTHING, SCAN_0, SCAN_3, SCAN_6, CLEAR_REFS, BITMAP_CYCLE, NR_METHODS };

static const char *const method_names[NR_METHODS] = {"nothing", "k=0",	      "k=3",
						     "k=6",	"clear_refs", "bitmap"};

static void time_scan(int shift, const char *variant, int round)
{
	int device = device_open();
	size_t room = (nr_frames >> shift) + 1;
	uint64_t *vec = calloc(room, sizeof(*vec));
	struct tmm_scan scan = whole_scan(vec, room);
	struct watch start;
	long got;

	if (!vec)
		bail_out("no memory");
	/* The daemon reuses the buffer of its last scan. */
	memset(vec, 1, room * sizeof(*vec));
	scan.shift = (uint32_t)shift;
	scan.seed = (uint64_t)round;
	start = watch_start();
	got = ioctl(device, TMM_SCAN, &scan);
	watch_result(&start, variant, round, "look");
	if (got < 0 || scan.walk_end != nr_frames)
		bail_out("cannot scan memory");
	result(variant, round, "words", (double)got);
	free(vec);
	close(device);
}

static void time_clear_refs(const struct worker *worker, const char *variant, int round)
{
	struct watch start = watch_start();

	worker_forget_uses(worker);
	watch_result(&start, variant, round, "look");
}

/* Marks all frames as idle, or reads which of them still are. */
static void time_bitmap(bool mark, const char *variant, int round)
{
	int fd = open(BITMAP, O_RDWR | O_CLOEXEC);
	/* The kernel handles whole words only. */
	size_t size = nr_frames / 64 * 8, done = 0;
	char *bits = malloc(size);
	struct watch start;

	if (fd < 0 || !bits)
		bail_out("cannot open " BITMAP);
	memset(bits, 0xff, size);
	start = watch_start();
	while (done < size) {
		ssize_t got = mark ? pwrite(fd, bits + done, size - done, (off_t)done)
				   : pread(fd, bits + done, size - done, (off_t)done);

		if (got <= 0)
			bail_out("cannot use " BITMAP);
		done += (size_t)got;
	}
	watch_result(&start, variant, round, mark ? "look" : "read");
	free(bits);
	close(fd);
}

static void look(enum method method, const struct worker *worker, const char *variant, int round)
{
	switch (method) {
	case SCAN_0:
		time_scan(0, variant, round);
		break;
	case SCAN_3:
		time_scan(3, variant, round);
		break;
	case SCAN_6:
		time_scan(6, variant, round);
		break;
	case CLEAR_REFS:
		time_clear_refs(worker, variant, round);
		break;
	case BITMAP_CYCLE:
		time_bitmap(true, variant, round);
		break;
	default:
		break;
	}
}

/* address is 0 if the process does not map the memory. */
static void one_turn(enum method method, struct worker *worker, uintptr_t address,
		     const char *memory, const char *order, int round)
{
	char variant[64], metric[64];

	snprintf(variant, sizeof(variant), "%s/%s", memory, method_names[method]);
	if (address) {
		/* Each page has been used. */
		worker_do(worker, job_touch, IN_ORDER, (long)address);
		look(method, worker, variant, round);
		snprintf(metric, sizeof(metric), "touch_%s_ns", order);
		result(variant, round, metric,
		       (double)worker_do(worker, job_touch, order, (long)address));
	} else if (method != NOTHING && method != CLEAR_REFS) {
		look(method, worker, variant, round);
	}
	if (method == BITMAP_CYCLE)
		time_bitmap(false, variant, round);
}

static void all_rounds(struct worker *worker, uintptr_t address, const char *memory, int rounds)
{
	for (int round = 0; round < rounds; round++) {
		/* Another method comes first in each round. */
		for (int i = 0; i < NR_METHODS; i++) {
			enum method method = (enum method)((i + round) % NR_METHODS);

			one_turn(method, worker, address, memory, IN_ORDER, round);
			if (address)
				one_turn(method, worker, address, memory, RANDOM, round);
		}
	}
}

static void with_file(struct worker *worker, long bytes, int rounds)
{
	uintptr_t address;

	create_sparse_file(FILE_PATH, bytes);
	address = worker_map_file(worker, FILE_PATH);
	all_rounds(worker, address, "mapped file", rounds);
	worker_unmap(worker, address);
	all_rounds(worker, 0, "cached file", rounds);
	unlink(FILE_PATH);
}

void scan_bench(int rounds)
{
	long long ram = read_keyed("/proc/meminfo", "MemTotal:") * 1024;
	long bytes = (long)(ram / 100 * 65) & ~(2 * MIB - 1);
	struct cgroup cgroup;
	struct worker worker;
	uintptr_t address;
	int device = device_open();

	nr_frames = end_of_memory(device);
	close(device);
	nr_pages = (size_t)(bytes / page_size());
	shuffle();
	result("size", 0, "ram_bytes", (double)ram);
	result("size", 0, "touched_bytes", (double)bytes);

	cgroup_create(&cgroup, "scan", false);
	worker_start(&worker, &cgroup);
	address = worker_map_anon(&worker, bytes);
	all_rounds(&worker, address, "anon", rounds);
	worker_unmap(&worker, address);
	with_file(&worker, bytes, rounds);
	worker_stop(&worker);
	cgroup_remove(&cgroup);
	free(shuffled);
}
