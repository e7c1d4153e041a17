// SPDX-License-Identifier: GPL-2.0-only
/* Copyright (C) 2026 The TMM authors */
#include "jobs.h"

#include "guest.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/mempolicy.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MAX_MAPPINGS = 8 };

static struct {
	uintptr_t address;
	size_t bytes;
} mappings[MAX_MAPPINGS];

static size_t *mapping_bytes(uintptr_t address)
{
	for (int i = 0; i < MAX_MAPPINGS; i++)
		if (mappings[i].address == address)
			return &mappings[i].bytes;
	return NULL;
}

static long remember(void *memory, size_t bytes)
{
	int i = 0;

	if (memory == MAP_FAILED)
		return -errno;
	while (i < MAX_MAPPINGS && mappings[i].address)
		i++;
	if (i == MAX_MAPPINGS)
		return -ENOSPC;
	mappings[i].address = (uintptr_t)memory;
	mappings[i].bytes = bytes;
	return (long)(uintptr_t)memory;
}

/* Unmapping more than 33 pages makes the kernel flush all of it. */
void forget_translations(void)
{
	size_t bytes = 64 * (size_t)page_size();
	char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	if (memory != MAP_FAILED)
		munmap(memory, bytes);
}

void touch_pages(uintptr_t address, size_t bytes, bool write)
{
	volatile char *memory = (volatile char *)address;

	forget_translations();
	for (size_t i = 0; i < bytes; i += (size_t)page_size()) {
		if (write)
			/* no two pages are alike */
			*(volatile size_t *)(memory + i) = address + i;
		else
			(void)memory[i];
	}
}

static long do_touch(uintptr_t address, bool write)
{
	size_t *bytes = mapping_bytes(address);

	if (!bytes)
		return -EINVAL;
	touch_pages(address, *bytes, write);
	return 0;
}

long job_read_pages(const char *path, long address)
{
	(void)path;
	return do_touch((uintptr_t)address, false);
}

long job_write_pages(const char *path, long address)
{
	(void)path;
	return do_touch((uintptr_t)address, true);
}

static long map_anon(long bytes, int advice)
{
	size_t huge = 2UL * MIB, all = (size_t)bytes + huge;
	char *memory = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long address, failed;

	if (memory == MAP_FAILED)
		return -errno;
	/* aligned, so that huge pages fit */
	address = remember((void *)(((uintptr_t)memory + huge - 1) & ~(huge - 1)), (size_t)bytes);
	if (address < 0)
		return address;
	if (madvise((void *)address, (size_t)bytes, advice))
		return -errno;
	failed = do_touch((uintptr_t)address, true);
	return failed ? failed : address;
}

long job_map_anon(const char *path, long bytes)
{
	(void)path;
	return map_anon(bytes, MADV_NOHUGEPAGE);
}

long job_map_huge(const char *path, long bytes)
{
	(void)path;
	return map_anon(bytes, MADV_HUGEPAGE);
}

long job_map_file(const char *path, long unused)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat status;
	long address, failed;
	void *memory;

	(void)unused;
	if (fd < 0 || fstat(fd, &status))
		return -errno;
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	address = remember(memory, (size_t)status.st_size);
	if (address < 0)
		return address;
	failed = do_touch((uintptr_t)address, false);
	return failed ? failed : address;
}

long job_unmap(const char *path, long address)
{
	(void)path;
	for (int i = 0; i < MAX_MAPPINGS; i++) {
		if (mappings[i].address != (uintptr_t)address)
			continue;
		mappings[i].address = 0;
		return munmap((void *)address, mappings[i].bytes) ? -errno : 0;
	}
	return -EINVAL;
}

long job_lock(const char *path, long address)
{
	size_t *bytes = mapping_bytes((uintptr_t)address);

	(void)path;
	return bytes && !mlock((void *)address, *bytes) ? 0 : -errno;
}

long job_bind(const char *path, long node)
{
	unsigned long mask = 1UL << node;

	(void)path;
	return syscall(SYS_set_mempolicy, MPOL_BIND, &mask, 8 * sizeof(mask)) ? -errno : 0;
}

long job_write_file(const char *path, long bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	size_t chunk = (size_t)page_size();
	char *page = malloc(chunk);

	if (fd < 0 || !page)
		return -errno;
	for (long at = 0; at < bytes; at += (long)chunk) {
		memset(page, (int)(at / (long)chunk), chunk);
		if (pwrite(fd, page, chunk, at) != (ssize_t)chunk)
			return -errno;
	}
	free(page);
	if (fsync(fd))
		return -errno;
	close(fd);
	return 0;
}

long job_read_file(const char *path, long unused)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char page[4096];
	ssize_t got;

	(void)unused;
	if (fd < 0)
		return -errno;
	do
		got = read(fd, page, sizeof(page));
	while (got > 0);
	close(fd);
	return got;
}

long job_read_ahead(const char *path, long unused)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat status;

	(void)unused;
	if (fd < 0 || fstat(fd, &status))
		return -errno;
	/* one call reads ahead no more than the device's window, which is smaller */
	for (off_t at = 0; at < status.st_size; at += 64 * 1024)
		if (posix_fadvise(fd, at, 64 * 1024, POSIX_FADV_WILLNEED))
			return -EIO;
	close(fd);
	return 0;
}
