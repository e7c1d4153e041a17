// SPDX-License-Identifier: GPL-2.0-only
/*
 * Whose uses the scanner reports when pages move (compaction, swap), and when processes do (fork,
 * exec, another cgroup).
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "jobs.h"
#include "scene.h"
#include "suites.h"
#include "swap.h"
#include "tap.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_PATH "tmm-test-movement"
#define PROGRAM "./tmm-test-program"
#define BYTES (4 * MIB)
#define KEPT_BY_PROCESSORS "/proc/sys/vm/percpu_pagelist_high_fraction"
#define FILLER_BYTES (96 * MIB)

static const uint64_t used = TMM_FRAME_REF, lent = TMM_FRAME_CLASS,
		      both = TMM_FRAME_CLASS | TMM_FRAME_SHARED;

static struct scene scene;
static struct worker *const owner = &scene.owner, *const contribution = &scene.contribution;
static long nr;

static void expect(const uint64_t *frames, uint64_t set, uint64_t clear, const char *name)
{
	check_scan(&scene, frames, nr, set, clear, "%s", name);
}

/* Pages of a mapping, before and after memory was compacted. */
struct moved {
	struct worker *worker;
	uintptr_t address;
	uint64_t *before, *after;
};

static struct moved moved_begin(struct worker *worker, uintptr_t address)
{
	return (struct moved){worker, address, worker_frames(worker, address, BYTES), NULL};
}

/* Leaves only the pages that have moved, and returns their number. */
static long moved_end(struct moved *moved)
{
	long count = 0;

	moved->after = worker_frames(moved->worker, moved->address, BYTES);
	for (long i = 0; i < nr; i++) {
		if (!moved->after[i] || moved->after[i] == moved->before[i])
			continue;
		moved->before[count] = moved->before[i];
		moved->after[count++] = moved->after[i];
	}
	worker_unmap(moved->worker, moved->address);
	return count;
}

static long same_tags(const struct moved *moved, long count, const struct snapshot *before,
		      const struct snapshot *after)
{
	long same = 0;

	for (long i = 0; i < count; i++) {
		uint64_t word = before->words[moved->before[i]],
			 now = after->words[moved->after[i]];

		same += word && now && TMM_FRAME_TAG(word) == TMM_FRAME_TAG(now);
	}
	return same;
}

/* Leaves one page in four. */
static long job_thin_out(const char *path, long address)
{
	(void)path;
	for (long at = 0; at < FILLER_BYTES; at += 4 * page_size())
		if (madvise((void *)(address + at), 3 * (size_t)page_size(), MADV_DONTNEED))
			return -errno;
	return 0;
}

/* What may move; which of it does depends on where it comes to lie. */
enum { OWNED, OWNED_IDLE, LENT, SHARED_FILE, NR_KINDS };

/* Pages of a kind that moved, in all tries. */
struct tally {
	long moved, as_expected, same_tag;
};

static const struct {
	const char *name;
	uint64_t set, clear;
} kinds[NR_KINDS] = {
	[OWNED] = {"used opaque memory is referenced", TMM_FRAME_REF,
		   TMM_FRAME_CLASS | TMM_FRAME_SHARED},
	[OWNED_IDLE] = {"unused opaque memory is not", 0, TMM_FRAME_REF | TMM_FRAME_CLASS},
	[LENT] = {"used transparent memory is not", TMM_FRAME_CLASS,
		  TMM_FRAME_REF | TMM_FRAME_SHARED},
	[SHARED_FILE] = {"a shared file stays shared", TMM_FRAME_CLASS | TMM_FRAME_SHARED,
			 TMM_FRAME_REF},
};

/*
 * Compaction takes pages from the beginning of memory to gaps at its end. Before and behind ours
 * in the order of allocation there is memory with many gaps, so that they are in the half that
 * moves, whichever way that order goes.
 */
static void compact_once(struct tally tallies[NR_KINDS])
{
	struct snapshot before, after;
	struct moved moved[NR_KINDS];
	struct worker filler;
	uintptr_t first, last;
	long long kept = read_number(KEPT_BY_PROCESSORS);

	/* processors keep up to one page in eight of all memory to themselves, which is no gap */
	must_write(KEPT_BY_PROCESSORS, "1000");
	worker_start(&filler, &scene.transparent);
	first = worker_map_anon(&filler, FILLER_BYTES);
	worker_write_file(contribution, FILE_PATH, BYTES);
	worker_read_file(owner, FILE_PATH);
	moved[OWNED] = moved_begin(owner, worker_map_anon(owner, BYTES));
	moved[OWNED_IDLE] = moved_begin(owner, worker_map_anon(owner, BYTES));
	moved[LENT] = moved_begin(contribution, worker_map_anon(contribution, BYTES));
	moved[SHARED_FILE] = moved_begin(contribution, worker_map_file(contribution, FILE_PATH));
	last = worker_map_anon(&filler, FILLER_BYTES);
	worker_do(&filler, job_thin_out, "memory", (long)first);
	worker_do(&filler, job_thin_out, "memory", (long)last);

	snapshot_take(&before, scene.device);
	worker_read_pages(owner, moved[OWNED].address);
	worker_read_pages(contribution, moved[LENT].address);
	must_write("/proc/sys/vm/compact_memory", "1");
	snapshot_take(&after, scene.device);
	for (int i = 0; i < NR_KINDS; i++) {
		long count = moved_end(&moved[i]);

		tallies[i].moved += count;
		tallies[i].as_expected +=
			count_flags(&after, moved[i].after, count, kinds[i].set, kinds[i].clear);
		tallies[i].same_tag += same_tags(&moved[i], count, &before, &after);
		free(moved[i].before);
		free(moved[i].after);
	}
	snapshot_free(&before);
	snapshot_free(&after);
	worker_stop(&filler);
	write_number(KEPT_BY_PROCESSORS, kept);
	unlink(FILE_PATH);
}

static bool enough_moved(const struct tally *tally)
{
	return tally->moved >= nr / 8;
}

static void test_compaction(void)
{
	struct tally tallies[NR_KINDS] = {{0}};
	int tries = 0, nr_enough;

	do {
		compact_once(tallies);
		nr_enough = 0;
		for (int i = 0; i < NR_KINDS; i++)
			nr_enough += enough_moved(&tallies[i]);
	} while (nr_enough < NR_KINDS && ++tries < 20);

	for (int i = 0; i < NR_KINDS; i++) {
		const struct tally *tally = &tallies[i];

		diag("%ld pages moved, %ld as expected, %ld with the same tag", tally->moved,
		     tally->as_expected, tally->same_tag);
		check(enough_moved(tally) && nearly_all(tally->as_expected, tally->moved),
		      "compaction: %s", kinds[i].name);
		check(enough_moved(tally) && nearly_all(tally->same_tag, tally->moved),
		      "compaction: %s, and keeps its tags", kinds[i].name);
	}
}

static void test_swapoff(void)
{
	uintptr_t owned = worker_map_anon(owner, BYTES),
		  theirs = worker_map_anon(contribution, BYTES);
	uint64_t *mine, *others;
	struct snapshot snapshot;
	long out = 0;

	start_afresh(&scene);
	evict_all(&scene.opaque);
	evict_all(&scene.transparent);
	mine = worker_frames(owner, owned, BYTES);
	others = worker_frames(contribution, theirs, BYTES);
	for (long i = 0; i < nr; i++)
		out += !mine[i] && !others[i];
	check(nearly_all(out, nr), "swap: both are swapped out");
	free(mine);
	free(others);

	swap_take_away();
	mine = worker_frames(owner, owned, BYTES);
	others = worker_frames(contribution, theirs, BYTES);
	snapshot_take(&snapshot, scene.device);
	check(nearly_all(count_flags(&snapshot, mine, nr, 0, used | lent | TMM_FRAME_SHARED), nr),
	      "swap: opaque memory is not used by being brought back by swapoff");
	check(nearly_all(count_flags(&snapshot, others, nr, lent, used | TMM_FRAME_SHARED), nr),
	      "swap: nor is transparent memory, and it stays transparent");
	snapshot_free(&snapshot);
	free(mine);
	free(others);
	swap_restore();

	evict_all(&scene.opaque);
	evict_all(&scene.transparent);
	worker_read_pages(owner, owned);
	worker_read_pages(contribution, theirs);
	mine = worker_frames(owner, owned, BYTES);
	others = worker_frames(contribution, theirs, BYTES);
	snapshot_take(&snapshot, scene.device);
	check(nearly_all(count_flags(&snapshot, mine, nr, used, lent), nr),
	      "swap: opaque memory is used by the fault that brings it back");
	check(nearly_all(count_flags(&snapshot, others, nr, lent, used | TMM_FRAME_SHARED), nr),
	      "swap: transparent memory is not");
	snapshot_free(&snapshot);
	worker_unmap(owner, owned);
	worker_unmap(contribution, theirs);
	free(mine);
	free(others);
}

/* A byte from a process that this one has started; nothing comes if it has died. */
static long await(int fd)
{
	char byte;
	ssize_t got = read(fd, &byte, 1);

	close(fd);
	return got == 1 ? 0 : -ECHILD;
}

/* The child writes to all of its copy of the memory, and waits. Returns its process. */
static long job_fork_and_write(const char *path, long address)
{
	int ready[2];
	long failed;
	pid_t pid;

	(void)path;
	if (pipe2(ready, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		touch_pages((uintptr_t)address, BYTES, true);
		if (write(ready[1], "", 1) == 1)
			pause();
		_exit(1);
	}
	close(ready[1]);
	failed = await(ready[0]);
	return pid < 0 ? -EAGAIN : failed ? failed : pid;
}

static void test_fork(void)
{
	uintptr_t memory = worker_map_anon(contribution, BYTES);
	struct worker child = {
		.pid = (pid_t)worker_do(contribution, job_fork_and_write, "fork", (long)memory)};
	uint64_t *parents = worker_frames(contribution, memory, BYTES),
		 *copies = worker_frames(&child, memory, BYTES);
	long copied = 0;

	for (long i = 0; i < nr; i++)
		copied += copies[i] && copies[i] != parents[i];
	check(nearly_all(copied, nr), "fork: the child has pages of its own");
	expect(copies, lent, used | TMM_FRAME_SHARED,
	       "fork: uses of the child of a transparent process are transparent");
	worker_read_pages(contribution, memory);
	expect(parents, lent, used | TMM_FRAME_SHARED, "fork: those of its parent, too");
	kill(child.pid, SIGKILL);
	worker_unmap(contribution, memory);
	free(parents);
	free(copies);
}

static long job_copy_shell(const char *path, long unused)
{
	int from = open("/bin/sh", O_RDONLY | O_CLOEXEC),
	    to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0700);
	char page[4096];
	ssize_t got;

	(void)unused;
	while ((got = read(from, page, sizeof(page))) > 0)
		if (write(to, page, (size_t)got) != got)
			return -errno;
	if (got < 0 || fsync(to))
		return -errno;
	close(from);
	close(to);
	return 0;
}

/* Starts the shell, which says that it runs, and waits. Returns its process. */
static long job_run_shell(const char *path, long unused)
{
	int input[2], output[2];
	long failed;
	pid_t pid;

	(void)unused;
	if (pipe2(input, 0) || pipe2(output, O_CLOEXEC))
		return -errno;
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* it reads from a pipe that nobody else writes to, and no end comes */
		dup2(input[0], STDIN_FILENO);
		dup2(output[1], STDOUT_FILENO);
		execl(path, "sh", "-c", "echo; read line", NULL);
		_exit(127);
	}
	close(input[0]);
	close(input[1]);
	close(output[1]);
	failed = await(output[0]);
	return pid < 0 ? -EAGAIN : failed ? failed : pid;
}

static long job_map_program(const char *path, long unused)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;
	void *memory;

	(void)unused;
	if (fd < 0 || fstat(fd, &status))
		return -errno;
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED | MAP_POPULATE, fd, 0);
	close(fd);
	return memory == MAP_FAILED ? -errno : (long)memory;
}

/* Frames of the stack, those that are present first. Returns their number. */
static long stack_frames(pid_t pid, uint64_t **frames)
{
	unsigned long start = 0, end = 0;
	char path[64], line[256];
	long pages, present = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, "[stack]") && sscanf(line, "%lx-%lx", &start, &end) == 2)
			break;
	if (!maps || !end)
		bail_out("no stack in %s", path);
	fclose(maps);
	pages = (long)(end - start) / page_size();
	*frames = worker_frames(&(struct worker){.pid = pid}, start, (long)(end - start));
	for (long i = 0; i < pages; i++)
		if ((*frames)[i])
			(*frames)[present++] = (*frames)[i];
	return present;
}

static void test_exec(void)
{
	struct worker lent_shell, own_shell;
	struct stat status;
	uint64_t *program, *stack;
	struct snapshot snapshot;
	uintptr_t memory;
	long pages, nr_stack;

	worker_do(contribution, job_copy_shell, PROGRAM, 0);
	if (stat(PROGRAM, &status))
		bail_out("no " PROGRAM);
	pages = (long)(status.st_size + page_size() - 1) / page_size();
	lent_shell.pid = (pid_t)worker_do(contribution, job_run_shell, PROGRAM, 0);
	memory = (uintptr_t)worker_do(contribution, job_map_program, PROGRAM, 0);
	program = worker_frames(contribution, memory, pages * page_size());
	nr_stack = stack_frames(lent_shell.pid, &stack);
	snapshot_take(&snapshot, scene.device);
	check(nearly_all(count_flags(&snapshot, program, pages, lent, used | TMM_FRAME_SHARED),
			 pages),
	      "exec: a program that transparent processes run is transparent");
	check(nr_stack > 0 && count_flags(&snapshot, stack, nr_stack, lent,
					  used | TMM_FRAME_SHARED) == nr_stack,
	      "exec: so is the stack that it has got by it");
	snapshot_free(&snapshot);

	own_shell.pid = (pid_t)worker_do(owner, job_run_shell, PROGRAM, 0);
	snapshot_take(&snapshot, scene.device);
	diag("%ld of %ld pages of the program are used by both",
	     count_flags(&snapshot, program, pages, both, 0), pages);
	check(count_flags(&snapshot, program, pages, both | used, 0) > pages / 4,
	      "exec: what an opaque process uses of it is shared and referenced");
	check_equal(0,
		    count_flags(&snapshot, program, pages, lent | used, 0) -
			    count_flags(&snapshot, program, pages, both | used, 0),
		    "exec: nothing of it is referenced without being shared");
	check_equal(nr_stack,
		    count_flags(&snapshot, stack, nr_stack, lent, used | TMM_FRAME_SHARED),
		    "exec: the transparent process's stack is not shared by that");
	snapshot_free(&snapshot);
	kill(lent_shell.pid, SIGKILL);
	kill(own_shell.pid, SIGKILL);
	unlink(PROGRAM);
	free(program);
	free(stack);
}

static void move_owner(const struct cgroup *cgroup)
{
	if (write_number(cgroup_file(cgroup, "cgroup.procs"), owner->pid))
		bail_out("cannot move a process to %s", cgroup->path);
}

/* The class of a use is that of the process when it is found; the charge stays where it is. */
static void test_move(void)
{
	uintptr_t old = worker_map_anon(owner, BYTES), new;
	uint64_t *old_frames = worker_frames(owner, old, BYTES), *new_frames;

	start_afresh(&scene);
	move_owner(&scene.transparent);
	worker_read_pages(owner, old);
	expect(old_frames, 0, used | lent,
	       "move: transparent uses of its old memory, which stays opaque, do not count");
	new = worker_map_anon(owner, BYTES);
	new_frames = worker_frames(owner, new, BYTES);
	expect(new_frames, lent, used | TMM_FRAME_SHARED, "move: its new memory is transparent");
	move_owner(&scene.opaque);
	worker_read_pages(owner, old);
	expect(old_frames, used, lent, "move: one that came back references its old memory");
	worker_read_pages(owner, new);
	expect(new_frames, both | used, 0, "move: and shares what it got while it was transparent");
	worker_unmap(owner, old);
	worker_unmap(owner, new);
	free(old_frames);
	free(new_frames);
}

void movement_suite(void)
{
	nr = BYTES / page_size();
	scene_begin(&scene);
	test_compaction();
	test_swapoff();
	test_fork();
	test_exec();
	test_move();
	scene_end(&scene);
}
