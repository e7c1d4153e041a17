// SPDX-License-Identifier: GPL-2.0-only
/*
 * Tests of requests to /dev/tmm-mapped that are refused.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/tmm.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

void requests_suite(void)
{
	static uint64_t vec[TMM_MAPPED_VEC_MAX];
	struct tmm_mapped_scan good = mapped_request(vec, 0), scan;
	int status;
	pid_t pid;

	check_errno(EBUSY, open(DEVICE, O_RDWR | O_CLOEXEC), "one opener at a time");
	pid = fork();
	if (pid == 0)
		_exit(setuid(65534) == 0 && open(DEVICE, O_RDWR) < 0 && errno == EACCES ? 0 : 1);
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		bail_out("fork");
	check_equal(0, status, "not for other users");
	check_errno(ENOTTY, ioctl(mapped.device, TMM_SCAN, &good), "the requests of /dev/tmm are others");
	check_errno(EFAULT, ioctl(mapped.device, TMM_MAPPED_SCAN, NULL), "no request");
	scan = good;
	scan.size -= 8;
	check_errno(EINVAL, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "a request that is too small");
	scan = good;
	scan.size = 1UL << 40;
	check_errno(E2BIG, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "a request that is too large");
	scan = good;
	scan.flags = 1;
	check_errno(EINVAL, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "an unknown flag");
	scan = good;
	scan.reserved = 1;
	check_errno(EINVAL, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "a reserved field");
	scan = good;
	scan.shift = TMM_SCAN_SHIFT_MAX + 1;
	check_errno(EINVAL, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "a shift that is too large");
	scan = good;
	scan.vec_len = TMM_MAPPED_VEC_MIN - 1;
	check_errno(EINVAL, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "a vector that is too short");
	scan = good;
	scan.vec = 8;
	check_errno(EFAULT, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan),
		    "a vector that cannot be written");
	scan = good;
	scan.cgroups = 8;
	check_errno(EFAULT, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "cgroups that cannot be read");
	scan = good;
	scan.nr_cgroups = ~0ULL;
	check_errno(E2BIG, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "too many cgroups");
	scan = good;
	scan.walk_pid = TMM_MAPPED_END;
	scan.walk_address = ~0ULL;
	check_equal(0, ioctl(mapped.device, TMM_MAPPED_SCAN, &scan), "nothing beyond the end");
	scan = good;
	scan.walk_pid = (uint64_t)mapped.owner.pid;
	scan.walk_address = ~0ULL;
	check(ioctl(mapped.device, TMM_MAPPED_SCAN, &scan) >= 0, "an address beyond the end");
}
