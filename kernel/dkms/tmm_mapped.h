/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the module know of each other.
 *
 * Copyright (C) 2026 The TMM authors
 */
#pragma once

#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/tmm.h>
#include <linux/tmm_mapped.h>
#include <linux/version.h>

#if !defined(CONFIG_X86_64) || LINUX_VERSION_CODE < KERNEL_VERSION(6, 1, 0)
#error "The module knows page tables of x86-64 and Linux 6.1 and later only."
#endif
#ifdef CONFIG_TMM
#error "This kernel has /dev/tmm, which tells more."
#endif

/*
 * scan.c: answers a request that has been checked; words has room for scan->vec_len of them.
 * Returns how many it wrote, or an error.
 */
long mapped_scan(struct tmm_mapped_scan *scan, u64 *words, u64 *cgroups);

/*
 * processes.c: opaque processes, by rising pid from the first on. The caller gives them back.
 * Returns NULL if there is no memory.
 */
struct processes {
	size_t nr;
	struct task_struct *tasks[];
};
struct processes *processes_get(u64 first_pid, u64 *cgroups, size_t nr_cgroups);
void processes_put(struct processes *processes);
/* The memory of a process, or NULL. The caller calls mmput(). */
struct mm_struct *process_mm(struct task_struct *leader);

/*
 * references.c keeps the references that a scan takes out of page tables where reclaim finds them.
 */
int references_begin(void);
void references_end(void);
/* At the begin of a scan: forgets address spaces that have gone. */
void references_sweep(void);
/*
 * Before a scan of an address space, without its lock. Returns -EBUSY (somebody has the lock), -EINTR
 * or -ENOMEM.
 */
int references_watch(struct mm_struct *mm);
/*
 * The caller has taken the accessed bit at the address away, if it was set (young), and holds the
 * lock of its page table. Returns whether the folio has been used since the last call.
 */
bool references_take(struct mm_struct *mm, unsigned long address, struct folio *folio, bool young);
