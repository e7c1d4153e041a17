// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a user without privileges can do: give away memory of their own, and nothing to anybody
 * else; nor learn what others do with theirs.
 *
 * Copyright (C) 2026 The TMM authors
 */
#include "device.h"
#include "guest.h"
#include "suites.h"
#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define CGROUP_ROOT "/sys/fs/cgroup"
#define SYSFS "/sys/kernel/mm/tmm/"

enum { NOBODY = 65534 };

/* What a child process is to try, as whom, and where. */
struct attempt {
	/* in a namespace whose root is this cgroup, if there is one; then in one inside that */
	const struct cgroup *namespace, *inner_namespace;
	/* without privileges; with those of root in a user namespace of their own */
	bool nobody, user_namespace;
	/* what it does: returns -1 with errno if it fails */
	int (*action)(const struct attempt *attempt);
	const char *path, *text;
	int fd;
};

static bool enter_namespace(const struct cgroup *root)
{
	return !root ||
	       (!write_text(cgroup_file(root, "cgroup.procs"), "0") && !unshare(CLONE_NEWCGROUP));
}

static int try(const struct attempt *attempt)
{
	if (!enter_namespace(attempt->namespace) || !enter_namespace(attempt->inner_namespace))
		return 255;
	if (attempt->nobody && setuid(NOBODY))
		return 254;
	if (attempt->user_namespace && unshare(CLONE_NEWUSER))
		return 253;
	return attempt->action(attempt) < 0 ? errno : 0;
}

/* The errno of the attempt, 0 if it succeeds. */
static int result_of(struct attempt attempt)
{
	pid_t pid = fork();
	int status;

	if (pid < 0)
		bail_out("fork");
	if (pid == 0)
		_exit(try(&attempt));
	if (waitpid(pid, &status, 0) < 0)
		bail_out("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int do_write(const struct attempt *attempt)
{
	return write_text(attempt->path, attempt->text);
}

static int do_open(const struct attempt *attempt)
{
	return open(attempt->path, O_RDWR | O_CLOEXEC);
}

/* Through a file that somebody else has opened. */
static int do_write_fd(const struct attempt *attempt)
{
	return (int)write(attempt->fd, attempt->text, strlen(attempt->text));
}

/* In the child of the namespace's root that it moves to. */
static int do_mark_and_clear_below(const struct attempt *attempt)
{
	struct cgroup root, child;

	snprintf(root.path, sizeof(root.path), "%s", attempt->path);
	snprintf(child.path, sizeof(child.path), "%.100s/child", attempt->path);
	must_write(cgroup_file(&child, "cgroup.procs"), "0");
	must_write(cgroup_file(&root, "cgroup.subtree_control"), "+memory");
	must_write(cgroup_file(&child, "memory.transparent"), "1");
	return write_text(cgroup_file(&child, "memory.transparent"), "0");
}

static int do_mkdir(const struct attempt *attempt)
{
	return mkdir(attempt->path, 0755);
}

static int do_scan(const struct attempt *attempt)
{
	uint64_t word;
	struct tmm_scan scan = whole_scan(&word, 1);

	return ioctl(attempt->fd, TMM_SCAN, &scan);
}

static int mark_as_nobody(const struct cgroup *cgroup, const char *value)
{
	struct attempt attempt = {.nobody = true, .action = do_write, .text = value};
	char path[192];

	snprintf(path, sizeof(path), "%s", cgroup_file(cgroup, "memory.transparent"));
	attempt.path = path;
	return result_of(attempt);
}

/* By root, in a namespace that begins at that cgroup: only the namespace is in the way. */
static int mark_inside(const struct cgroup *cgroup, const char *value)
{
	char path[192];

	snprintf(path, sizeof(path), "%s", cgroup_file(cgroup, "memory.transparent"));
	return result_of((struct attempt){
		.namespace = cgroup, .action = do_write, .path = path, .text = value});
}

static void give_away(const struct cgroup *cgroup)
{
	static const char *const files[] = {"cgroup.procs", "cgroup.subtree_control",
					    "memory.transparent"};

	if (chown(cgroup->path, NOBODY, NOBODY))
		bail_out("cannot give %s away", cgroup->path);
	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (chown(cgroup_file(cgroup, files[i]), NOBODY, NOBODY))
			bail_out("cannot give %s away", cgroup_file(cgroup, files[i]));
}

static long long class_of(const struct cgroup *cgroup)
{
	return read_number("%s", cgroup_file(cgroup, "memory.transparent"));
}

static void test_own_and_others(void)
{
	struct attempt create = {.nobody = true, .action = do_mkdir};
	struct cgroup others, parent, own, made;

	cgroup_create(&others, "others", true);
	cgroup_create(&parent, "session", false);
	must_write(cgroup_file(&parent, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&own, &parent, "own");
	give_away(&own);

	check_equal(0, mark_as_nobody(&own, "1"), "delegation: a user can mark a cgroup of theirs");
	check_equal(1, class_of(&own), "delegation: it is marked");
	must_write(cgroup_file(&own, "cgroup.subtree_control"), "+memory");
	snprintf(made.path, sizeof(made.path), "%.100s/made", own.path);
	create.path = made.path;
	check_equal(0, result_of(create), "delegation: they can create one below it");
	check_equal(1, class_of(&made), "delegation: which inherits the class");
	check_equal(EINVAL, mark_as_nobody(&made, "0"), "delegation: and cannot leave it");
	check_equal(0, mark_as_nobody(&own, "0"), "delegation: they can clear their own");
	check_equal(0, class_of(&made), "delegation: and with it those below");

	check_equal(EACCES, mark_as_nobody(&parent, "1"),
		    "delegation: a user cannot mark the cgroup above theirs");
	check_equal(EACCES, mark_as_nobody(&parent, "0"), "delegation: nor clear it");
	check_equal(EACCES, mark_as_nobody(&others, "0"),
		    "delegation: nor clear a cgroup of others");
	check_equal(1, class_of(&others), "delegation: which stays marked");
	cgroup_set(&others, "memory.transparent", 0);
	check_equal(EACCES, mark_as_nobody(&others, "1"), "delegation: nor mark it");
	check_equal(0, class_of(&others), "delegation: which stays unmarked");

	cgroup_set(&parent, "memory.transparent", 1);
	check_equal(EINVAL, mark_as_nobody(&own, "0"),
		    "delegation: a user's cgroup cannot leave the class of the one above");
	check_equal(1, class_of(&own), "delegation: it stays marked");
	cgroup_remove(&made);
	cgroup_remove(&own);
	cgroup_remove(&parent);
	cgroup_remove(&others);
}

/*
 * By root, in a namespace that begins at a child of the cgroup: made by somebody in the namespace
 * that begins at the cgroup, who is not in the way of the cgroup as its root any more.
 */
static int mark_from_below(const struct cgroup *cgroup, const struct cgroup *child,
			   const char *value)
{
	char path[192];

	snprintf(path, sizeof(path), "%s", cgroup_file(cgroup, "memory.transparent"));
	return result_of((struct attempt){.namespace = cgroup,
					  .inner_namespace = child,
					  .action = do_write,
					  .path = path,
					  .text = value});
}

/* A file that was opened inside the namespace, and has been handed out of it. */
static int open_inside(const struct cgroup *root)
{
	int fds[2], fd = -1, status;
	char path[192];
	pid_t pid;

	snprintf(path, sizeof(path), "%s", cgroup_file(root, "memory.transparent"));
	if (pipe2(fds, O_CLOEXEC))
		bail_out("pipe");
	pid = fork();
	if (pid < 0)
		bail_out("fork");
	if (pid == 0) {
		fd = enter_namespace(root) ? open(path, O_WRONLY | O_CLOEXEC) : -1;
		if (write(fds[1], &fd, sizeof(fd)) == (ssize_t)sizeof(fd))
			pause();
		_exit(1);
	}
	if (read(fds[0], &fd, sizeof(fd)) != (ssize_t)sizeof(fd) || fd < 0)
		bail_out("cannot open %s inside a namespace", path);
	close(fds[0]);
	close(fds[1]);
	fd = (int)syscall(SYS_pidfd_getfd, (int)syscall(SYS_pidfd_open, pid, 0), fd, 0);
	if (fd < 0)
		bail_out("cannot take over a file");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return fd;
}

static void test_namespace(void)
{
	struct attempt below;
	struct cgroup outer, root, child;
	int fd;

	if (mount(NULL, CGROUP_ROOT, NULL, MS_REMOUNT, "nsdelegate"))
		bail_out("cannot mount cgroup2 with nsdelegate");
	cgroup_create(&outer, "outer", false);
	must_write(cgroup_file(&outer, "cgroup.subtree_control"), "+memory");
	cgroup_create_below(&root, &outer, "root");
	check_equal(0, mark_inside(&root, "1"), "namespace: its root can be marked from inside");
	check_equal(1, class_of(&root), "namespace: it is marked");
	check_equal(EPERM, mark_inside(&root, "0"), "namespace: it cannot be cleared from inside");
	check_equal(1, class_of(&root), "namespace: it stays marked");
	cgroup_create_below(&child, &root, "child");
	check_equal(EPERM, mark_from_below(&root, &child, "0"),
		    "namespace: nor by who makes another namespace below it");
	check_equal(1, class_of(&root), "namespace: it stays marked then, too");
	cgroup_set(&root, "memory.transparent", 0);
	check_equal(0, class_of(&root), "namespace: it can be cleared from outside");

	cgroup_set(&root, "memory.transparent", 1);
	fd = open_inside(&root);
	check_equal(EPERM,
		    result_of((struct attempt){.action = do_write_fd, .fd = fd, .text = "0"}),
		    "namespace: nor from outside by a file that was opened inside");
	check_equal(1, class_of(&root), "namespace: it stays marked by that");
	close(fd);
	fd = open(cgroup_file(&root, "memory.transparent"), O_WRONLY | O_CLOEXEC);
	check_equal(0,
		    result_of((struct attempt){
			    .namespace = &root, .action = do_write_fd, .fd = fd, .text = "0"}),
		    "namespace: it can be from inside by a file that was opened outside");
	check_equal(0, class_of(&root), "namespace: it is cleared");
	close(fd);

	below = (struct attempt){
		.namespace = &root, .action = do_mark_and_clear_below, .path = root.path};
	check_equal(EPERM, result_of(below),
		    "namespace: a cgroup below its root cannot be cleared from inside");
	check_equal(1, class_of(&child), "namespace: which stays marked");
	cgroup_remove(&child);
	cgroup_remove(&root);
	cgroup_remove(&outer);
	if (mount(NULL, CGROUP_ROOT, NULL, MS_REMOUNT, NULL))
		bail_out("cannot mount cgroup2 without nsdelegate");
}

/* The machine's own files; and the device, if it came to an open by mode. */
static void test_privileges(void)
{
	static const char *const files[] = {"opaque_limit", "transparent_limit",
					    "opaque_usage", "transparent_usage",
					    "total",	    "version"};
	struct attempt attempt = {.nobody = true, .action = do_open};
	struct stat status;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		char path[64];

		snprintf(path, sizeof(path), SYSFS "%s", files[i]);
		attempt.path = path;
		check_equal(EACCES, result_of(attempt), "privileges: a user cannot write to %s",
			    files[i]);
	}

	attempt.path = TMM_DEVICE;
	check_equal(EACCES, result_of(attempt), "privileges: nor open the device");
	if (stat(TMM_DEVICE, &status) || chmod(TMM_DEVICE, 0666))
		bail_out("cannot change " TMM_DEVICE);
	check_equal(EPERM, result_of(attempt), "privileges: not even if its mode lets them");
	attempt.user_namespace = true;
	check_equal(EPERM, result_of(attempt), "privileges: nor as the root of a user namespace");
	if (chmod(TMM_DEVICE, status.st_mode & 07777))
		bail_out("cannot change " TMM_DEVICE);

	/* so that a daemon can drop its privileges when it has opened the device */
	attempt = (struct attempt){.nobody = true, .action = do_scan, .fd = device_open()};
	check_equal(0, result_of(attempt),
		    "privileges: who opened it decides, not who uses what was opened");
	close(attempt.fd);
}

void delegation_suite(void)
{
	test_privileges();
	test_own_and_others();
	test_namespace();
}
