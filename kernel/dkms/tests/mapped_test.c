// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of /dev/tmm-mapped in a machine of its own: what it reports, and that reclaim loses nothing
 * by it. Results in TAP.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tmm.h>
#include <linux/tmm_mapped.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define DEVICE "/dev/tmm-mapped"
#define FILE_PATH "mapped-test-file"
#define IDLE_FILE "mapped-test-idle"
#define BYTES (4 * MIB)

static int device;
static struct cgroup opaque, transparent, below;
static struct worker owner, contribution, nested;
static uint64_t transparent_id;
static long nr;

/* Words by page frame, 0 where nothing was reported; of several for a frame their flags. */
struct words {
	uint64_t *by_frame;
	uint64_t nr_frames;
	long reported;
	long frames;
};

static struct tmm_mapped_scan request(uint64_t *vec, uint32_t shift)
{
	return (struct tmm_mapped_scan){
		.size = sizeof(struct tmm_mapped_scan),
		.seed = 42,
		.vec = (uintptr_t)vec,
		.vec_len = TMM_MAPPED_VEC_MAX,
		.cgroups = (uintptr_t)&transparent_id,
		.nr_cgroups = 1,
		.shift = shift,
	};
}

static struct words scan(uint32_t shift)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];
	struct tmm_mapped_scan scan = request(vec, shift);
	struct words words = { .nr_frames = 1UL << 22 };

	words.by_frame = calloc(words.nr_frames, sizeof(uint64_t));
	while (scan.walk_pid != TMM_MAPPED_END) {
		int got = ioctl(device, TMM_MAPPED_SCAN, &scan);

		if (got < 0 || !words.by_frame)
			bail_out("cannot scan");
		words.reported += got;
		for (int i = 0; i < got; i++) {
			uint64_t *word = &words.by_frame[TMM_FRAME_PFN(vec[i])];

			words.frames += !*word;
			*word |= vec[i];
		}
	}
	return words;
}

static void forget(struct words *words)
{
	free(words->by_frame);
	words->by_frame = NULL;
}

static void start_afresh(void)
{
	struct words words = scan(0);

	forget(&words);
}

static long count_in(const struct words *words, const uint64_t *frames, long nr_frames,
		     uint64_t set, uint64_t clear)
{
	long count = 0;

	for (long i = 0; i < nr_frames; i++) {
		uint64_t word = frames[i] ? words->by_frame[frames[i]] : 0;

		count += word && (word & set) == set && !(word & clear);
	}
	return count;
}

static long count_now(const uint64_t *frames, uint64_t set, uint64_t clear)
{
	struct words words = scan(0);
	long count = count_in(&words, frames, nr, set, clear);

	forget(&words);
	return count;
}

static bool nearly(long expected, long count)
{
	if (count != expected)
		diag("%ld of %ld", count, expected);
	return labs(count - expected) <= expected / 100;
}

static void test_requests(void)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];
	struct tmm_mapped_scan good = request(vec, 0), scan;
	int status;
	pid_t pid;

	check_errno(EBUSY, open(DEVICE, O_RDWR | O_CLOEXEC), "one opener at a time");
	pid = fork();
	if (pid == 0)
		_exit(setuid(65534) == 0 && open(DEVICE, O_RDWR) < 0 && errno == EACCES ? 0 : 1);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		bail_out("fork");
	check_equal(0, status, "not for other users");
	check_errno(ENOTTY, ioctl(device, TMM_SCAN, &good), "the requests of /dev/tmm are others");
	check_errno(EFAULT, ioctl(device, TMM_MAPPED_SCAN, NULL), "no request");
	scan = good;
	scan.size -= 8;
	check_errno(EINVAL, ioctl(device, TMM_MAPPED_SCAN, &scan), "a request that is too small");
	scan = good;
	scan.size = 1UL << 40;
	check_errno(E2BIG, ioctl(device, TMM_MAPPED_SCAN, &scan), "a request that is too large");
	scan = good;
	scan.flags = 1;
	check_errno(EINVAL, ioctl(device, TMM_MAPPED_SCAN, &scan), "an unknown flag");
	scan = good;
	scan.reserved = 1;
	check_errno(EINVAL, ioctl(device, TMM_MAPPED_SCAN, &scan), "a reserved field");
	scan = good;
	scan.shift = TMM_SCAN_SHIFT_MAX + 1;
	check_errno(EINVAL, ioctl(device, TMM_MAPPED_SCAN, &scan), "a shift that is too large");
	scan = good;
	scan.vec_len = TMM_MAPPED_VEC_MIN - 1;
	check_errno(EINVAL, ioctl(device, TMM_MAPPED_SCAN, &scan), "a vector that is too short");
	scan = good;
	scan.vec = 8;
	check_errno(EFAULT, ioctl(device, TMM_MAPPED_SCAN, &scan),
		    "a vector that cannot be written");
	scan = good;
	scan.cgroups = 8;
	check_errno(EFAULT, ioctl(device, TMM_MAPPED_SCAN, &scan), "cgroups that cannot be read");
	scan = good;
	scan.nr_cgroups = ~0ULL;
	check_errno(E2BIG, ioctl(device, TMM_MAPPED_SCAN, &scan), "too many cgroups");
	scan = good;
	scan.walk_pid = TMM_MAPPED_END;
	scan.walk_address = ~0ULL;
	check_equal(0, ioctl(device, TMM_MAPPED_SCAN, &scan), "nothing beyond the end");
	scan = good;
	scan.walk_pid = (uint64_t)owner.pid;
	scan.walk_address = ~0ULL;
	check(ioctl(device, TMM_MAPPED_SCAN, &scan) >= 0, "an address beyond the end");
}

static void test_anon(void)
{
	uintptr_t owned = worker_map_anon(&owner, BYTES),
		  lent = worker_map_anon(&contribution, BYTES),
		  deep = worker_map_anon(&nested, BYTES);
	uint64_t *mine = worker_frames(&owner, owned, BYTES),
		 *theirs = worker_frames(&contribution, lent, BYTES),
		 *deeper = worker_frames(&nested, deep, BYTES);

	check(nearly(nr, count_now(mine, TMM_FRAME_REF, TMM_FRAME_CLASS | TMM_FRAME_FILE)),
	      "new opaque memory is referenced");
	check(nearly(nr, count_now(mine, 0, TMM_FRAME_REF)), "it is not, if it is not used again");
	worker_read_pages(&owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_REF, 0)), "it is, if it is read");
	worker_write_pages(&owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_REF, 0)), "and if it is written");
	check_equal(0, count_now(theirs, 0, 0), "memory of transparent processes is not reported");
	check_equal(0, count_now(deeper, 0, 0), "nor that of processes in cgroups below");
	worker_lock(&owner, owned);
	check(nearly(nr, count_now(mine, TMM_FRAME_UNEVICTABLE, 0)),
	      "locked memory is unevictable");
	worker_unmap(&owner, owned);
	worker_unmap(&contribution, lent);
	worker_unmap(&nested, deep);
	free(mine);
	free(theirs);
	free(deeper);
}

/* Of a file that two opaque processes and a transparent one map. */
static void test_file(void)
{
	uintptr_t first, second, lent;
	struct worker other;
	struct words words;
	uint64_t *frames;
	long looked;

	worker_start(&other, &opaque);
	worker_write_file(&owner, FILE_PATH, BYTES);
	lent = worker_map_file(&contribution, FILE_PATH);
	frames = worker_frames(&contribution, lent, BYTES);
	check_equal(0, count_now(frames, 0, 0),
		    "a file that only transparent processes map is not reported");
	first = worker_map_file(&owner, FILE_PATH);
	second = worker_map_file(&other, FILE_PATH);
	check(nearly(nr, count_now(frames, TMM_FRAME_FILE | TMM_FRAME_REF, 0)),
	      "a mapped file is referenced");
	worker_read_pages(&contribution, lent);
	check(nearly(nr, count_now(frames, TMM_FRAME_FILE, TMM_FRAME_REF)),
	      "a transparent mapping's use does not count");
	worker_read_pages(&other, second);
	check(nearly(nr, count_now(frames, TMM_FRAME_REF, 0)),
	      "the use of one of two opaque processes does");

	words = scan(3);
	looked = count_in(&words, frames, nr, 0, 0);
	check_equal(nr / 8, looked, "both processes look at the same page of each block");
	forget(&words);
	worker_unmap(&owner, first);
	worker_unmap(&other, second);
	worker_unmap(&contribution, lent);
	worker_stop(&other);
	free(frames);
	unlink(FILE_PATH);
}

static void test_tags(void)
{
	uintptr_t memory = worker_map_anon(&owner, BYTES);
	uint64_t *before = worker_frames(&owner, memory, BYTES), *after;
	struct words first = scan(0), second = scan(0), third;
	long same = 0, recycled = 0, told = 0;

	for (long i = 0; i < nr; i++)
		same += TMM_FRAME_TAG(first.by_frame[before[i]]) ==
			TMM_FRAME_TAG(second.by_frame[before[i]]);
	check(nearly(nr, same), "a page keeps its tag");
	worker_unmap(&owner, memory);
	/* above, so that no index is the same */
	memory = worker_map_anon(&owner, 8 * BYTES);
	after = worker_frames(&owner, memory, 8 * BYTES);
	third = scan(0);
	for (long i = 0; i < 8 * nr; i++) {
		uint64_t old = first.by_frame[after[i]], now = third.by_frame[after[i]];

		for (long j = 0; j < nr; j++) {
			if (before[j] != after[i] || !old || !now)
				continue;
			recycled++;
			told += TMM_FRAME_TAG(old) != TMM_FRAME_TAG(now);
		}
	}
	diag("%ld of %ld frames were recycled, %ld with another tag", recycled, nr, told);
	check(recycled > 0 && told >= recycled - 1 - recycled / 100,
	      "a recycled frame has another tag");
	worker_unmap(&owner, memory);
	forget(&first);
	forget(&second);
	forget(&third);
	free(before);
	free(after);
}

static void test_huge(void)
{
	long bytes = 8 * MIB, huge = 0, parts = 0, pages = bytes / page_size(),
	     per_huge = 2 * MIB / page_size();
	uintptr_t memory = worker_map_huge(&owner, bytes);
	uint64_t *frames = worker_frames(&owner, memory, bytes);
	struct words words = scan(4);

	for (long i = 0; i < pages; i++) {
		uint64_t word = words.by_frame[frames[i]];

		if (i % per_huge == 0)
			huge += TMM_FRAME_ORDER(word) == 9 && (word & TMM_FRAME_REF);
		else
			parts += word != 0;
	}
	check_equal(bytes / (2 * MIB), huge, "huge pages have order 9");
	check_equal(0, parts, "they are reported by their first frame");
	forget(&words);
	words = scan(4);
	check_equal(0, count_in(&words, frames, pages, TMM_FRAME_REF, 0),
		    "and are not referenced if not used again");
	forget(&words);
	worker_read_pages(&owner, memory);
	words = scan(4);
	check_equal(bytes / (2 * MIB), count_in(&words, frames, pages, TMM_FRAME_REF, 0),
		    "and are if they are");
	forget(&words);
	worker_unmap(&owner, memory);
	free(frames);
}

static uintptr_t map_clean_file(const char *path, long bytes)
{
	uintptr_t memory;

	worker_write_file(&owner, path, bytes);
	drop_file(path);
	memory = worker_map_file(&owner, path);
	worker_forget_uses(&owner);
	return memory;
}

struct lost {
	long used, idle;
};

static struct lost reclaim_files(int scans)
{
	long bytes = 32 * MIB, pages = bytes / page_size();
	uintptr_t in_use = map_clean_file(FILE_PATH, bytes),
		  idle = map_clean_file(IDLE_FILE, bytes);
	struct lost lost;

	worker_read_pages(&owner, in_use);
	for (int i = 0; i < scans; i++)
		start_afresh();
	write_number(cgroup_file(&opaque, "memory.reclaim"), bytes * 3 / 4);
	lost.used = pages - resident_pages(FILE_PATH);
	lost.idle = pages - resident_pages(IDLE_FILE);
	worker_unmap(&owner, in_use);
	worker_unmap(&owner, idle);
	unlink(FILE_PATH);
	unlink(IDLE_FILE);
	return lost;
}

static long missing_pages(uintptr_t memory, long bytes)
{
	uint64_t *frames = worker_frames(&owner, memory, bytes);
	long missing = 0;

	for (long i = 0; i < bytes / page_size(); i++)
		missing += !frames[i];
	free(frames);
	return missing;
}

static struct lost reclaim_anon(int scans)
{
	long bytes = 32 * MIB;
	uintptr_t in_use = worker_map_anon(&owner, bytes), idle = worker_map_anon(&owner, bytes);
	struct lost lost;

	worker_forget_uses(&owner);
	worker_read_pages(&owner, in_use);
	for (int i = 0; i < scans; i++)
		start_afresh();
	write_number(cgroup_file(&opaque, "memory.reclaim"), bytes * 3 / 4);
	lost.used = missing_pages(in_use, bytes);
	lost.idle = missing_pages(idle, bytes);
	worker_unmap(&owner, in_use);
	worker_unmap(&owner, idle);
	return lost;
}

/*
 * Reclaim must not miss the uses that scans have taken out of the page tables, see the test of the
 * series (scan_test.c). The same without scans is for comparison: the multi-gen LRU may not look.
 */
static void test_reclaim(const char *what, struct lost (*reclaim)(int scans))
{
	long pages = 32 * MIB / page_size();
	struct lost without = reclaim(0), with = reclaim(1), thrice = reclaim(3);

	diag("%s: of %ld pages in use and as many idle ones, reclaim took %ld and %ld without a scan, %ld and %ld "
	     "after one, %ld and %ld after three",
	     what, pages, without.used, without.idle, with.used, with.idle, thrice.used, thrice.idle);
	check(with.idle > pages / 2 && thrice.idle > pages / 2, "%s: reclaim takes idle memory", what);
	check(with.used < pages / 20, "%s: and not what was in use before a scan", what);
	check(thrice.used < pages / 20, "%s: nor before three", what);
}

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The memory of the worker in pages, as a sample with that shift tells. */
static void estimate(const struct words *words, uint32_t shift, const uint64_t *frames, long pages,
		     long *used, long *all)
{
	*used = count_in(words, frames, pages, TMM_FRAME_REF, 0) << shift;
	*all = count_in(words, frames, pages, 0, 0) << shift;
}

/* The memcg and the youngest generation of the owner's cgroup in lru_gen of debugfs. */
static bool find_generations(unsigned long *memcg, unsigned long *youngest)
{
	FILE *file = fopen("/sys/kernel/debug/lru_gen", "re");
	char line[256], path[200];
	bool found = false;

	while (file && fgets(line, sizeof(line), file)) {
		unsigned long value;

		if (sscanf(line, "memcg %lu %199s", &value, path) == 2) {
			if (found)
				break;
			found = value && strcmp(path, opaque.path + strlen("/sys/fs/cgroup")) == 0;
			*memcg = value;
		} else if (found && sscanf(line, " %lu %*u", &value) == 1) {
			*youngest = value;
		}
	}
	if (file)
		fclose(file);
	return found;
}

/* What the generations of the multi-gen LRU cost for the same. */
static void measure_ageing(uintptr_t loop)
{
	unsigned long memcg = 0, youngest = 0;
	char command[64];
	double cpu;

	if (!multi_gen_lru() || !find_generations(&memcg, &youngest)) {
		diag("there are no generations to compare with");
		return;
	}
	worker_read_pages(&owner, loop);
	snprintf(command, sizeof(command), "+ %lu 0 %lu 1 1", memcg, youngest);
	cpu = cpu_seconds();
	must_write("/sys/kernel/debug/lru_gen", command);
	diag("an ageing call of the multi-gen LRU for the same memory: %.1f ms",
	     1e3 * (cpu_seconds() - cpu));
}

/* A loop over known memory beside forgotten memory, as docs/policy.md has it for the other sources. */
static void test_accuracy(void)
{
	long hot = 46080, cold = 25600;
	uintptr_t loop = worker_map_anon(&owner, hot * page_size()),
		  forgotten = worker_map_anon(&owner, cold * page_size());
	uint64_t *hot_frames = worker_frames(&owner, loop, hot * page_size()),
		 *cold_frames = worker_frames(&owner, forgotten, cold * page_size());

	for (uint32_t shift = 0; shift <= 6; shift += 2) {
		long used, all, cold_used, cold_all;
		struct words words;
		double began;

		start_afresh();
		worker_read_pages(&owner, loop);
		began = cpu_seconds();
		words = scan(shift);
		began = cpu_seconds() - began;
		estimate(&words, shift, hot_frames, hot, &used, &all);
		estimate(&words, shift, cold_frames, cold, &cold_used, &cold_all);
		diag("shift %u: loop %ld of %ld used, truth %ld; forgotten %ld of %ld used, truth 0 of %ld; %ld words, %.1f ms",
		     shift, used, all, hot, cold_used, cold_all, cold, words.reported, 1e3 * began);
		check(labs(used - hot) <= hot / 100, "shift %u: the loop is in use", shift);
		check(cold_used <= cold / 100 && labs(cold_all - cold) <= cold / 50,
		      "shift %u: what is forgotten is not", shift);
		forget(&words);
	}
	measure_ageing(loop);
	worker_unmap(&owner, loop);
	worker_unmap(&owner, forgotten);
	free(hot_frames);
	free(cold_frames);
}

static void on_alarm(int number)
{
	(void)number;
}

/* A signal ends a call; the scan goes on behind what it has found. */
static void test_signals(void)
{
	uintptr_t memory = worker_map_anon(&owner, 64 * MIB);
	long pages = 64 * MIB / page_size(), found;
	uint64_t *frames = worker_frames(&owner, memory, 64 * MIB);
	struct itimerval timer = { .it_interval.tv_usec = 500, .it_value.tv_usec = 500 };
	struct sigaction action = { .sa_handler = on_alarm, .sa_flags = SA_RESTART };
	struct words words;

	sigaction(SIGALRM, &action, NULL);
	start_afresh();
	worker_read_pages(&owner, memory);
	setitimer(ITIMER_REAL, &timer, NULL);
	words = scan(0);
	timer = (struct itimerval){ 0 };
	setitimer(ITIMER_REAL, &timer, NULL);
	found = count_in(&words, frames, pages, TMM_FRAME_REF, 0);
	check(nearly(pages, found), "a scan that signals interrupt finds all");
	forget(&words);
	worker_unmap(&owner, memory);
	free(frames);
}

/* Opens the device, scans, and closes it, until it is killed. */
static void scan_for_ever(void)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];

	for (;;) {
		int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		struct tmm_mapped_scan scan = request(vec, 2);

		for (int calls = rand() % 4; fd >= 0 && calls > 0; calls--)
			if (ioctl(fd, TMM_MAPPED_SCAN, &scan) < 0 ||
			    scan.walk_pid == TMM_MAPPED_END)
				break;
		if (fd >= 0)
			close(fd);
		usleep((useconds_t)(rand() % 8000));
	}
}

/* Processes that come, use memory and go. */
static void fork_for_ever(void)
{
	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			volatile char *memory = calloc(1, MIB);

			for (long i = 0; memory && i < MIB; i += page_size())
				memory[i] = 1;
			_exit(0);
		}
		waitpid(pid, NULL, 0);
	}
}

/* With pauses: the program's own code would have to be read again and again. */
static void reclaim_for_ever(void)
{
	for (;;) {
		write_number(cgroup_file(&opaque, "memory.reclaim"), MIB / 4);
		usleep(5000);
	}
}

/* In the cgroup of the owner. */
static pid_t start(void (*work)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		must_write(cgroup_file(&opaque, "cgroup.procs"), "0");
		srand((unsigned int)getpid());
		work();
	}
	if (pid < 0)
		bail_out("fork");
	return pid;
}

static void stop(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static bool unload(void)
{
	if (!syscall(SYS_delete_module, "tmm_mapped", O_NONBLOCK))
		return true;
	if (errno != EAGAIN && errno != EBUSY)
		bail_out("cannot unload the module");
	return false;
}

static void load(int file)
{
	if (syscall(SYS_finit_module, file, "", 0))
		bail_out("cannot load the module");
}

/* In 64 attempts beside the scanner. It has the device open most of the time. */
static bool unload_beside_scans(void)
{
	for (int attempts = 0; attempts < 64; attempts++) {
		if (unload())
			return true;
		usleep((useconds_t)(rand() % 500));
	}
	return false;
}

/*
 * The module goes at any moment that the kernel lets it: between two openers, or when the kernel
 * closes the device of a process that is killed in a scan; and while reclaim asks for references.
 */
static void test_unload(const char *module, long rounds)
{
	uintptr_t memory = worker_map_anon(&owner, 16 * MIB);
	int file = open(module, O_RDONLY | O_CLOEXEC);
	long between = 0, after_kill = 0;
	pid_t scanner, others[2];

	if (file < 0)
		bail_out("cannot open %s", module);
	if (!check(unload(), "the module can be unloaded once the device is closed"))
		goto out;
	load(file);
	scanner = start(scan_for_ever);
	others[0] = start(fork_for_ever);
	others[1] = start(reclaim_for_ever);
	for (long round = 1; round <= rounds; round++) {
		if (unload_beside_scans()) {
			between++;
		} else {
			stop(scanner);
			scanner = 0;
			if (!unload())
				break;
			after_kill++;
		}
		load(file);
		if (!scanner)
			scanner = start(scan_for_ever);
		if (round % 5 == 0)
			diag("unloaded %ld times between two openers, %ld after one was killed",
			     between, after_kill);
		usleep((useconds_t)(rand() % 20000));
		if (round % 8 == 0)
			worker_read_pages(&owner, memory);
	}
	if (scanner)
		stop(scanner);
	for (int i = 0; i < 2; i++)
		stop(others[i]);
	check_equal(rounds, between + after_kill,
		    "and beside scans, forks and reclaim, once the scanner ends");
out:
	worker_unmap(&owner, memory);
	close(file);
}

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
	nr = BYTES / page_size();
	cgroup_create(&opaque, "opaque", false);
	cgroup_create(&transparent, "transparent", false);
	cgroup_create_below(&below, &transparent, "below");
	transparent_id = id_of(&transparent);
	worker_start(&owner, &opaque);
	worker_start(&nested, &below);
	worker_start(&contribution, &transparent);
	/* after the forks, or the workers have it open as well, and the module cannot go */
	device = open(DEVICE, O_RDWR | O_CLOEXEC);
	if (device < 0)
		bail_out("cannot open " DEVICE);
	test_reclaim("files", reclaim_files);
	test_reclaim("anonymous memory", reclaim_anon);
	if (!reclaim_only) {
		test_requests();
		test_anon();
		test_file();
		test_tags();
		test_huge();
		test_signals();
		test_accuracy();
	}
	close(device);
	if (!reclaim_only)
		test_unload(argv[1], atol(argv[2]));
	worker_stop(&owner);
	worker_stop(&nested);
	worker_stop(&contribution);
	cgroup_remove(&opaque);
	cgroup_remove(&below);
	cgroup_remove(&transparent);
	tap_end();
}
