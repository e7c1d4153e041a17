// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/tmm-mapped: tells a daemon with CAP_SYS_ADMIN, one at a time, which mapped pages opaque
 * processes use, on kernels without the TMM patches.
 *
 * Copyright (C) 2026 The TMM authors
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitops.h>
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/uaccess.h>

#include "tmm_mapped.h"

/* Bit 0 is set while the device is open. */
static unsigned long open_mask;
/* Threads of the opener may call at once. */
static DEFINE_MUTEX(scan_mutex);

static unsigned int abi = TMM_MAPPED_ABI_VERSION;
module_param(abi, uint, 0444);
MODULE_PARM_DESC(abi, "version of the interface (read-only)");

static int mapped_open(struct inode *inode, struct file *file)
{
	int ret;

	if (!capable(CAP_SYS_ADMIN))
		return -EPERM;
	/* Two who take the accessed bits from each other would both be wrong. */
	if (test_and_set_bit_lock(0, &open_mask))
		return -EBUSY;
	ret = references_begin();
	if (ret) {
		clear_bit_unlock(0, &open_mask);
		return ret;
	}
	return nonseekable_open(inode, file);
}

static int mapped_release(struct inode *inode, struct file *file)
{
	references_end();
	clear_bit_unlock(0, &open_mask);
	return 0;
}

/* Copies the argument, which begins with its size as the caller knows it. */
static int get_arg(struct tmm_mapped_scan *scan, const void __user *arg)
{
	u64 size;
	int ret;

	if (get_user(size, (const u64 __user *)arg))
		return -EFAULT;
	if (size < sizeof(*scan))
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	ret = copy_struct_from_user(scan, sizeof(*scan), arg, size);
	if (ret)
		return ret;
	if (scan->flags || scan->reserved || scan->shift > TMM_SCAN_SHIFT_MAX ||
	    scan->vec_len < TMM_MAPPED_VEC_MIN)
		return -EINVAL;
	if (scan->nr_cgroups > TMM_MAPPED_CGROUPS_MAX)
		return -E2BIG;
	scan->vec_len = min_t(u64, scan->vec_len, TMM_MAPPED_VEC_MAX);
	return 0;
}

static long scan_for_user(struct tmm_mapped_scan __user *arg)
{
	u64 *words = NULL, *cgroups = NULL;
	struct tmm_mapped_scan scan;
	long ret = get_arg(&scan, arg);

	if (ret)
		return ret;
	words = kvmalloc_array(scan.vec_len, sizeof(*words), GFP_KERNEL);
	cgroups = kvmalloc_array(scan.nr_cgroups + 1, sizeof(*cgroups), GFP_KERNEL);
	ret = -ENOMEM;
	if (!words || !cgroups)
		goto out;
	ret = -EFAULT;
	if (copy_from_user(cgroups, u64_to_user_ptr(scan.cgroups),
			   array_size(scan.nr_cgroups, sizeof(*cgroups))))
		goto out;
	ret = mutex_lock_killable(&scan_mutex);
	if (ret)
		goto out;
	ret = mapped_scan(&scan, words, cgroups);
	mutex_unlock(&scan_mutex);
	if (ret < 0)
		goto out;
	if (copy_to_user(u64_to_user_ptr(scan.vec), words, array_size(ret, sizeof(*words))) ||
	    put_user(scan.walk_pid, &arg->walk_pid) ||
	    put_user(scan.walk_address, &arg->walk_address))
		ret = -EFAULT;
out:
	kvfree(cgroups);
	kvfree(words);
	return ret;
}

static long mapped_ioctl(struct file *file, unsigned int command, unsigned long arg)
{
	return command == TMM_MAPPED_SCAN ? scan_for_user((void __user *)arg) : -ENOTTY;
}

static const struct file_operations mapped_fops = {
	.owner = THIS_MODULE,
	.open = mapped_open,
	.release = mapped_release,
	.unlocked_ioctl = mapped_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice mapped_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "tmm-mapped",
	.fops = &mapped_fops,
	.mode = 0600,
};
module_misc_device(mapped_device);

MODULE_AUTHOR("The TMM authors");
MODULE_DESCRIPTION("Tells which mapped pages opaque processes use");
MODULE_LICENSE("GPL");
