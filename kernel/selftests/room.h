/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine that is nearly full: tests that need memory to be short are done sooner if most of it
 * is locked away than if they have to fill it.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

enum { ANY_NODE = -1 };

/* Leaves about so many bytes free, in all or on a node. What is locked is opaque. */
void room_make(int node, long long bytes);
void room_end(void);

/* Free memory of a node, or in all. */
long long room_free_bytes(int node);
