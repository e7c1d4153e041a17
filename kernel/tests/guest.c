/*
 * SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: GPL-2.0-only
 */
#include "guest.h"

#include "tap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define ROOT_CGROUP "/sys/fs/cgroup"
#define SYSFS "/sys/kernel/mm/tmm"

static void read_text(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t used = 0;
	ssize_t got = 1;

	if (fd < 0)
		bail_out("cannot open %s", path);
	while (used < size - 1 && got > 0) {
		got = read(fd, text + used, size - 1 - used);
		if (got < 0)
			bail_out("cannot read %s", path);
		used += (size_t)got;
	}
	close(fd);
	text[used] = 0;
}

long long read_number(const char *path, ...)
{
	char name[256], text[64], *end;
	va_list values;
	long long number;

	va_start(values, path);
	vsnprintf(name, sizeof(name), path, values);
	va_end(values);
	read_text(name, text, sizeof(text));
	/* "no limit" of the opaque class does not fit into a signed number */
	number = (long long)strtoull(text, &end, 10);
	if (end == text)
		bail_out("%s has no number but \"%s\"", name, text);
	return number;
}

long long read_keyed(const char *path, const char *name)
{
	static char text[64 * 1024];
	size_t length = strlen(name);

	read_text(path, text, sizeof(text));
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, length) == 0 && line[length] == ' ')
			return atoll(line + length);
	}
	errno = ENOENT;
	bail_out("no %s in %s", name, path);
}

long long vmstat(const char *name)
{
	must_write("/proc/sys/vm/stat_refresh", "1");
	return read_keyed("/proc/vmstat", name);
}

int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t written;
	int error;

	if (fd < 0)
		return -1;
	written = write(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return written < 0 ? -1 : 0;
}

int write_number(const char *path, long long number)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", number);
	return write_text(path, text);
}

void must_write(const char *path, const char *text)
{
	if (write_text(path, text))
		bail_out("cannot write %s to %s", text, path);
}

bool multi_gen_lru(void)
{
	char text[32];

	read_text("/sys/kernel/mm/lru_gen/enabled", text, sizeof(text));
	return strtol(text, NULL, 0) & 1;
}

void cgroup_create(struct cgroup *cgroup, const char *name, bool transparent)
{
	snprintf(cgroup->path, sizeof(cgroup->path), ROOT_CGROUP "/test-%s", name);
	if (mkdir(cgroup->path, 0755))
		bail_out("cannot create %s", cgroup->path);
	if (transparent)
		must_write(cgroup_file(cgroup, "memory.transparent"), "1");
}

void cgroup_remove(struct cgroup *cgroup)
{
	/* a process that has been waited for leaves its cgroup a little later */
	while (rmdir(cgroup->path)) {
		if (errno != EBUSY)
			bail_out("cannot remove %s", cgroup->path);
		usleep(1000);
	}
}

const char *cgroup_file(const struct cgroup *cgroup, const char *file)
{
	static char path[192];

	snprintf(path, sizeof(path), "%s/%s", cgroup->path, file);
	return path;
}

long long cgroup_stat(const struct cgroup *cgroup, const char *name)
{
	return read_keyed(cgroup_file(cgroup, "memory.stat"), name);
}

int reclaim(long long bytes)
{
	return write_number(ROOT_CGROUP "/memory.reclaim", bytes);
}

void evict_all(const struct cgroup *cgroup)
{
	/* what is under I/O at first is taken by a later turn */
	for (int turn = 0; turn < 200; turn++) {
		long long bytes = cgroup_stat(cgroup, "anon") + cgroup_stat(cgroup, "file") +
				  cgroup_stat(cgroup, "swapcached");

		if (bytes < MIB / 8)
			return;
		if (write_number(cgroup_file(cgroup, "memory.reclaim"), bytes) && errno != EAGAIN)
			bail_out("cannot write to memory.reclaim");
	}
	errno = EAGAIN;
	bail_out("%s cannot be evicted", cgroup->path);
}

void set_limits(long long opaque_bytes, long long transparent_bytes)
{
	if (write_number(SYSFS "/opaque_limit", opaque_bytes) ||
	    write_number(SYSFS "/transparent_limit", transparent_bytes))
		bail_out("cannot write to " SYSFS);
}

void reset_limits(void)
{
	set_limits(NO_LIMIT, 0);
}

long page_size(void)
{
	return sysconf(_SC_PAGESIZE);
}

long resident_pages(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	unsigned char *present;
	struct stat status;
	long count = 0;
	size_t nr;
	void *memory;

	if (fd < 0 || fstat(fd, &status))
		bail_out("cannot open %s", path);
	nr = (size_t)(status.st_size / page_size());
	present = malloc(nr);
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (!present || memory == MAP_FAILED || mincore(memory, (size_t)status.st_size, present))
		bail_out("cannot look at %s", path);
	for (size_t i = 0; i < nr; i++)
		count += present[i] & 1;
	munmap(memory, (size_t)status.st_size);
	free(present);
	close(fd);
	return count;
}

void drop_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED))
		bail_out("cannot drop %s", path);
	close(fd);
}
