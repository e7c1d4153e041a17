// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/tmm with arguments that make no sense, from several threads that share and close it, under
 * memory pressure. TMM_FUZZ_SECONDS and TMM_FUZZ_SEED in the environment say for how long, and
 * which. What the kernel has to say about it (a warning, an oops) is for its log to tell.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "random.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSFS "/sys/kernel/mm/tmm/"

enum {
	NR_THREADS = 4,
	/* words in a buffer between two pages that cannot be used */
	NR_WORDS = 640,
	RACED_BYTES = 4 * 4096,
};

#define CANARY 0xa5a5a5a5a5a5a5a5ULL

/* What the process of the threads tells the test. */
struct report {
	atomic_ulong calls, scans, refaults, faults, refusals;
	/* promises that the kernel broke */
	atomic_ulong strays, bad_results, second_opens;
};

static struct report *report;

static double end_seconds;
static uint64_t seed, end_pfn;
/* Closed and opened again meanwhile. */
static atomic_int device;
/* Comes and goes under the kernel's hands. */
static char *raced;
static char *read_only;

struct thread {
	pthread_t thread;
	struct random random;
	/* for arguments, and for what the kernel writes: a guard page follows each */
	char *argument;
	uint64_t *words;
};

static bool time_is_up(void)
{
	return now_seconds() >= end_seconds;
}

static void *map_pages(size_t bytes, int protection)
{
	void *memory = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		bail_out("mmap");
	return memory;
}

/* Memory that ends, and begins, where nothing may be written. */
static void *map_guarded(size_t bytes)
{
	size_t guard = (size_t)page_size();
	char *memory = map_pages(bytes + 2 * guard, PROT_NONE);

	if (mprotect(memory + guard, bytes, PROT_READ | PROT_WRITE))
		bail_out("mprotect");
	return memory + guard;
}

/* An address that cannot be used, or not for long. */
static uint64_t bad_pointer(struct random *random)
{
	const uint64_t pointers[] = {
		0,
		8,
		(uintptr_t)read_only,
		(uintptr_t)raced + random_below(random, RACED_BYTES),
		(uintptr_t)raced + random_below(random, RACED_BYTES),
		/* the end of what user space has, its gap, and the kernel's memory and text */
		0x7ffffffff000ULL - random_below(random, 64),
		1ULL << 47,
		0xffff888000000000ULL + random_below(random, 1 << 30),
		0xffffffff81000000ULL + random_below(random, 1 << 20),
		~0ULL - random_below(random, 16),
		random_bits(random),
	};

	return RANDOM_OF(random, pointers);
}

/* Numbers at which code fails, if it does. */
static uint64_t odd_number(struct random *random)
{
	const uint64_t numbers[] = {
		0,
		1,
		random_below(random, 64),
		random_below(random, end_pfn),
		end_pfn - 1,
		end_pfn,
		end_pfn + 1,
		1ULL << random_below(random, 64),
		(1ULL << random_below(random, 64)) - 1,
		~0ULL >> random_below(random, 64),
		~0ULL,
		random_bits(random),
	};

	return RANDOM_OF(random, numbers);
}

/* Sizes of a structure that has `known` bytes here. */
static uint64_t odd_size(struct random *random, uint64_t known)
{
	const uint64_t sizes[] = {
		known - 8, known + 8,	       known + random_below(random, 4096), 4096, 4097,
		known - 1, odd_number(random),
	};

	return RANDOM_OF(random, sizes);
}

/* Room for words in the thread's buffer; at times it ends where the buffer ends. */
static void choose_room(struct thread *thread, __u64 *vec, __u64 *vec_len)
{
	struct random *random = &thread->random;
	uint64_t first = random_below(random, NR_WORDS), room = NR_WORDS - first;

	*vec = (uintptr_t)(thread->words + first);
	*vec_len = random_once_in(random, 2) ? room : 1 + random_below(random, room);
	if (random_once_in(random, 8))
		*vec_len = odd_number(random);
	if (random_once_in(random, 8))
		*vec = bad_pointer(random);
	if (random_once_in(random, 8))
		*vec += random_below(random, 8);
}

static struct tmm_scan odd_scan(struct thread *thread)
{
	struct random *random = &thread->random;
	struct tmm_scan scan = {
		.size = sizeof(scan),
		.start_pfn = random_below(random, end_pfn),
		.shift = (uint32_t)random_below(random, TMM_SCAN_SHIFT_MAX + 1),
		.seed = random_bits(random),
	};

	scan.end_pfn = scan.start_pfn + random_below(random, 16384);
	choose_room(thread, &scan.vec, &scan.vec_len);
	if (random_once_in(random, 8))
		scan.start_pfn = odd_number(random);
	if (random_once_in(random, 8))
		scan.end_pfn = odd_number(random);
	if (random_once_in(random, 16))
		scan.shift = (uint32_t)odd_number(random);
	if (random_once_in(random, 16))
		scan.flags = odd_number(random);
	if (random_once_in(random, 16))
		scan.reserved = (uint32_t)odd_number(random);
	if (random_once_in(random, 8))
		scan.size = odd_size(random, sizeof(scan));
	return scan;
}

static struct tmm_refaults odd_refaults(struct thread *thread)
{
	struct random *random = &thread->random;
	struct tmm_refaults refaults = {
		.size = sizeof(refaults),
		.flags = random_below(random, 2),
	};

	choose_room(thread, &refaults.vec, &refaults.vec_len);
	if (random_once_in(random, 16))
		refaults.flags = odd_number(random);
	if (random_once_in(random, 8))
		refaults.size = odd_size(random, sizeof(refaults));
	return refaults;
}

/*
 * Nothing may be written outside of the room that was declared, and after a success nothing behind
 * the words that were returned. Those within are put back.
 */
static void check_words(struct thread *thread, uint64_t vec, uint64_t vec_len, long result)
{
	uintptr_t start = (uintptr_t)thread->words, end = start + NR_WORDS * sizeof(uint64_t);
	uint64_t allowed = result >= 0 ? (uint64_t)result : vec_len;
	uint64_t first = end, last = end;

	if (result > 0 && (uint64_t)result > vec_len)
		report->bad_results++;
	if (vec >= start && vec < end) {
		first = vec;
		last = allowed < (end - vec) / sizeof(uint64_t) ? vec + allowed * sizeof(uint64_t)
								: end;
	}
	for (uintptr_t at = start; at < end; at++) {
		if (at < first || at >= last)
			report->strays += *(unsigned char *)at != (CANARY & 0xff);
		else
			*(unsigned char *)at = CANARY & 0xff;
	}
}

/* Where the argument lies: mostly at the end of its page, so that nothing behind it can be read. */
static void *place_argument(struct thread *thread, const void *argument, size_t bytes)
{
	char *place = thread->argument + page_size() - bytes;

	memset(thread->argument, 0, (size_t)page_size());
	if (random_once_in(&thread->random, 8))
		return (void *)(uintptr_t)bad_pointer(&thread->random);
	if (random_once_in(&thread->random, 8))
		/* its end is missing */
		return memcpy(place + 8, argument, bytes - 8);
	if (random_once_in(&thread->random, 4))
		/* zeros follow */
		place = thread->argument + random_below(&thread->random, 64);
	return memcpy(place, argument, bytes);
}

/* The number of the ioctl, mostly as it should be. */
static unsigned long odd_command(struct random *random, unsigned long command)
{
	if (!random_once_in(random, 8))
		return command;
	if (random_once_in(random, 2))
		return command ^ (1UL << random_below(random, 32));
	return random_bits(random) & 0xffffffff;
}

static long call(struct thread *thread, unsigned long command, const void *argument, size_t bytes)
{
	void *place = place_argument(thread, argument, bytes);
	int fd = device;
	long result;

	/* closed for the moment */
	while (fd < 0 && !time_is_up()) {
		usleep(500);
		fd = device;
	}
	result = ioctl(fd, odd_command(&thread->random, command), place);
	report->calls++;
	if (result >= 0)
		return result;
	report->faults += errno == EFAULT;
	report->refusals += errno != EFAULT && errno != EBADF;
	report->bad_results += errno != EFAULT && errno != EINVAL && errno != E2BIG &&
			       errno != ENOTTY && errno != EBADF && errno != ENOMEM;
	return result;
}

static void fuzz_scan(struct thread *thread)
{
	struct tmm_scan scan = odd_scan(thread);
	long result = call(thread, TMM_SCAN, &scan, sizeof(scan));

	report->scans += result > 0;
	check_words(thread, scan.vec, scan.vec_len, result);
}

static void fuzz_refaults(struct thread *thread)
{
	struct tmm_refaults refaults = odd_refaults(thread);
	long result = call(thread, TMM_REFAULTS, &refaults, sizeof(refaults));

	report->refaults += result > 0;
	check_words(thread, refaults.vec, refaults.vec_len, result);
}

/* System calls that the device does not know. */
static void fuzz_others(struct thread *thread)
{
	struct pollfd waiting = {.fd = device, .events = POLLIN | POLLOUT};
	char byte = 0;
	void *memory;
	int copy;

	switch (random_below(&thread->random, 6)) {
	case 0:
		report->bad_results += read(device, &byte, 1) >= 0;
		break;
	case 1:
		report->bad_results += write(device, &byte, 1) >= 0;
		break;
	case 2:
		report->bad_results += pread(device, &byte, 1, 4096) >= 0;
		break;
	case 3:
		memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, device, 0);
		report->bad_results += memory != MAP_FAILED;
		break;
	case 4:
		poll(&waiting, 1, 0);
		break;
	case 5:
		copy = dup(device);
		fuzz_scan(thread);
		if (copy >= 0)
			close(copy);
		break;
	}
}

/* A process that has the device for a while, and perhaps is the last one. */
static void fuzz_fork(struct thread *thread)
{
	pid_t pid = fork();

	if (pid == 0) {
		fuzz_scan(thread);
		_exit(0);
	}
	if (pid > 0)
		waitpid(pid, NULL, 0);
}

static void *run_thread(void *argument)
{
	struct thread *thread = argument;
	uint64_t choice;

	while (!time_is_up()) {
		choice = random_below(&thread->random, 64);
		if (choice == 0)
			fuzz_fork(thread);
		else if (choice < 8)
			fuzz_others(thread);
		else if (choice < 24)
			fuzz_refaults(thread);
		else
			fuzz_scan(thread);
	}
	return NULL;
}

/* Memory that the kernel is about to write to goes, comes back, and cannot be written. */
static void *run_racer(void *argument)
{
	struct random random = random_source(seed, NR_THREADS);
	const int protections[] = {PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE};

	while (!time_is_up()) {
		/* never a hole, into which somebody else's memory could come */
		mmap(raced, RACED_BYTES, RANDOM_OF(&random, protections),
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
		usleep((useconds_t)random_below(&random, 500));
	}
	return argument;
}

/* The last close comes in the middle of what others do. */
static void *run_closer(void *argument)
{
	struct random random = random_source(seed, NR_THREADS + 1);

	while (!time_is_up()) {
		int second, old = device;

		usleep((useconds_t)random_below(&random, 200000));
		second = open(TMM_DEVICE, O_RDWR | O_CLOEXEC);
		if (second >= 0) {
			report->second_opens++;
			close(second);
		}
		write_number(SYSFS "transparent_limit", (long long)random_below(&random, 1 << 30));
		close(old);
		/* somebody may be in an ioctl still, or have a copy */
		while ((device = open(TMM_DEVICE, O_RDWR | O_CLOEXEC)) < 0 && !time_is_up())
			usleep(500);
	}
	return argument;
}

/* All of it, in a process of its own, so that the kernel can close what is left. */
static void fuzz(void)
{
	struct thread threads[NR_THREADS];
	pthread_t racer, closer;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	device = device_open();
	raced = map_guarded(RACED_BYTES);
	read_only = map_pages((size_t)page_size(), PROT_READ);
	for (unsigned int i = 0; i < NR_THREADS; i++) {
		threads[i].random = random_source(seed, i);
		threads[i].argument = map_guarded((size_t)page_size());
		threads[i].words = map_guarded(NR_WORDS * sizeof(uint64_t));
		memset(threads[i].words, CANARY & 0xff, NR_WORDS * sizeof(uint64_t));
		if (pthread_create(&threads[i].thread, NULL, run_thread, &threads[i]))
			_exit(1);
	}
	if (pthread_create(&racer, NULL, run_racer, NULL) ||
	    pthread_create(&closer, NULL, run_closer, NULL))
		_exit(1);
	for (unsigned int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i].thread, NULL);
	/* the rest ends in the middle of what it does */
	_exit(0);
}

static void press(pid_t pid, int *status)
{
	struct cgroup cgroup;
	struct worker worker;

	cgroup_create(&cgroup, "fuzz", true);
	worker_start(&worker, &cgroup);
	worker_churn_start(&worker, 8 * MIB);
	while (waitpid(pid, status, WNOHANG) == 0) {
		reclaim_bytes(4 * MIB);
		usleep(200000);
	}
	check(worker_churn_end(&worker) > 0, "fuzz: transparent work got on meanwhile");
	worker_stop(&worker);
	cgroup_remove(&cgroup);
}

void fuzz_suite(void)
{
	uint64_t seconds = environment_number("TMM_FUZZ_SECONDS", 5);
	long long opaque = read_number(SYSFS "opaque_limit");
	int status = -1, first = device_open();
	bool all_seen;
	pid_t pid;

	seed = environment_number("TMM_FUZZ_SEED", 1);
	diag("TMM_FUZZ_SEED=%llu TMM_FUZZ_SECONDS=%llu", (unsigned long long)seed,
	     (unsigned long long)seconds);
	end_pfn = end_of_memory(first);
	close(first);
	report = mmap(NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	if (report == MAP_FAILED)
		bail_out("mmap");
	end_seconds = now_seconds() + (double)seconds;
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0)
		fuzz();
	press(pid, &status);

	diag("%lu calls: %lu scans, %lu histograms, %lu bad addresses, %lu refused", report->calls,
	     report->scans, report->refaults, report->faults, report->refusals);
	check(WIFEXITED(status) && WEXITSTATUS(status) == 0, "fuzz: all threads ended");
	all_seen = report->scans && report->refaults && report->faults && report->refusals;
	check(all_seen, "fuzz: each kind of result was seen");
	check_equal(0, (long long)report->strays,
		    "fuzz: nothing was written beside what was declared");
	check_equal(0, (long long)report->bad_results,
		    "fuzz: no more than was asked for, no other errors");
	check_equal(0, (long long)report->second_opens, "fuzz: it was never open twice");
	check_equal(opaque, read_number(SYSFS "opaque_limit"), "fuzz: opaque limit, default");
	check_equal(0, read_number(SYSFS "transparent_limit"), "fuzz: transparent limit, default");
	first = device_open();
	check(end_of_memory(first) == end_pfn, "fuzz: the device works");
	close(first);
	munmap(report, sizeof(*report));
}
