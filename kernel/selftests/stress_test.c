// SPDX-License-Identifier: GPL-2.0-only
/*
 * All that can happen to memory of both classes, at random and at once. When it is over and
 * everything is removed, nothing may be left. TMM_STRESS_SECONDS and TMM_STRESS_SEED in the
 * environment say for how long, and what.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "jobs.h"
#include "random.h"
#include "suites.h"
#include "swap.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MULTI_GEN "/sys/kernel/mm/lru_gen/enabled"
#define FILE_BYTES (8 * MIB)

enum {
	NR_ACTORS = 5,
	/* cgroups: groups with members, in which the actors are */
	NR_GROUPS = 4,
	NR_MEMBERS = 3,
	NR_MAPPINGS = 6,
	/* all actors together fit into the memory of a small machine, with and without swap */
	MAX_MAPPING_MIB = 8,
};

/* Below it are the groups; what is killed for lack of memory in there is no failure. */
static struct cgroup stress;
static uint64_t seed;

static const char *const files[] = {
	"tmm-test-stress-0",
	"tmm-test-stress-1",
	"/dev/shm/tmm-test-stress",
};

static struct cgroup group_of(unsigned int group)
{
	struct cgroup cgroup;

	snprintf(cgroup.path, sizeof(cgroup.path), "%.64s/%u", stress.path, group);
	return cgroup;
}

static struct cgroup member_of(unsigned int group, unsigned int member)
{
	struct cgroup cgroup;

	snprintf(cgroup.path, sizeof(cgroup.path), "%.64s/%u/%u", stress.path, group, member);
	return cgroup;
}

static struct cgroup any_member(struct random *random)
{
	return member_of((unsigned int)random_below(random, NR_GROUPS),
			 (unsigned int)random_below(random, NR_MEMBERS));
}

/* A group or a member of one, which need not be there. */
static struct cgroup any_cgroup(struct random *random)
{
	return random_once_in(random, 4) ? group_of((unsigned int)random_below(random, NR_GROUPS))
					 : any_member(random);
}

/*
 * An actor: a process that uses memory. What fails, fails: it may be out of swap, of its cgroup, or
 * of memory that can be locked.
 */
struct mapping {
	char *memory;
	size_t bytes;
};

static struct mapping mappings[NR_MAPPINGS];

static void map_something(struct random *random, struct mapping *mapping)
{
	const int advice[] = {MADV_HUGEPAGE, MADV_NOHUGEPAGE, MADV_MERGEABLE, MADV_NORMAL};
	int fd = -1;

	mapping->bytes = (size_t)(1 + random_below(random, MAX_MAPPING_MIB)) * MIB;
	switch (random_below(random, 4)) {
	case 0:
		fd = open(RANDOM_OF(random, files), O_RDWR | O_CLOEXEC);
		mapping->memory = mmap(NULL, mapping->bytes, PROT_READ | PROT_WRITE,
				       random_once_in(random, 2) ? MAP_SHARED : MAP_PRIVATE, fd, 0);
		break;
	case 1:
		mapping->memory = mmap(NULL, mapping->bytes, PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		break;
	default:
		mapping->memory = mmap(NULL, mapping->bytes, PROT_READ | PROT_WRITE,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	}
	if (fd >= 0)
		close(fd);
	if (mapping->memory == MAP_FAILED)
		mapping->memory = NULL;
	else
		madvise(mapping->memory, mapping->bytes, RANDOM_OF(random, advice));
}

static void use_file(struct random *random)
{
	const char *path = RANDOM_OF(random, files);

	switch (random_below(random, 3)) {
	case 0:
		job_read_file(path, 0);
		break;
	case 1:
		job_read_ahead(path, 0);
		break;
	default:
		job_write_file(path, (long)random_below(random, FILE_BYTES));
	}
}

static void use_mapping(struct random *random, struct mapping *mapping)
{
	const int advice[] = {MADV_FREE, MADV_DONTNEED, MADV_PAGEOUT, MADV_COLD, MADV_WILLNEED};
	size_t from, bytes;

	if (!mapping->memory) {
		map_something(random, mapping);
		return;
	}
	from = (size_t)random_below(random, mapping->bytes) & ~(size_t)(page_size() - 1);
	bytes = mapping->bytes - from;
	switch (random_below(random, 8)) {
	case 0:
		munmap(mapping->memory, mapping->bytes);
		mapping->memory = NULL;
		break;
	case 1:
		munlock(mapping->memory, mapping->bytes);
		break;
	case 2:
		mlock(mapping->memory + from, bytes < (size_t)MIB ? bytes : (size_t)MIB);
		break;
	case 3:
	case 4:
		madvise(mapping->memory + from, bytes, RANDOM_OF(random, advice));
		break;
	default:
		touch_pages((uintptr_t)mapping->memory + from, bytes, random_once_in(random, 2));
	}
}

static void move_to(const struct cgroup *cgroup)
{
	write_text(cgroup_file(cgroup, "cgroup.procs"), "0");
}

/* Shares the memory of its parent for a while, and may become another program. */
static void fork_child(struct random *random)
{
	pid_t pid = fork();

	if (pid > 0)
		waitpid(pid, NULL, 0);
	if (pid)
		return;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (random_once_in(random, 2)) {
		struct cgroup cgroup = any_member(random);

		move_to(&cgroup);
	}
	for (int turn = 0; turn < 4; turn++)
		use_mapping(random, &mappings[random_below(random, NR_MAPPINGS)]);
	if (random_once_in(random, 2))
		execl("/bin/sh", "sh", "-c", "true", NULL);
	_exit(0);
}

static void act(struct random *random)
{
	struct cgroup cgroup;

	switch (random_below(random, 16)) {
	case 0:
		fork_child(random);
		break;
	case 1:
		cgroup = any_member(random);
		move_to(&cgroup);
		break;
	case 2:
	case 3:
		use_file(random);
		break;
	default:
		use_mapping(random, &mappings[random_below(random, NR_MAPPINGS)]);
	}
}

/* A daemon that comes and goes. */
static void act_as_daemon(struct random *random)
{
	static uint64_t vec[16384];
	struct tmm_refaults refaults = {
		.size = sizeof(refaults),
		.flags = random_below(random, 2),
		.vec = (uintptr_t)vec,
		.vec_len = TMM_REFAULT_BUCKETS,
	};
	struct tmm_scan scan = whole_scan(vec, ARRAY_SIZE(vec));
	int device = open(TMM_DEVICE, O_RDWR | O_CLOEXEC);

	if (device < 0)
		_exit(1);
	scan.shift = (uint32_t)random_below(random, 7);
	scan.seed = random_bits(random);
	set_limits((long long)random_below(random, 1024) * MIB,
		   (long long)random_below(random, 1024) * MIB);
	for (uint64_t turn = random_below(random, 20); turn; turn--) {
		if (ioctl(device, TMM_SCAN, &scan) < 0 ||
		    ioctl(device, TMM_REFAULTS, &refaults) < 0)
			_exit(1);
		scan.start_pfn = random_once_in(random, 4) ? 0 : scan.walk_end;
	}
	close(device);
}

/* Process `number` of the stress, which goes on until it is killed. */
static pid_t start_actor(unsigned int number, void (*work)(struct random *))
{
	struct random random = random_source(seed, number);
	pid_t pid = fork();

	if (pid < 0)
		bail_out("fork");
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* in a group even if the kernel refuses to move it later */
	move_to(&stress);
	for (;;)
		work(&random);
}

/* What the owner of the machine, and its administrator, do. */
static void reclaim_somewhere(struct random *random)
{
	struct cgroup cgroup = any_cgroup(random);
	long long bytes = (long long)random_below(random, 16) * MIB;

	if (random_once_in(random, 2))
		reclaim_bytes(bytes);
	else
		write_number(cgroup_file(&cgroup, "memory.reclaim"), bytes);
}

static void change_cgroup(struct random *random)
{
	struct cgroup cgroup = any_cgroup(random);
	long long bytes = (long long)(8 + random_below(random, 56)) * MIB;

	switch (random_below(random, 6)) {
	case 0:
		/* busy as long as somebody is in there */
		rmdir(cgroup.path);
		break;
	case 1:
		if (mkdir(cgroup.path, 0755) == 0)
			write_text(cgroup_file(&cgroup, "cgroup.subtree_control"), "+memory");
		break;
	case 2:
		if (random_once_in(random, 2))
			write_number(cgroup_file(&cgroup, "memory.high"), bytes);
		else
			write_text(cgroup_file(&cgroup, "memory.high"), "max");
		break;
	case 3:
		write_text(cgroup_file(&cgroup, "memory.swap.max"),
			   random_once_in(random, 2) ? "0" : "max");
		break;
	default:
		write_text(cgroup_file(&cgroup, "memory.transparent"),
			   random_once_in(random, 2) ? "1" : "0");
	}
}

static void change_machine(struct random *random)
{
	switch (random_below(random, 6)) {
	case 0:
		if (swap_try_take_away())
			swap_restore();
		break;
	case 1:
		write_number("/proc/sys/vm/drop_caches", 1 + (long long)random_below(random, 3));
		break;
	case 2:
		write_text("/proc/sys/vm/compact_memory", "1");
		break;
	case 3:
		write_text(MULTI_GEN, random_once_in(random, 2) ? "y" : "n");
		break;
	default:
		set_limits((long long)random_below(random, 1024) * MIB,
			   (long long)random_below(random, 1024) * MIB);
	}
}

static unsigned long manage(struct random *random, double seconds)
{
	double end = now_seconds() + seconds;
	unsigned long turns = 0;

	while (now_seconds() < end) {
		switch (random_below(random, 8)) {
		case 0:
			change_machine(random);
			break;
		case 1:
		case 2:
			reclaim_somewhere(random);
			break;
		default:
			change_cgroup(random);
		}
		usleep((useconds_t)random_below(random, 20000));
		turns++;
	}
	return turns;
}

static void set_up(void)
{
	cgroup_create(&stress, "stress", false);
	must_write(cgroup_file(&stress, "cgroup.subtree_control"), "+memory");
	for (unsigned int i = 0; i < NR_GROUPS; i++) {
		struct cgroup group = group_of(i);

		if (mkdir(group.path, 0755))
			bail_out("cannot create %s", group.path);
		must_write(cgroup_file(&group, "cgroup.subtree_control"), "+memory");
		for (unsigned int j = 0; j < NR_MEMBERS; j++)
			if (mkdir(member_of(i, j).path, 0755))
				bail_out("cannot create a member of %s", group.path);
	}
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (job_write_file(files[i], FILE_BYTES))
			bail_out("cannot write %s", files[i]);
}

static void remove_if_there(const struct cgroup *cgroup)
{
	if (access(cgroup->path, F_OK) == 0)
		cgroup_remove((struct cgroup *)cgroup);
}

static void remove_all(bool multi_gen)
{
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		unlink(files[i]);
	for (unsigned int i = 0; i < NR_GROUPS; i++) {
		struct cgroup group = group_of(i);

		for (unsigned int j = 0; j < NR_MEMBERS; j++) {
			struct cgroup member = member_of(i, j);

			remove_if_there(&member);
		}
		remove_if_there(&group);
	}
	cgroup_remove(&stress);
	reset_limits();
	must_write(MULTI_GEN, multi_gen ? "y" : "n");
}

/* What processes and files have left behind is under I/O at first, and goes with time. */
static void evict_remains(void)
{
	for (int turn = 0; turn < 100 && transparent_pages(); turn++) {
		sync();
		must_write("/proc/sys/vm/drop_caches", "3");
		reclaim_bytes(transparent_pages() * page_size());
		usleep(10000);
	}
}

void stress_suite(void)
{
	uint64_t seconds = environment_number("TMM_STRESS_SECONDS", 20);
	struct random random;
	bool multi_gen = multi_gen_lru();
	long long kills = vmstat("oom_kill"), own_kills;
	pid_t actors[NR_ACTORS + 1];
	long long swapped;
	unsigned long turns;
	int status;

	seed = environment_number("TMM_STRESS_SEED", 1);
	diag("TMM_STRESS_SEED=%llu TMM_STRESS_SECONDS=%llu", (unsigned long long)seed,
	     (unsigned long long)seconds);
	set_up();
	for (unsigned int i = 0; i < NR_ACTORS; i++)
		actors[i] = start_actor(i, act);
	actors[NR_ACTORS] = start_actor(NR_ACTORS, act_as_daemon);
	random = random_source(seed, NR_ACTORS + 1);
	swapped = vmstat("pswpout");
	turns = manage(&random, (double)seconds);
	swapped = vmstat("pswpout") - swapped;
	diag("%lu turns, %lld pages swapped out", turns, swapped);
	check(turns > 0 && swapped > 0, "stress: there was some");
	check_equal(0, waitpid(actors[NR_ACTORS], &status, WNOHANG),
		    "stress: the daemon had no error");
	for (unsigned int i = 0; i <= NR_ACTORS; i++) {
		kill(actors[i], SIGKILL);
		waitpid(actors[i], &status, 0);
	}
	own_kills = read_keyed(cgroup_file(&stress, "memory.events"), "oom_kill");
	check_equal(kills + own_kills, vmstat("oom_kill"),
		    "stress: no OOM kill of others (%lld in its cgroups)", own_kills);
	remove_all(multi_gen);
	evict_remains();
	check_equal(0, vmstat("nr_tmm_anon"), "stress: no transparent anonymous page is left");
	check_equal(0, vmstat("nr_tmm_file"), "stress: no transparent file page is left");
	check_equal(0, vmstat("nr_tmm_unevictable"), "stress: no transparent locked page is left");
	close(device_open());
}
