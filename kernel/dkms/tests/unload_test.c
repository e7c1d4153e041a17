// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests that the module can be unloaded at any moment.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Opens the device, scans, and closes it, until it is killed. */
static void scan_for_ever(void)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];

	for (;;) {
		int fd = open(DEVICE, O_RDWR | O_CLOEXEC);
		struct tmm_mapped_scan scan = mapped_request(vec, 2);

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
		write_number(cgroup_file(&mapped.opaque, "memory.reclaim"), MIB / 4);
		usleep(5000);
	}
}

/* In the cgroup of the owner. */
static pid_t start(void (*work)(void))
{
	pid_t pid = fork();

	if (pid == 0) {
		must_write(cgroup_file(&mapped.opaque, "cgroup.procs"), "0");
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
void unload_suite(const char *module, long rounds)
{
	uintptr_t memory = worker_map_anon(&mapped.owner, 16 * MIB);
	int file = open(module, O_RDONLY | O_CLOEXEC);
	long between = 0, after_kill = 0;
	pid_t scanner, others[2];

	close(mapped.device);
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
			worker_read_pages(&mapped.owner, memory);
	}
	if (scanner)
		stop(scanner);
	for (int i = 0; i < 2; i++)
		stop(others[i]);
	check_equal(rounds, between + after_kill,
		    "and beside scans, forks and reclaim, once the scanner ends");
out:
	worker_unmap(&mapped.owner, memory);
	close(file);
}
