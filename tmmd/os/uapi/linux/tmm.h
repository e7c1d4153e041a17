/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
#ifndef _UAPI_LINUX_TMM_H
#define _UAPI_LINUX_TMM_H
#include <linux/ioctl.h>
#include <linux/types.h>
#define TMM_ABI_VERSION 1
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
struct tmm_refaults {
	__u64 size;
	__u64 flags;
	__u64 unit_pages;
	__u64 clock;
	__u64 vec;
	__u64 vec_len;
};
#define TMM_REFAULTS_CLEAR (1ULL << 0)
#define TMM_REFAULT_BUCKETS 4096
#define TMM_SCAN _IOWR(0xF7, 0x01, struct tmm_scan)
#define TMM_REFAULTS _IOWR(0xF7, 0x02, struct tmm_refaults)
#define TMM_FRAME_PFN(w) ((w) & ((1ULL << 36) - 1))
#define TMM_FRAME_TAG(w) (((w) >> 36) & 0xffff)
#define TMM_FRAME_ORDER(w) (((w) >> 52) & 0xf)
#define TMM_FRAME_REF (1ULL << 56)
#define TMM_FRAME_CLASS (1ULL << 57)
#define TMM_FRAME_SHARED (1ULL << 58)
#define TMM_FRAME_FILE (1ULL << 59)
#define TMM_FRAME_UNEVICTABLE (1ULL << 60)
#endif
