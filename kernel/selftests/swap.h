/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Swap space of another size than the machine has.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include <stdbool.h>

/* All that is on goes off. If there is no room for what is in it, false: it stays on. */
void swap_take_away(void);
bool swap_try_take_away(void);
/* A file of that size, in the current folder, is the only swap space. */
void swap_replace(long bytes);
/* Compressed memory is. False if there is no zram: all stays as it was. */
bool swap_compress(long bytes);
/* What was there at first is on again. */
void swap_restore(void);

/* Slots that nothing has been written to. */
long long swap_free_pages(void);
