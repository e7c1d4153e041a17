/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 *
 * The groups of tests. Each leaves the limits at their defaults and no cgroup behind.
 */
#pragma once

void kunit_suite(void);
void device_suite(void);
void class_suite(void);
void policy_suite(void);
void shared_suite(void);
/* scan_suite() begins with it; the device is open. */
void scan_lattice_tests(int device);
void scan_suite(void);
void refault_suite(void);
