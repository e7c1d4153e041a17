/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * To be preloaded: a clock for the age of files that is an hour fast, so that tests need not wait until what they write counts as
 * settled. Who writes has to give files other times himself then.
 */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *now)
{
	int code = (int)syscall(SYS_clock_gettime, clock, now);

	if (code == 0 && clock == CLOCK_REALTIME_COARSE)
		now->tv_sec += 3600;
	return code;
}
