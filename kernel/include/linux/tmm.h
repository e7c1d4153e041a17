/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * Transparent memory manager: the interface of /dev/tmm, described in
 * Documentation/admin-guide/mm/tmm.rst.
 *
 * Copyright (C) 2026 The TMM authors
 */
#ifndef _UAPI_LINUX_TMM_H
#define _UAPI_LINUX_TMM_H

#include <linux/ioctl.h>
#include <linux/types.h>

/* Also in /sys/kernel/mm/tmm/version */
#define TMM_ABI_VERSION		1

/**
 * struct tmm_scan - argument of TMM_SCAN
 * @size: sizeof(struct tmm_scan)
 * @flags: 0
 * @start_pfn: first page frame of the range
 * @end_pfn: end of the range, exclusive; clamped to the end of memory
 * @seed: selects the frame that is looked at in each block
 * @vec: user pointer to __u64[], receives a word for each folio found
 * @vec_len: entries of @vec
 * @walk_end: out: page frame to go on from; the clamped end when finished
 * @shift: 0 to 12: one frame is looked at per aligned block of 2^shift frames
 * @reserved: 0
 */
struct tmm_scan {
	__u64 size;
	__u64 flags;
	__u64 start_pfn;
	__u64 end_pfn;
	__u64 seed;
	__u64 vec;
	__u64 vec_len;
	__u64 walk_end;
	__u32 shift;
	__u32 reserved;
};

#define TMM_SCAN_SHIFT_MAX	12

/* Reset the buckets that were handed out. */
#define TMM_REFAULTS_CLEAR	(1ULL << 0)

#define TMM_REFAULT_BUCKETS	4096

/**
 * struct tmm_refaults - argument of TMM_REFAULTS
 * @size: sizeof(struct tmm_refaults)
 * @flags: 0 or TMM_REFAULTS_CLEAR
 * @unit_pages: out: width of a bucket, in pages evicted
 * @clock: out: goes on by one for each opaque page that is evicted
 * @vec: user pointer to __u64[], receives the pages refaulted, by distance
 * @vec_len: entries of @vec; TMM_REFAULT_BUCKETS at most are used
 */
struct tmm_refaults {
	__u64 size;
	__u64 flags;
	__u64 unit_pages;
	__u64 clock;
	__u64 vec;
	__u64 vec_len;
};

/* Both return the number of entries written to vec. */
#define TMM_SCAN		_IOWR(0xF7, 0x01, struct tmm_scan)
#define TMM_REFAULTS		_IOWR(0xF7, 0x02, struct tmm_refaults)

/* The word that TMM_SCAN writes for a folio */
#define TMM_FRAME_PFN(w)	((w) & ((1ULL << 36) - 1))
#define TMM_FRAME_TAG(w)	(((w) >> 36) & 0xffff)
#define TMM_FRAME_ORDER(w)	(((w) >> 52) & 0xf)
/* Used by opaque tasks since the last scan */
#define TMM_FRAME_REF		(1ULL << 56)
/* Charged to a transparent memcg */
#define TMM_FRAME_CLASS		(1ULL << 57)
/* Charged to a transparent memcg, but used by opaque tasks too */
#define TMM_FRAME_SHARED	(1ULL << 58)
/* On a file LRU list, not on an anonymous one */
#define TMM_FRAME_FILE		(1ULL << 59)
#define TMM_FRAME_UNEVICTABLE	(1ULL << 60)

#endif /* _UAPI_LINUX_TMM_H */
