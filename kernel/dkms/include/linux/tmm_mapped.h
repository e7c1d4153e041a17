/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * The interface of /dev/tmm-mapped: a scan of mapped memory for kernels without the TMM patches. It
 * is a part of what /dev/tmm tells (linux/tmm.h); the README beside this folder says which.
 *
 * Copyright (C) 2026 The TMM authors
 */
#ifndef _LINUX_TMM_MAPPED_H
#define _LINUX_TMM_MAPPED_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Also in /sys/module/tmm_mapped/parameters/abi */
#define TMM_MAPPED_ABI_VERSION	1

/**
 * struct tmm_mapped_scan - argument of TMM_MAPPED_SCAN
 * @size: sizeof(struct tmm_mapped_scan)
 * @flags: 0
 * @seed: selects the page that is looked at in each block
 * @vec: user pointer to __u64[], receives a word (TMM_FRAME_* of linux/tmm.h) for each folio found
 * @vec_len: entries of @vec, at least TMM_MAPPED_VEC_MIN; TMM_MAPPED_VEC_MAX at most are used
 * @cgroups: user pointer to __u64[], the identities of the topmost transparent cgroups, which are
 *	the inode numbers of their directories; processes in them and below are left out
 * @nr_cgroups: entries of @cgroups, TMM_MAPPED_CGROUPS_MAX at most
 * @walk_pid: process to begin with, 0 for the first; out: to go on with, TMM_MAPPED_END when
 *	finished
 * @walk_address: address in that process to begin with; out: to go on with
 * @shift: 0 to TMM_SCAN_SHIFT_MAX: one page is looked at per aligned block of 2^shift pages of a
 *	file, or of anonymous memory
 * @reserved: 0
 */
struct tmm_mapped_scan {
	__u64 size;
	__u64 flags;
	__u64 seed;
	__u64 vec;
	__u64 vec_len;
	__u64 cgroups;
	__u64 nr_cgroups;
	__u64 walk_pid;
	__u64 walk_address;
	__u32 shift;
	__u32 reserved;
};

#define TMM_MAPPED_VEC_MIN	512
#define TMM_MAPPED_VEC_MAX	8192
#define TMM_MAPPED_CGROUPS_MAX	16384
#define TMM_MAPPED_END		(~0ULL)

/* Returns the number of words written to vec. */
#define TMM_MAPPED_SCAN		_IOWR(0xF7, 0x11, struct tmm_mapped_scan)

#endif /* _LINUX_TMM_MAPPED_H */
