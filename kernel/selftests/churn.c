// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "churn.h"

#include "guest.h"
#include "jobs.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t ended;

void churn_end(int signal)
{
	(void)signal;
	ended = 1;
}

static long repeat(long (*turn)(const char *, long), const char *path, long number)
{
	long turns = 0, failed;

	ended = 0;
	do {
		failed = turn(path, number);
		if (failed < 0)
			return failed;
		if (turns++ == 0)
			worker_reply(0); /* the load is on */
	} while (!ended);
	return turns;
}

static long use_anon(long bytes, int (*use)(void *memory, size_t bytes))
{
	size_t size = (size_t)bytes;
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int failed;

	if (memory == MAP_FAILED)
		return -errno;
	failed = use(memory, size);
	if (munmap(memory, size))
		return -errno;
	return failed;
}

static int use_small(void *memory, size_t bytes)
{
	return madvise(memory, bytes, MADV_POPULATE_WRITE) ? -errno : 0;
}

static int use_huge(void *memory, size_t bytes)
{
	if (madvise(memory, bytes, MADV_HUGEPAGE))
		return -errno;
	touch_pages((uintptr_t)memory, bytes, true);
	/* splits a huge page, if there is one */
	return munmap((char *)memory + bytes / 2, (size_t)page_size()) ? -errno : 0;
}

static int use_locked(void *memory, size_t bytes)
{
	if (mlock(memory, bytes))
		return -errno;
	return munlock(memory, bytes / 2) ? -errno : 0;
}

static int use_in_child(void *memory, size_t bytes)
{
	pid_t child;

	touch_pages((uintptr_t)memory, bytes, true);
	child = fork();
	if (child < 0)
		return -errno;
	if (child == 0) {
		touch_pages((uintptr_t)memory, bytes / 2, true);
		_exit(0);
	}
	while (waitpid(child, NULL, 0) < 0)
		if (errno != EINTR)
			return -errno;
	return 0;
}

static long turn_anon(const char *path, long bytes)
{
	(void)path;
	return use_anon(bytes, use_small);
}

static long turn_huge(const char *path, long bytes)
{
	(void)path;
	return use_anon(bytes, use_huge);
}

static long turn_locked(const char *path, long bytes)
{
	(void)path;
	return use_anon(bytes, use_locked);
}

static long turn_forks(const char *path, long bytes)
{
	(void)path;
	return use_anon(bytes, use_in_child);
}

static long turn_file(const char *path, long bytes)
{
	long address;

	address = job_write_file(path, bytes);
	if (address < 0)
		return address;
	address = job_map_file(path, 0);
	if (address < 0)
		return address;
	job_write_pages(path, address);
	if (unlink(path))
		return -errno;
	return job_unmap(path, address);
}

long churn_anon(const char *path, long bytes)
{
	return repeat(turn_anon, path, bytes);
}

long churn_huge(const char *path, long bytes)
{
	return repeat(turn_huge, path, bytes);
}

long churn_locked(const char *path, long bytes)
{
	return repeat(turn_locked, path, bytes);
}

long churn_forks(const char *path, long bytes)
{
	return repeat(turn_forks, path, bytes);
}

long churn_file(const char *path, long bytes)
{
	return repeat(turn_file, path, bytes);
}

long churn_mapping(const char *path, long address)
{
	return repeat(job_write_pages, path, address);
}

long churn_reading(const char *path, long address)
{
	return repeat(job_read_pages, path, address);
}
