// SPDX-License-Identifier: GPL-2.0-only
/*
 * Who may open /dev/tmm, what it refuses, and what its last close does; the files in
 * /sys/kernel/mm/tmm.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "suites.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSFS "/sys/kernel/mm/tmm/"

/* errno of an open of the device by a process that `prepare` has changed. */
static int errno_of_open(void (*prepare)(void))
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		bail_out("fork");
	if (pid == 0) {
		if (prepare)
			prepare();
		_exit(open(TMM_DEVICE, O_RDWR | O_CLOEXEC) < 0 ? errno : 0);
	}
	if (waitpid(pid, &status, 0) < 0)
		bail_out("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void become_nobody(void)
{
	if (setuid(65534))
		_exit(255);
}

/* Still root, so that the mode of the device lets it pass. */
static void drop_sys_admin(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[2];

	if (syscall(SYS_capget, &header, sets))
		_exit(255);
	sets[0].effective &= ~(1U << CAP_SYS_ADMIN);
	if (syscall(SYS_capset, &header, sets))
		_exit(255);
}

static void test_open(void)
{
	struct stat status;
	int device, again;

	check_equal(0, stat(TMM_DEVICE, &status), "device: exists");
	check_equal(0600, status.st_mode & 07777, "device: mode");
	check_equal(EACCES, errno_of_open(become_nobody),
		    "device: open by another user is refused");
	check_equal(EPERM, errno_of_open(drop_sys_admin),
		    "device: open without CAP_SYS_ADMIN is refused");
	check_equal(0, errno_of_open(NULL), "device: open by root");
	device = device_open();
	check_equal(EBUSY, errno_of_open(NULL), "device: a second open is refused");
	again = dup(device);
	close(device);
	check_equal(EBUSY, errno_of_open(NULL), "device: is busy until the last close");
	close(again);
	check_equal(0, errno_of_open(NULL), "device: can be opened after the last close");
}

static void test_last_close(void)
{
	long long opaque = read_number(SYSFS "opaque_limit"),
		  transparent = read_number(SYSFS "transparent_limit");
	int device = device_open(), again = dup(device);

	check_equal(0, transparent, "limits: transparent memory has 0 by default");
	check((uint64_t)opaque > 1ULL << 62, "limits: opaque memory has none by default");
	set_limits(64 * MIB, 32 * MIB);
	close(again);
	check_equal(64 * MIB, read_number(SYSFS "opaque_limit"),
		    "limits: opaque, is kept while the device is open");
	check_equal(32 * MIB, read_number(SYSFS "transparent_limit"),
		    "limits: transparent, is kept while the device is open");
	close(device);
	check_equal(opaque, read_number(SYSFS "opaque_limit"),
		    "limits: opaque, default after the last close");
	check_equal(transparent, read_number(SYSFS "transparent_limit"),
		    "limits: transparent, default after the last close");
}

/* Limits that somebody without the device has set are theirs. */
static void test_limits_of_others(void)
{
	int device, status;
	pid_t pid;

	set_limits(64 * MIB, 32 * MIB);
	close(device_open());
	check_equal(64 * MIB, read_number(SYSFS "opaque_limit"),
		    "limits: opaque, set before the open, outlives the close");
	check_equal(32 * MIB, read_number(SYSFS "transparent_limit"),
		    "limits: transparent, set before the open, outlives the close");

	device = device_open();
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0) {
		close(device);
		set_limits(48 * MIB, 16 * MIB);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		bail_out("waitpid");
	close(device);
	check_equal(48 * MIB, read_number(SYSFS "opaque_limit"),
		    "limits: opaque, set by another process, outlives the close");
	check_equal(16 * MIB, read_number(SYSFS "transparent_limit"),
		    "limits: transparent, set by another process, outlives the close");

	/* a child that has inherited the device acts for it */
	device = device_open();
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0) {
		set_limits(64 * MIB, 32 * MIB);
		_exit(0);
	}
	if (waitpid(pid, &status, 0) != pid || status)
		bail_out("waitpid");
	check_equal(32 * MIB, read_number(SYSFS "transparent_limit"),
		    "limits: set by a child that has the device, kept while it is open");
	close(device);
	check_equal(0, read_number(SYSFS "transparent_limit"),
		    "limits: set by a child that has the device, default after the last close");
	reset_limits();
}

static void on_alarm(int signal)
{
	(void)signal;
}

/* Scans all memory, and counts the calls that it took. Returns the words, or -1. */
static long scan_by_calls(int device, struct tmm_scan *scan, uint64_t end, long *calls)
{
	long all = 0;

	scan->walk_end = 0;
	for (*calls = 0; scan->walk_end < end; ++*calls) {
		long got;

		scan->start_pfn = scan->walk_end;
		got = ioctl(device, TMM_SCAN, scan);
		if (got < 0)
			return -1;
		all += got;
	}
	return all;
}

/* Signals that do not kill end the call; the calls together find what one call finds. */
static void test_signals(int device)
{
	const struct itimerval often = {.it_interval = {.tv_usec = 500},
					.it_value = {.tv_usec = 500}};
	const struct itimerval never = {.it_value = {0}};
	struct sigaction action = {.sa_handler = on_alarm};
	uint64_t end = end_of_memory(device), *vec = calloc(end, sizeof(*vec));
	struct tmm_scan scan = whole_scan(vec, end);
	long once, all, calls, tries = 0;

	once = ioctl(device, TMM_SCAN, &scan);
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	/* until a signal comes in the middle of one */
	do {
		all = scan_by_calls(device, &scan, end, &calls);
	} while (all >= 0 && calls == 1 && ++tries < 2000);
	setitimer(ITIMER_REAL, &never, NULL);
	free(vec);
	diag("scan: %ld words by one call, %ld by %ld calls", once, all, calls);
	check(all >= 0, "signals: a scan that a signal ends is no error");
	check(calls > 1, "signals: any signal ends a scan");
	check(all >= once * 95 / 100 && all <= once * 105 / 100,
	      "signals: scans that go on where they ended find as much as one");
}

/* A daemon that scans all the time, has set limits, and never closes the device. */
static void run_daemon(int ready)
{
	int device = device_open();
	uint64_t nr = end_of_memory(device), *vec = calloc(nr, sizeof(*vec));
	struct tmm_scan scan = whole_scan(vec, nr);

	set_limits(64 * MIB, 32 * MIB);
	while (vec && ioctl(device, TMM_SCAN, &scan) > 0 && write(ready, "", 1) == 1)
		;
	_exit(1);
}

static void test_killed_daemon(void)
{
	long long opaque = read_number(SYSFS "opaque_limit");
	int ready[2], status;
	char byte[3];
	pid_t pid;

	if (pipe2(ready, O_CLOEXEC))
		bail_out("pipe");
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0)
		run_daemon(ready[1]);
	close(ready[1]);
	for (size_t i = 0; i < sizeof(byte); i++)
		if (read(ready[0], byte + i, 1) != 1)
			bail_out("the daemon has died");
	check_equal(32 * MIB, read_number(SYSFS "transparent_limit"),
		    "killed daemon: its limits are in force while it scans");
	kill(pid, SIGKILL);
	if (waitpid(pid, &status, 0) != pid)
		bail_out("waitpid");
	check(WIFSIGNALED(status), "killed daemon: dies in the middle of a scan");
	check_equal(opaque, read_number(SYSFS "opaque_limit"),
		    "killed daemon: opaque limit, default");
	check_equal(0, read_number(SYSFS "transparent_limit"),
		    "killed daemon: transparent limit, default");
	check_equal(0, errno_of_open(NULL), "killed daemon: the device can be opened again");
	close(ready[0]);
}

static void test_sysfs(void)
{
	static const char *const bad[] = {"", "x", "1x", "1Kx", "-"};
	long long total = read_number(SYSFS "total"), opaque = read_number(SYSFS "opaque_usage");

	check_equal(TMM_ABI_VERSION, read_number(SYSFS "version"), "sysfs: version");
	check(total > 256 * MIB && total < sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE),
	      "sysfs: total is less than memory");
	check(opaque > 0 && opaque < total, "sysfs: opaque usage is part of the total");
	check_equal(0, read_number(SYSFS "transparent_usage"),
		    "sysfs: there is no transparent memory");
	must_write(SYSFS "transparent_limit", "3M\n");
	check_equal(3 * MIB, read_number(SYSFS "transparent_limit"), "sysfs: suffix");
	must_write(SYSFS "transparent_limit", "8191");
	check_equal(4096, read_number(SYSFS "transparent_limit"), "sysfs: whole pages");
	/* an empty write never reaches the kernel's function */
	for (size_t i = 1; i < ARRAY_SIZE(bad); i++)
		check_errno(EINVAL, write_text(SYSFS "transparent_limit", bad[i]),
			    "sysfs: limit \"%s\" is refused", bad[i]);
	check_errno(EACCES, open(SYSFS "total", O_WRONLY | O_CLOEXEC) < 0 ? -1 : 0,
		    "sysfs: total is read-only");
	reset_limits();
}

static void test_scan_arguments(int device)
{
	uint64_t vec[16], end = end_of_memory(device);
	const struct tmm_scan good = whole_scan(vec, 16);
	struct tmm_scan scan;
	struct {
		struct tmm_scan scan;
		uint64_t unknown;
	} larger;
	char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

#define REFUSED(_errno, _change, _name)                                              \
	do {                                                                         \
		scan = good;                                                         \
		_change;                                                             \
		check_errno(_errno, ioctl(device, TMM_SCAN, &scan), "scan: " _name); \
	} while (0)
	REFUSED(EINVAL, scan.size = 0, "size 0 is refused");
	REFUSED(EINVAL, scan.size -= 8, "a smaller size is refused");
	REFUSED(EINVAL, scan.flags = 1, "unknown flags are refused");
	REFUSED(EINVAL, scan.reserved = 1, "reserved field is refused");
	REFUSED(EINVAL, scan.shift = 13, "shift 13 is refused");
	REFUSED(EINVAL, scan.vec_len = 0, "no room for words is refused");
	REFUSED(EINVAL, (scan.start_pfn = 2, scan.end_pfn = 1),
		"a start beyond the end is refused");
	REFUSED(EFAULT, scan.vec = 8, "a bad pointer is refused");
	REFUSED(EFAULT, scan.vec = ~0ULL << 12, "a kernel pointer is refused");
#undef REFUSED
	check_errno(EFAULT, ioctl(device, TMM_SCAN, NULL), "scan: no argument is refused");

	memset(&larger, 0, sizeof(larger));
	larger.scan = good;
	larger.scan.size = sizeof(larger);
	check_equal(16, ioctl(device, TMM_SCAN, &larger),
		    "scan: a larger structure of zeros is accepted");
	larger.unknown = 1;
	check_errno(E2BIG, ioctl(device, TMM_SCAN, &larger),
		    "scan: a larger structure with unknown values is refused");
	larger.scan.size = 1ULL << 40;
	check_errno(E2BIG, ioctl(device, TMM_SCAN, &larger), "scan: an absurd size is refused");
	/* as a later version of the header numbers it */
	larger = (typeof(larger)){.scan = good};
	larger.scan.size = sizeof(larger);
	check_equal(16,
		    ioctl(device, _IOC(_IOC_READ | _IOC_WRITE, 0xF7, 1, sizeof(larger)), &larger),
		    "scan: the size in the ioctl's number does not matter");

	memcpy(page, &good, sizeof(good));
	mprotect(page, 4096, PROT_READ);
	check_errno(EFAULT, ioctl(device, TMM_SCAN, page),
		    "scan: an argument that cannot be written is refused");
	munmap(page, 4096);

	scan = good;
	scan.start_pfn = end + 5;
	scan.end_pfn = end + 10;
	check_equal(0, ioctl(device, TMM_SCAN, &scan), "scan: nothing beyond the end of memory");
	check_equal((long long)end, (long long)scan.walk_end,
		    "scan: end of memory is where it has walked to");
	check(end * 4096 >= (uint64_t)sysconf(_SC_PHYS_PAGES) * 4096,
	      "scan: end of memory is not below its size");

	check_errno(ENOTTY, ioctl(device, _IO(0xF7, 1)), "ioctl: another direction is refused");
	check_errno(ENOTTY, ioctl(device, _IOWR(0xF7, 3, struct tmm_scan), &scan),
		    "ioctl: an unknown number is refused");
	check_errno(ENOTTY, ioctl(device, _IOWR(0xF6, 1, struct tmm_scan), &scan),
		    "ioctl: an unknown type is refused");
}

static void test_refaults_arguments(int device)
{
	static uint64_t vec[TMM_REFAULT_BUCKETS + 1];
	const struct tmm_refaults good = {
		.size = sizeof(good), .vec = (uintptr_t)vec, .vec_len = TMM_REFAULT_BUCKETS};
	uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES);
	struct tmm_refaults refaults;

#define RESULT(_change) (refaults = good, (void)(_change), ioctl(device, TMM_REFAULTS, &refaults))
	check_errno(EINVAL, RESULT(refaults.size = 8), "refaults: a smaller size is refused");
	check_errno(EINVAL, RESULT(refaults.flags = 2), "refaults: unknown flags are refused");
	check_errno(EFAULT, RESULT(refaults.vec = 8), "refaults: a bad pointer is refused");
	check_errno(EFAULT, ioctl(device, TMM_REFAULTS, NULL), "refaults: no argument is refused");
	check_equal(0, RESULT(refaults.vec_len = 0), "refaults: no room is no error");
	check_equal(7, RESULT(refaults.vec_len = 7), "refaults: no more than there is room for");
	vec[TMM_REFAULT_BUCKETS] = 42;
	check_equal(TMM_REFAULT_BUCKETS, RESULT(refaults.vec_len = ~0ULL),
		    "refaults: no more than there are");
	check_equal(42, (long long)vec[TMM_REFAULT_BUCKETS],
		    "refaults: nothing is written behind the last");
	check(refaults.unit_pages * 512 <= memory, "refaults: unit is up to 1/512 of memory");
	check(refaults.unit_pages * 1024 >= memory, "refaults: and at least 1/1024");
	/* shadow entries from before it ran have time 0 */
	check(refaults.clock >= refaults.unit_pages * TMM_REFAULT_BUCKETS / 2,
	      "refaults: the clock begins far from 0");
#undef RESULT
}

void device_suite(void)
{
	int device;

	test_open();
	test_last_close();
	test_killed_daemon();
	test_limits_of_others();
	test_sysfs();
	device = device_open();
	test_scan_arguments(device);
	test_refaults_arguments(device);
	test_signals(device);
	close(device);
}
