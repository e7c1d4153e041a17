// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
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

/* The sum of the numbers behind several names, from one reading of the file. */
static long long read_sum(const char *path, const char *const *names, size_t nr)
{
	static char text[64 * 1024];
	long long sum = 0;

	read_text(path, text, sizeof(text));
	for (size_t i = 0; i < nr; i++) {
		size_t length = strlen(names[i]);
		const char *line = text;

		while (strncmp(line, names[i], length) || line[length] != ' ') {
			line = strchr(line, '\n');
			if (!line) {
				errno = ENOENT;
				bail_out("no %s in %s", names[i], path);
			}
			line++;
		}
		sum += atoll(line + length);
	}
	return sum;
}

long long read_keyed(const char *path, const char *name)
{
	return read_sum(path, &name, 1);
}

static void refresh_vmstat(void)
{
	must_write("/proc/sys/vm/stat_refresh", "1");
}

long long node_stat(int node, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/vmstat", node);
	refresh_vmstat();
	return read_keyed(path, name);
}

static long long vmstat_sum(const char *const *names, size_t nr)
{
	refresh_vmstat();
	return read_sum("/proc/vmstat", names, nr);
}

long long vmstat(const char *name)
{
	return vmstat_sum(&name, 1);
}

long long lru_pages(void)
{
	static const char *const names[] = {"nr_active_anon", "nr_inactive_anon", "nr_active_file",
					    "nr_inactive_file"};

	return vmstat_sum(names, 4);
}

static const char *const transparent_names[] = {"nr_tmm_anon", "nr_tmm_file", "nr_tmm_unevictable"};

long long transparent_lru_pages(void)
{
	return vmstat_sum(transparent_names, 2);
}

long long transparent_pages(void)
{
	return vmstat_sum(transparent_names, 3);
}

long long free_bytes(void)
{
	return vmstat("nr_free_pages") * page_size();
}

long long ram_bytes(void)
{
	return sysconf(_SC_PHYS_PAGES) * page_size();
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

void cgroup_create_below(struct cgroup *child, const struct cgroup *parent, const char *name)
{
	if (snprintf(child->path, sizeof(child->path), "%s/%s", parent->path, name) >=
		    (int)sizeof(child->path) ||
	    mkdir(child->path, 0755))
		bail_out("cannot create %s/%s", parent->path, name);
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

void cgroup_set(const struct cgroup *cgroup, const char *file, long long number)
{
	if (write_number(cgroup_file(cgroup, file), number))
		bail_out("cannot write %lld to %s", number, cgroup_file(cgroup, file));
}

long long cgroup_charged(const struct cgroup *cgroup)
{
	return read_number("%s", cgroup_file(cgroup, "memory.current"));
}

long long cgroup_stat(const struct cgroup *cgroup, const char *name)
{
	return read_keyed(cgroup_file(cgroup, "memory.stat"), name);
}

void cgroup_age(const struct cgroup *cgroup)
{
	char line[256], command[64];
	unsigned long id = 0, sequence = 0;
	bool found = false;
	FILE *file = fopen("/sys/kernel/debug/lru_gen", "re");

	/* memcg <id> <path>, then its nodes: node <nid>, then its generations, the youngest last */
	if (!file)
		bail_out("cannot open lru_gen in debugfs");
	while (fgets(line, sizeof(line), file)) {
		char path[200];
		unsigned long value;

		if (sscanf(line, "memcg %lu %199s", &value, path) == 2) {
			if (found)
				break;
			/* id 0: one of the same name that is gone, but for some pages */
			found = value && strcmp(path, cgroup->path + strlen("/sys/fs/cgroup")) == 0;
			if (found)
				id = value;
		} else if (found && sscanf(line, " %lu %*u", &value) == 1) {
			sequence = value;
		}
	}
	fclose(file);
	if (!found)
		bail_out("%s is not in lru_gen", cgroup->path);
	snprintf(command, sizeof(command), "+ %lu 0 %lu 1 1", id, sequence);
	/* Linux 7 fails if somebody else ages it just now, and Linux 6.12 succeeds */
	if (write_text("/sys/kernel/debug/lru_gen", command) && errno != EEXIST)
		bail_out("cannot write %s to lru_gen in debugfs", command);
}

int reclaim_bytes(long long bytes)
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
		/* memory.stat may be two seconds old */
		if (turn > 10)
			usleep(20000);
	}
	errno = EAGAIN;
	bail_out("%s cannot be evicted", cgroup->path);
}

long long transparent_leftovers(void)
{
	for (int turn = 0; turn < 200 && transparent_pages(); turn++) {
		must_write("/proc/sys/vm/drop_caches", "1");
		reclaim_bytes(MIB);
		usleep(10000);
	}
	return transparent_pages();
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
