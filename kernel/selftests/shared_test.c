// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that are charged to a transparent cgroup, but used by opaque tasks too, stay as opaque
 * memory does.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "guest.h"
#include "suites.h"
#include "tap.h"
#include "worker.h"

#include <unistd.h>

#define SHARED_FILE "tmm-test-shared"
#define OWN_FILE "tmm-test-own"

#define ANON (64 * MIB)
#define CACHE (32 * MIB)

static void use_by_mmap(struct worker *worker)
{
	worker_map_file(worker, SHARED_FILE);
	/* else it would stay for being used lately, whoever used it */
	worker_forget_uses(worker);
}

static void use_by_read(struct worker *worker)
{
	worker_read_file(worker, SHARED_FILE);
}

static void use_by_write(struct worker *worker)
{
	worker_write_file(worker, SHARED_FILE, CACHE);
}

/*
 * The contribution reads two files; somebody else uses one of them as well. Then memory is asked
 * for.
 */
static void test_case(const char *how, void (*use)(struct worker *), bool by_opaque)
{
	struct cgroup first, second;
	struct worker contribution, user;
	long shared_pages = CACHE / page_size(), left;

	cgroup_create(&first, "first", true);
	cgroup_create(&second, "second", !by_opaque);
	worker_start(&contribution, &first);
	worker_start(&user, &second);
	worker_map_anon(&contribution, ANON);
	worker_write_file(&contribution, OWN_FILE, CACHE);
	worker_write_file(&contribution, SHARED_FILE, CACHE);
	use(&user);
	/* an opaque user's file need not go for it, a transparent one's has to */
	reclaim_bytes(by_opaque ? ANON + CACHE * 3 / 4 : ANON + CACHE * 7 / 4);
	left = resident_pages(SHARED_FILE);
	diag("%ld of %ld pages of the shared file are left, %ld of the other", left, shared_pages,
	     resident_pages(OWN_FILE));
	if (by_opaque) {
		check(left >= shared_pages * 95 / 100,
		      "shared: a file that opaque tasks use by %s stays", how);
		check(resident_pages(OWN_FILE) < shared_pages / 2,
		      "shared: by %s: one that they do not use goes", how);
	} else {
		check(left < shared_pages / 2,
		      "shared: a file that transparent tasks use by %s goes", how);
	}
	worker_stop(&user);
	worker_stop(&contribution);
	unlink(SHARED_FILE);
	unlink(OWN_FILE);
	cgroup_remove(&second);
	cgroup_remove(&first);
}

void shared_suite(void)
{
	test_case("mmap", use_by_mmap, true);
	test_case("read", use_by_read, true);
	test_case("write", use_by_write, true);
	test_case("mmap", use_by_mmap, false);
	test_case("read", use_by_read, false);
	test_case("write", use_by_write, false);
}
