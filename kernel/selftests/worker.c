// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "worker.h"

#include "churn.h"
#include "jobs.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* A request: the worker is a fork, so a function has the same address there. */
struct job {
	long (*work)(const char *path, long number);
	char path[128];
	long number;
};

/* In the worker. */
static int reply_fd;

void worker_reply(long result)
{
	if (write(reply_fd, &result, sizeof(result)) != sizeof(result))
		_exit(1);
}

static void worker_main(int request)
{
	struct job job;

	signal(SIGUSR1, churn_end);
	worker_reply(0);
	while (read(request, &job, sizeof(job)) == sizeof(job))
		worker_reply(job.work(job.path, job.number));
	_exit(0);
}

static long receive(const struct worker *worker, const char *path)
{
	long result;

	if (read(worker->reply, &result, sizeof(result)) != sizeof(result)) {
		errno = ECHILD;
		bail_out("a worker has died at %s", path);
	}
	if (result < 0) {
		errno = (int)-result;
		bail_out("a worker failed at %s", path);
	}
	return result;
}

void worker_start(struct worker *worker, const struct cgroup *cgroup)
{
	int request[2], answer[2];

	if (pipe2(request, O_CLOEXEC) || pipe2(answer, O_CLOEXEC))
		bail_out("pipe");
	worker->pid = fork();
	if (worker->pid < 0)
		bail_out("fork");
	if (worker->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		/* the end of the requests is seen only if nobody else can write to it */
		close(request[1]);
		must_write(cgroup_file(cgroup, "cgroup.procs"), "0");
		reply_fd = answer[1];
		worker_main(request[0]);
	}
	close(request[0]);
	close(answer[1]);
	worker->request = request[1];
	worker->reply = answer[0];
	/* it is in the cgroup now */
	receive(worker, "its start");
}

void worker_stop(struct worker *worker)
{
	kill(worker->pid, SIGKILL);
	if (waitpid(worker->pid, NULL, 0) < 0)
		bail_out("waitpid");
	close(worker->request);
	close(worker->reply);
}

static void send(const struct worker *worker, long (*work)(const char *, long), const char *path,
		 long number)
{
	struct job job = {.work = work, .number = number};

	snprintf(job.path, sizeof(job.path), "%s", path);
	if (write(worker->request, &job, sizeof(job)) != sizeof(job))
		bail_out("a worker has died");
}

static long call(const struct worker *worker, long (*work)(const char *, long), const char *path,
		 long number)
{
	send(worker, work, path, number);
	return receive(worker, path);
}

long worker_do(struct worker *worker, long (*work)(const char *, long), const char *path,
	       long number)
{
	return call(worker, work, path, number);
}

uintptr_t worker_map_anon(struct worker *worker, long bytes)
{
	return (uintptr_t)call(worker, job_map_anon, "anonymous memory", bytes);
}

uintptr_t worker_map_huge(struct worker *worker, long bytes)
{
	return (uintptr_t)call(worker, job_map_huge, "huge pages", bytes);
}

uintptr_t worker_map_file(struct worker *worker, const char *path)
{
	return (uintptr_t)call(worker, job_map_file, path, 0);
}

void worker_unmap(struct worker *worker, uintptr_t address)
{
	call(worker, job_unmap, "munmap", (long)address);
}

void worker_read_pages(struct worker *worker, uintptr_t address)
{
	call(worker, job_read_pages, "its memory", (long)address);
}

void worker_write_pages(struct worker *worker, uintptr_t address)
{
	call(worker, job_write_pages, "its memory", (long)address);
}

void worker_write_file(struct worker *worker, const char *path, long bytes)
{
	call(worker, job_write_file, path, bytes);
}

void worker_read_file(struct worker *worker, const char *path)
{
	call(worker, job_read_file, path, 0);
}

void worker_read_ahead(struct worker *worker, const char *path)
{
	call(worker, job_read_ahead, path, 0);
}

void worker_churn_start(struct worker *worker, long bytes)
{
	worker_churn(worker, churn_anon, "churn", bytes);
}

void worker_churn(struct worker *worker, long (*churn)(const char *, long), const char *path,
		  long number)
{
	send(worker, churn, path, number);
	receive(worker, path);
}

long worker_churn_end(struct worker *worker)
{
	kill(worker->pid, SIGUSR1);
	return receive(worker, "churn");
}

void worker_bind(struct worker *worker, int node)
{
	call(worker, job_bind, "set_mempolicy", node);
}

void worker_lock(struct worker *worker, uintptr_t address)
{
	call(worker, job_lock, "mlock", (long)address);
}

void worker_forget_uses(const struct worker *worker)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/clear_refs", worker->pid);
	must_write(path, "1");
}

uint64_t *worker_frames(const struct worker *worker, uintptr_t address, long bytes)
{
	size_t nr = (size_t)(bytes / page_size());
	uint64_t *frames = calloc(nr, sizeof(*frames));
	char path[64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/pagemap", worker->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (!frames || fd < 0 ||
	    pread(fd, frames, nr * 8, (off_t)(address / (uintptr_t)page_size() * 8)) !=
		    (ssize_t)(nr * 8))
		bail_out("cannot read %s", path);
	close(fd);
	for (size_t i = 0; i < nr; i++)
		frames[i] = frames[i] >> 63 ? frames[i] & ((1ULL << 55) - 1) : 0;
	return frames;
}
