// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tsc-khz: prints the frequency of this machine's time stamp counter in kHz, measured over a tenth of a second. Each end of it
// is the fastest of many readings, so that a busy machine does not spoil the result.

#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <x86intrin.h>

#define READINGS 2000

struct reading {
    uint64_t ticks;
    int64_t ns;
};

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

// The reading of both clocks between which the least time went by.
static struct reading read_both(void)
{
    struct reading best = {0, 0};
    uint64_t least = UINT64_MAX;

    for (int i = 0; i < READINGS; i++) {
        const uint64_t before = __rdtsc();
        const int64_t ns = now_ns();
        const uint64_t after = __rdtsc();

        if (after - before < least) {
            least = after - before;
            best = (struct reading){before + least / 2, ns};
        }
    }
    return best;
}

int main(void)
{
    const struct timespec tenth = {0, 100000000};
    const struct reading begin = read_both();

    nanosleep(&tenth, NULL);
    const struct reading end = read_both();

    printf("%.0f\n", (double)(end.ticks - begin.ticks) * 1e6 / (double)(end.ns - begin.ns));
    return 0;
}
