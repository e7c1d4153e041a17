// SPDX-License-Identifier: GPL-2.0-only
/*
 * The scan: walks the page tables of opaque processes, and looks at one page in each block.
 *
 * The place of a block is that in the file, or in anonymous memory: all processes that map a page
 * look at it, or none. Work is in proportion to page tables, not to pages.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include <linux/bitfield.h>
#include <linux/dax.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hugetlb.h>
#include <linux/jhash.h>
#include <linux/mm_inline.h>
#include <linux/mmap_lock.h>
#include <linux/random.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/siphash.h>

#include "tmm_mapped.h"

/*
 * Tries to get locks of address spaces in a call, half a millisecond apart. A process can keep its
 * lock for as long as it likes, with a file system of its own, and the caller cannot wait for that.
 */
#define PATIENCE 64

struct walk {
	const struct tmm_mapped_scan *scan;
	struct mm_struct *mm;
	struct vm_area_struct *vma;
	u64 seed; /* that of the scan, and the file's */
	u64 *words;
	size_t nr;
	unsigned int patience;
};

static siphash_key_t tag_key;

static unsigned long lattice_index(unsigned long block, unsigned int shift, u64 seed)
{
	u32 hash = jhash_3words(lower_32_bits(block), lower_32_bits(seed), upper_32_bits(seed),
				upper_32_bits(block));

	return block << shift | (hash & ((1UL << shift) - 1));
}

/* The first address at or above this one whose page the scan looks at. */
static unsigned long next_sample(const struct walk *walk, unsigned long address)
{
	const struct vm_area_struct *vma = walk->vma;
	unsigned int shift = walk->scan->shift;
	unsigned long index = ((address - vma->vm_start) >> PAGE_SHIFT) + vma->vm_pgoff;
	unsigned long sample = lattice_index(index >> shift, shift, walk->seed);

	if (sample < index)
		sample = lattice_index((index >> shift) + 1, shift, walk->seed);
	return address + ((sample - index) << PAGE_SHIFT);
}

static void report(struct walk *walk, struct folio *folio, bool used)
{
	u64 word = folio_pfn(folio) & GENMASK_ULL(35, 0);
	u16 tag = siphash_2u64((unsigned long)READ_ONCE(folio->mapping), READ_ONCE(folio->index),
			       &tag_key);

	word |= (u64)tag << 36 | (u64)min(folio_order(folio), 15U) << 52;
	if (used)
		word |= TMM_FRAME_REF;
	if (folio_is_file_lru(folio))
		word |= TMM_FRAME_FILE;
	if (folio_test_unevictable(folio))
		word |= TMM_FRAME_UNEVICTABLE;
	walk->words[walk->nr++] = word;
}

/*
 * The folio of a page that reclaim could find, or NULL. The page stays as long as the lock of its
 * table is held.
 */
static struct folio *reclaimable_folio(unsigned long pfn)
{
	struct folio *folio;

	if (!pfn_valid(pfn))
		return NULL;
	folio = page_folio(pfn_to_page(pfn));
	return READ_ONCE(folio->mapping) ? folio : NULL;
}

static bool is_normal(pte_t pte)
{
	return pte_present(pte) && !pte_special(pte) && !pte_devmap(pte);
}

/* As the architecture's ptep_test_and_clear_young(), which modules do not get. */
static bool take_young(pte_t *pte)
{
	return pte_young(READ_ONCE(*pte)) &&
	       test_and_clear_bit(_PAGE_BIT_ACCESSED, (unsigned long *)&pte->pte);
}

/*
 * Looks at all pages of a folio in the table, of which one is at the address. Returns the end of
 * the folio there. table is the entry for start.
 */
static unsigned long look_at_folio(struct walk *walk, pte_t *table, unsigned long start,
				   unsigned long end, unsigned long address)
{
	unsigned long pfn = pte_pfn(READ_ONCE(table[(address - start) >> PAGE_SHIFT]));
	struct folio *folio = reclaimable_folio(pfn);
	unsigned long before, from, to;
	bool used = false;

	if (!folio)
		return address + PAGE_SIZE;
	before = pfn - folio_pfn(folio);
	from = address - min(before << PAGE_SHIFT, address - start);
	to = address + min((folio_nr_pages(folio) - before) << PAGE_SHIFT, end - address);
	for (unsigned long at = from; at < to; at += PAGE_SIZE) {
		pte_t *pte = &table[(at - start) >> PAGE_SHIFT];
		pte_t value = READ_ONCE(*pte);

		/* another part of the folio may be elsewhere */
		if (is_normal(value) &&
		    pte_pfn(value) == pfn + ((long)(at - address) >> PAGE_SHIFT))
			used |= references_take(walk->mm, at, folio, take_young(pte));
	}
	report(walk, folio, used);
	return to;
}

/* Page tables may be freed and replaced by a huge page as long as their lock is not held. */
static void look_at_table(struct walk *walk, pmd_t *pmd, unsigned long start, unsigned long end)
{
	unsigned long address = next_sample(walk, start);
	spinlock_t *lock;
	pte_t *table;
	pmd_t value;

	if (address >= end)
		return;
	rcu_read_lock();
	value = READ_ONCE(*pmd);
	if (!pmd_present(value) || pmd_trans_huge(value) || pmd_devmap(value) || pmd_bad(value))
		goto out;
	lock = pte_lockptr(walk->mm, &value);
	spin_lock(lock);
	if (pmd_same(value, READ_ONCE(*pmd))) {
		table = pte_offset_kernel(pmd, start);
		while (address < end) {
			if (is_normal(READ_ONCE(table[(address - start) >> PAGE_SHIFT])))
				address = look_at_folio(walk, table, start, end, address);
			else
				address += PAGE_SIZE;
			address = next_sample(walk, address);
		}
	}
	spin_unlock(lock);
out:
	rcu_read_unlock();
}

static void look_at_huge(struct walk *walk, pmd_t *pmd, unsigned long start, unsigned long end)
{
	spinlock_t *lock;
	struct folio *folio;

	if (next_sample(walk, start) >= end)
		return;
	lock = pmd_lock(walk->mm, pmd);
	if (pmd_present(*pmd) && pmd_trans_huge(*pmd)) {
		folio = reclaimable_folio(pmd_pfn(*pmd));
		if (folio)
			report(walk, folio,
			       references_take(walk->mm, start & HPAGE_PMD_MASK, folio,
					       take_young((pte_t *)pmd)));
	}
	spin_unlock(lock);
}

/* Looks at the pages below one entry of the lowest directory. Returns where it ends. */
static unsigned long look_at_entry(struct walk *walk, unsigned long address, unsigned long end)
{
	pgd_t *pgd = pgd_offset(walk->mm, address);
	p4d_t *p4d;
	pud_t *pud;
	pmd_t *pmd;

	if (pgd_none(*pgd) || pgd_bad(*pgd))
		return pgd_addr_end(address, end);
	p4d = p4d_offset(pgd, address);
	if (p4d_none(*p4d) || p4d_bad(*p4d))
		return p4d_addr_end(address, end);
	pud = pud_offset(p4d, address);
	if (pud_none(*pud) || pud_bad(*pud))
		return pud_addr_end(address, end);
	pmd = pmd_offset(pud, address);
	end = pmd_addr_end(address, end);
	if (pmd_trans_huge(READ_ONCE(*pmd)))
		look_at_huge(walk, pmd, address, end);
	else
		look_at_table(walk, pmd, address, end);
	return end;
}

/* Has mappings of devices, or pages that are not for reclaim. */
static bool is_special(const struct vm_area_struct *vma)
{
	return (vma->vm_flags & (VM_IO | VM_PFNMAP | VM_MIXEDMAP | VM_HUGETLB)) || vma_is_dax(vma);
}

static bool has_room(const struct walk *walk)
{
	return walk->scan->vec_len - walk->nr >= PTRS_PER_PTE;
}

/*
 * Goes on from the address for a while, with the lock held. Returns where it got to; TASK_SIZE_MAX:
 * to the end.
 */
static unsigned long walk_some(struct walk *walk, unsigned long address)
{
	while ((walk->vma = find_vma(walk->mm, address))) {
		struct vm_area_struct *vma = walk->vma;

		address = max(address, vma->vm_start);
		if (is_special(vma)) {
			address = vma->vm_end;
			continue;
		}
		walk->seed = walk->scan->seed;
		if (vma->vm_file)
			walk->seed += (unsigned long)vma->vm_file->f_mapping * GOLDEN_RATIO_64;
		while (address < vma->vm_end) {
			if (!has_room(walk) || need_resched() || signal_pending(current) ||
			    mmap_lock_is_contended(walk->mm))
				return address;
			address = look_at_entry(walk, address, vma->vm_end);
		}
	}
	return TASK_SIZE_MAX;
}

/* Before another try to get a lock. Returns false if it is time to give up. */
static bool wait_a_moment(struct walk *walk)
{
	if (!walk->patience || signal_pending(current))
		return false;
	walk->patience--;
	usleep_range(500, 1000);
	return true;
}

static int watch(struct walk *walk)
{
	int ret;

	do
		ret = references_watch(walk->mm);
	while (ret == -EBUSY && wait_a_moment(walk));
	return ret;
}

static int lock(struct walk *walk)
{
	while (!mmap_read_trylock(walk->mm))
		if (!wait_a_moment(walk))
			return -EBUSY;
	return 0;
}

/*
 * Returns 0 if it got through the process, or can do nothing about it now: its pages are then missing
 * in this scan.
 */
static int walk_process(struct walk *walk, struct task_struct *task, unsigned long *address)
{
	int ret = 0;

	walk->mm = process_mm(task);
	if (!walk->mm)
		return 0;
	ret = watch(walk);
	while (!ret && *address < TASK_SIZE_MAX) {
		ret = lock(walk);
		if (ret)
			break;
		*address = walk_some(walk, *address);
		mmap_read_unlock(walk->mm);
		cond_resched();
		if (*address < TASK_SIZE_MAX && (!has_room(walk) || signal_pending(current)))
			ret = -EINTR;
	}
	mmput_async(walk->mm);
	return ret == -EBUSY && !signal_pending(current) ? 0 : ret;
}

/*
 * Any signal ends a scan early, and so does a full vector: it goes on from walk_pid and
 * walk_address. Each call makes progress unless a signal is pending at its begin.
 */
long mapped_scan(struct tmm_mapped_scan *scan, u64 *words, u64 *cgroups)
{
	struct walk walk = { .scan = scan, .words = words, .patience = PATIENCE };
	unsigned long address = min_t(u64, scan->walk_address, TASK_SIZE_MAX);
	struct processes *processes;
	int ret = 0;

	get_random_once(&tag_key, sizeof(tag_key));
	if (!scan->walk_pid)
		references_sweep();
	processes = processes_get(scan->walk_pid, cgroups, scan->nr_cgroups);
	if (!processes)
		return -ENOMEM;
	for (size_t i = 0; !ret && i < processes->nr; i++) {
		struct task_struct *task = processes->tasks[i];

		if (task->tgid != scan->walk_pid)
			address = 0;
		scan->walk_pid = task->tgid;
		ret = walk_process(&walk, task, &address);
		scan->walk_address = address;
	}
	processes_put(processes);
	if (ret == -ENOMEM && !walk.nr)
		return ret;
	if (!ret)
		scan->walk_pid = TMM_MAPPED_END;
	return walk.nr;
}
