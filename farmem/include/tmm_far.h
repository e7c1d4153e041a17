/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Hints of a program on far memory, or of its runtime: what it will read next. Wrong hints cost the program time, and nothing
 * else. Nothing has to be linked: the library that tmm-far(1) loads has the function, and without it hints do nothing. */
#ifndef TMM_FAR_H
#define TMM_FAR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whoever reads the page of `from` reads that of `to` soon after: an object at `from` refers to one at `to`. */
struct tmm_far_edge {
    const void* from;
    const void* to;
};

/* Returns how many edges were taken, from the first: all unless far memory is behind, then none. A page has up to four edges; a
 * fifth takes the place of the oldest. Any thread may call it, except in a signal handler. */
size_t tmm_far_hint(const struct tmm_far_edge* edges, size_t nr_edges) __attribute__((weak, visibility("default")));

/* The same, also without far memory: then returns 0. */
static inline size_t tmm_far_follow(const struct tmm_far_edge* edges, size_t nr_edges) {
    return tmm_far_hint ? tmm_far_hint(edges, nr_edges) : 0;
}

#ifdef __cplusplus
}
#endif

#endif
