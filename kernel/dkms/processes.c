// SPDX-License-Identifier: GPL-2.0-only
/*
 * The opaque processes: all that are not in a transparent cgroup or below one.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include <linux/bsearch.h>
#include <linux/cgroup.h>
#include <linux/rcupdate.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sort.h>

#include "tmm_mapped.h"

/* Processes that may come between the count and the list. Later ones wait for the next scan. */
#define NEW_PROCESSES 64

static int compare_ids(const void *a, const void *b)
{
	u64 left = *(const u64 *)a, right = *(const u64 *)b;

	return left < right ? -1 : left > right;
}

static int compare_pids(const void *a, const void *b)
{
	pid_t left = (*(struct task_struct *const *)a)->tgid;
	pid_t right = (*(struct task_struct *const *)b)->tgid;

	return left < right ? -1 : left > right;
}

/* The caller is in an RCU read-side critical section. */
static bool is_transparent(struct task_struct *task, const u64 *cgroups, size_t nr_cgroups)
{
	struct cgroup *cgroup = task_dfl_cgroup(task);

	for (; nr_cgroups && cgroup; cgroup = cgroup_parent(cgroup)) {
		u64 id = cgroup_id(cgroup);

		if (bsearch(&id, cgroups, nr_cgroups, sizeof(id), compare_ids))
			return true;
	}
	return false;
}

struct processes *processes_get(u64 first_pid, u64 *cgroups, size_t nr_cgroups)
{
	struct processes *processes;
	struct task_struct *task;
	size_t room = NEW_PROCESSES;

	sort(cgroups, nr_cgroups, sizeof(*cgroups), compare_ids, NULL);
	rcu_read_lock();
	for_each_process(task)
		room++;
	rcu_read_unlock();
	processes = kvmalloc(struct_size(processes, tasks, room), GFP_KERNEL);
	if (!processes)
		return NULL;
	processes->nr = 0;
	rcu_read_lock();
	for_each_process(task) {
		if (processes->nr == room)
			break;
		if (task->tgid < first_pid || (task->flags & PF_KTHREAD) ||
		    is_transparent(task, cgroups, nr_cgroups))
			continue;
		processes->tasks[processes->nr++] = get_task_struct(task);
	}
	rcu_read_unlock();
	sort(processes->tasks, processes->nr, sizeof(task), compare_pids, NULL);
	return processes;
}

void processes_put(struct processes *processes)
{
	for (size_t i = 0; i < processes->nr; i++)
		put_task_struct(processes->tasks[i]);
	kvfree(processes);
}

struct mm_struct *process_mm(struct task_struct *leader)
{
	struct mm_struct *mm = get_task_mm(leader);
	struct task_struct *thread;

	if (mm)
		return mm;
	/* The first thread may have ended before the others. */
	rcu_read_lock();
	for_each_thread(leader, thread) {
		mm = get_task_mm(thread);
		if (mm)
			break;
	}
	rcu_read_unlock();
	return mm;
}
