// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Preloaded into tmmd by the bus suite: answers the ioctls of /dev/tmm for a plain file, as a machine would whose programs have
 * 256 MiB in use all the time. All else goes to the kernel.
 */
#include <linux/tmm.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NR_FRAMES (1ULL << 16)

static int scan(struct tmm_scan *request)
{
    uint64_t *words = (uint64_t *)(uintptr_t)request->vec;
    uint64_t pfn = request->start_pfn;
    int found = 0;

    for (; pfn < NR_FRAMES && (uint64_t)found < request->vec_len; pfn += 1ULL << request->shift)
        words[found++] = pfn | TMM_FRAME_REF;
    request->walk_end = pfn;
    return found;
}

static int refaults(struct tmm_refaults *request)
{
    request->unit_pages = 1024;
    request->clock = 0;
    return 0;
}

int ioctl(int fd, unsigned long number, ...)
{
    va_list arguments;
    void *argument;

    va_start(arguments, number);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    if (number == TMM_SCAN)
        return scan(argument);
    if (number == TMM_REFAULTS)
        return refaults(argument);
    return (int)syscall(SYS_ioctl, fd, number, argument);
}
