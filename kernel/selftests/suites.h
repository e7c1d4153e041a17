/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The groups of tests. Each leaves the limits at their defaults and no cgroup behind.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

void kunit_suite(void);
void device_suite(void);
void class_suite(void);
/* policy_suite() begins with it. */
void policy_cases(void);
void policy_suite(void);
void pressure_suite(void);
void protection_suite(void);
void many_suite(void);
void delegation_suite(void);
void shared_suite(void);
/* scan_suite() begins with it; the device is open. */
void scan_lattice_tests(int device);
void scan_suite(void);
void attribution_suite(void);
void movement_suite(void);
void refault_suite(void);
void fuzz_suite(void);
void stress_suite(void);
/* On machines with two nodes, and with cgroup_disable=memory. */
void numa_suite(void);
void nomemcg_suite(void);
/* On machines with movable memory, and with swap on a disk. */
void hotplug_suite(void);
void hibernate_suite(void);
