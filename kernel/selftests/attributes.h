/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kselftest.h defines as well, for files that do not need the rest of it.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(arr) (sizeof(arr) / sizeof((arr)[0]))
#endif
#ifndef __noreturn
#define __noreturn __attribute__((__noreturn__))
#endif
#define __printf(a, b) __attribute__((format(printf, a, b)))
