// SPDX-License-Identifier: GPL-2.0-only
/*
 * How exactly samples of /dev/tmm-mapped tell the memory in use, and what a scan costs.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "mapped.h"
#include "tap.h"

#include <linux/tmm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static double cpu_seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* The memory of the worker in pages, as a sample with that shift tells. */
static void estimate(const struct words *words, uint32_t shift, const uint64_t *frames, long pages,
		     long *used, long *all)
{
	*used = count_in(words, frames, pages, TMM_FRAME_REF, 0) << shift;
	*all = count_in(words, frames, pages, 0, 0) << shift;
}

/* The memcg and the youngest generation of the owner's cgroup in lru_gen of debugfs. */
static bool find_generations(unsigned long *memcg, unsigned long *youngest)
{
	FILE *file = fopen("/sys/kernel/debug/lru_gen", "re");
	char line[256], path[200];
	bool found = false;

	while (file && fgets(line, sizeof(line), file)) {
		unsigned long value;

		if (sscanf(line, "memcg %lu %199s", &value, path) == 2) {
			if (found)
				break;
			found = value && strcmp(path, mapped.opaque.path + strlen("/sys/fs/cgroup")) == 0;
			*memcg = value;
		} else if (found && sscanf(line, " %lu %*u", &value) == 1) {
			*youngest = value;
		}
	}
	if (file)
		fclose(file);
	return found;
}

/* What the generations of the multi-gen LRU cost for the same. */
static void measure_ageing(uintptr_t loop)
{
	unsigned long memcg = 0, youngest = 0;
	char command[64];
	double cpu;

	if (!multi_gen_lru() || !find_generations(&memcg, &youngest)) {
		diag("there are no generations to compare with");
		return;
	}
	worker_read_pages(&mapped.owner, loop);
	snprintf(command, sizeof(command), "+ %lu 0 %lu 1 1", memcg, youngest);
	cpu = cpu_seconds();
	must_write("/sys/kernel/debug/lru_gen", command);
	diag("an ageing call of the multi-gen LRU for the same memory: %.1f ms",
	     1e3 * (cpu_seconds() - cpu));
}

/* A loop over known memory beside forgotten memory, as docs/policy.md has it for the other sources. */
void accuracy_suite(void)
{
	long hot = 46080, cold = 25600;
	uintptr_t loop = worker_map_anon(&mapped.owner, hot * page_size()),
		  forgotten = worker_map_anon(&mapped.owner, cold * page_size());
	uint64_t *hot_frames = worker_frames(&mapped.owner, loop, hot * page_size()),
		 *cold_frames = worker_frames(&mapped.owner, forgotten, cold * page_size());

	for (uint32_t shift = 0; shift <= 6; shift += 2) {
		long used, all, cold_used, cold_all;
		struct words words;
		double began;

		start_afresh();
		worker_read_pages(&mapped.owner, loop);
		began = cpu_seconds();
		words = mapped_scan(shift);
		began = cpu_seconds() - began;
		estimate(&words, shift, hot_frames, hot, &used, &all);
		estimate(&words, shift, cold_frames, cold, &cold_used, &cold_all);
		diag("shift %u: loop %ld of %ld used, truth %ld; forgotten %ld of %ld used, truth 0 of %ld; %ld words, %.1f ms",
		     shift, used, all, hot, cold_used, cold_all, cold, words.reported, 1e3 * began);
		check(labs(used - hot) <= hot / 100, "shift %u: the loop is in use", shift);
		check(cold_used <= cold / 100 && labs(cold_all - cold) <= cold / 50,
		      "shift %u: what is forgotten is not", shift);
		words_forget(&words);
	}
	measure_ageing(loop);
	worker_unmap(&mapped.owner, loop);
	worker_unmap(&mapped.owner, forgotten);
	free(hot_frames);
	free(cold_frames);
}
