// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keeps the references that a scan takes out of page tables where reclaim finds them, so that it
 * evicts no page earlier for that.
 *
 * A kernel with the young flag (CONFIG_PAGE_IDLE_FLAG; Debian's 6.12 has it for DAMON) has a place
 * for them in the folio. Others, as Debian's 6.1, ask those who watch an address space, as KVM
 * does, whether they know of a use: a watcher answers from a table of the references taken.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include <linux/mmu_notifier.h>
#include <linux/page_idle.h>
#include <linux/random.h>
#include <linux/siphash.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>
#include <linux/wait.h>

#include "tmm_mapped.h"

#ifdef CONFIG_PAGE_IDLE_FLAG

int references_begin(void)
{
	return 0;
}

void references_end(void)
{
}

void references_sweep(void)
{
}

int references_watch(struct mm_struct *mm)
{
	return 0;
}

bool references_take(struct mm_struct *mm, unsigned long address, struct folio *folio, bool young)
{
	if (young && !folio_test_young(folio))
		folio_set_young(folio);
	/* Not idle: new, or reclaim has taken the accessed bits away before this scan. */
	if (!folio_test_idle(folio)) {
		folio_set_idle(folio);
		return true;
	}
	return young;
}

#else /* !CONFIG_PAGE_IDLE_FLAG */

#ifndef CONFIG_MMU_NOTIFIER
#error "The kernel needs CONFIG_PAGE_IDLE_FLAG or CONFIG_MMU_NOTIFIER."
#endif

/*
 * The table: a hash of address space and page for each reference, in buckets of four. What does
 * not fit displaces another. With 65,536 pages in a scan at most, half of the table is empty.
 */
#define WAYS 4
#define BUCKET_BITS 15

struct bucket {
	atomic64_t keys[WAYS];
};

static struct bucket *table;
static siphash_key_t secret;

struct watch {
	struct mmu_notifier notifier;
	struct hlist_node node;
	struct mm_struct *mm;
	bool gone;
};

#define WATCH_BITS 8
static struct hlist_head watches[1 << WATCH_BITS];
static atomic_t nr_watches;
static DECLARE_WAIT_QUEUE_HEAD(none_left);

static u64 key_of(const struct mm_struct *mm, unsigned long address)
{
	/* 0 is for empty places */
	return siphash_2u64((unsigned long)mm, address >> PAGE_SHIFT, &secret) | 1ULL << 63;
}

static struct bucket *bucket_of(u64 key)
{
	return &table[key & ((1UL << BUCKET_BITS) - 1)];
}

static void table_add(u64 key)
{
	struct bucket *bucket = bucket_of(key);

	for (int i = 0; i < WAYS; i++)
		if (atomic64_read(&bucket->keys[i]) == key)
			return;
	for (int i = 0; i < WAYS; i++)
		if (atomic64_cmpxchg(&bucket->keys[i], 0, key) == 0)
			return;
	atomic64_set(&bucket->keys[key >> 32 & (WAYS - 1)], key);
}

static bool table_has(u64 key)
{
	struct bucket *bucket = bucket_of(key);

	for (int i = 0; i < WAYS; i++)
		if (atomic64_read(&bucket->keys[i]) == key)
			return true;
	return false;
}

static bool table_remove(u64 key)
{
	struct bucket *bucket = bucket_of(key);

	for (int i = 0; i < WAYS; i++)
		if (atomic64_cmpxchg(&bucket->keys[i], key, 0) == key)
			return true;
	return false;
}

/* Reclaim asks and forgets. A huge page is in the table by its first page. */
static int watch_clear_young(struct mmu_notifier *notifier, struct mm_struct *mm,
			     unsigned long start, unsigned long end)
{
	return table_remove(key_of(mm, start));
}

static int watch_test_young(struct mmu_notifier *notifier, struct mm_struct *mm,
			    unsigned long address)
{
	return table_has(key_of(mm, address));
}

/* The address space has no users any more. */
static void watch_release(struct mmu_notifier *notifier, struct mm_struct *mm)
{
	WRITE_ONCE(container_of(notifier, struct watch, notifier)->gone, true);
}

static void watch_free(struct mmu_notifier *notifier)
{
	kfree(container_of(notifier, struct watch, notifier));
	if (atomic_dec_and_test(&nr_watches))
		wake_up(&none_left);
}

static const struct mmu_notifier_ops watch_ops = {
	.clear_flush_young = watch_clear_young,
	.clear_young = watch_clear_young,
	.test_young = watch_test_young,
	.release = watch_release,
	.free_notifier = watch_free,
};

static void end_watches(bool all)
{
	struct hlist_node *next;
	struct watch *watch;

	for (size_t i = 0; i < ARRAY_SIZE(watches); i++) {
		hlist_for_each_entry_safe(watch, next, &watches[i], node) {
			if (!all && !READ_ONCE(watch->gone))
				continue;
			hlist_del(&watch->node);
			mmu_notifier_put(&watch->notifier);
		}
	}
}

int references_begin(void)
{
	get_random_bytes(&secret, sizeof(secret));
	table = vzalloc(sizeof(*table) << BUCKET_BITS);
	return table ? 0 : -ENOMEM;
}

void references_end(void)
{
	end_watches(true);
	/* until nobody can ask any more, nor is in one of the functions above */
	wait_event(none_left, atomic_read(&nr_watches) == 0);
	mmu_notifier_synchronize();
	vfree(table);
	table = NULL;
}

void references_sweep(void)
{
	end_watches(false);
}

static bool is_watched(const struct mm_struct *mm)
{
	struct watch *watch;

	/* the memory of a process whose watch has not ended is not used again for another */
	hlist_for_each_entry(watch, &watches[hash_ptr(mm, WATCH_BITS)], node)
		if (watch->mm == mm)
			return true;
	return false;
}

/* As mmap_write_trylock() of Linux 6.1, which Linux 6.12 has not. */
static bool try_lock(struct mm_struct *mm)
{
	if (!down_write_trylock(&mm->mmap_lock))
		return false;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	mm_lock_seqcount_begin(mm); /* mmap_write_unlock() ends it */
#endif
	return true;
}

int references_watch(struct mm_struct *mm)
{
	struct watch *watch;
	int ret;

	if (is_watched(mm))
		return 0;
	watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	if (!watch)
		return -ENOMEM;
	watch->notifier.ops = &watch_ops;
	watch->mm = mm;
	ret = -EBUSY;
	if (try_lock(mm)) {
		ret = __mmu_notifier_register(&watch->notifier, mm);
		mmap_write_unlock(mm);
	}
	if (ret) {
		kfree(watch);
		return ret;
	}
	atomic_inc(&nr_watches);
	hlist_add_head(&watch->node, &watches[hash_ptr(mm, WATCH_BITS)]);
	return 0;
}

bool references_take(struct mm_struct *mm, unsigned long address, struct folio *folio, bool young)
{
	if (young)
		table_add(key_of(mm, address));
	return young;
}

#endif /* CONFIG_PAGE_IDLE_FLAG */
