// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// nbdkit plugin: the disks of one emulated machine. Each is a named export; all answer after one fixed latency.
//
//   nbdkit ./latency-disk.so latency-us=2500 serial=true file=root:/path/root.ext4 memory=swap:2147483648
//
// serial=true is a disk with one arm: one request at a time over all exports. A file is mapped copy-on-write: only the guest sees
// its writes, and they are gone afterwards, so any number of machines share one image. A memory export reads as zeros at first.
// nbdkit's own delay filter knows whole milliseconds only, and per export; QEMU's throttling lets bursts through.

#define NBDKIT_API_VERSION 2
// The maximum that disks_thread_model() may ask for.
#define THREAD_MODEL NBDKIT_THREAD_MODEL_PARALLEL
#include <nbdkit-plugin.h>

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_DISKS 8

struct disk {
	char *name;
	char *data;
	int64_t size;
};

static struct disk disks[MAX_DISKS];
static int nr_disks;
static uint32_t latency_us;
static int serial;

static char *map_file(const char *path, int64_t *size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 || fstat(fd, &st) < 0) {
		nbdkit_error("cannot open %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	// Has the host read the image ahead of the guest, so that there is no other latency.
	posix_fadvise(fd, 0, 0, POSIX_FADV_WILLNEED);
	char *data = mmap(NULL, st.st_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, fd, 0);

	close(fd);
	if (data == MAP_FAILED) {
		nbdkit_error("cannot map %s: %s", path, strerror(errno));
		return NULL;
	}
	*size = st.st_size;
	return data;
}

static char *map_memory(const char *text, int64_t *size)
{
	*size = nbdkit_parse_size(text);
	if (*size <= 0)
		return NULL;
	char *data = mmap(NULL, *size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (data == MAP_FAILED) {
		nbdkit_error("cannot map %s bytes of memory: %s", text, strerror(errno));
		return NULL;
	}
	return data;
}

static int add_disk(const char *key, const char *value)
{
	const char *colon = strchr(value, ':');

	if (!colon || nr_disks == MAX_DISKS) {
		nbdkit_error("%s=%s: expected NAME:..., at most %d times", key, value, MAX_DISKS);
		return -1;
	}
	struct disk *disk = &disks[nr_disks];

	disk->name = strndup(value, colon - value);
	disk->data = !strcmp(key, "file") ? map_file(colon + 1, &disk->size) : map_memory(colon + 1, &disk->size);
	if (!disk->name || !disk->data)
		return -1;
	nr_disks++;
	return 0;
}

static int disks_config(const char *key, const char *value)
{
	if (!strcmp(key, "latency-us"))
		return nbdkit_parse_uint32_t(key, value, &latency_us);
	if (!strcmp(key, "serial")) {
		serial = nbdkit_parse_bool(value);
		return serial < 0 ? -1 : 0;
	}
	if (!strcmp(key, "file") || !strcmp(key, "memory"))
		return add_disk(key, value);
	nbdkit_error("unknown parameter %s", key);
	return -1;
}

static int disks_thread_model(void)
{
	return serial ? NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS : NBDKIT_THREAD_MODEL_PARALLEL;
}

static int disks_get_ready(void)
{
	// The kernel's default slack of 50 us would be half of an NVMe disk's latency. Threads inherit this.
	return prctl(PR_SET_TIMERSLACK, 1);
}

static void *disks_open(int readonly)
{
	const char *name = nbdkit_export_name();

	(void)readonly;
	for (int i = 0; name && i < nr_disks; i++)
		if (!strcmp(disks[i].name, name))
			return &disks[i];
	nbdkit_error("no disk of the name '%s'", name ? name : "");
	return NULL;
}

static int64_t disks_get_size(void *handle)
{
	return ((struct disk *)handle)->size;
}

static int disks_can_multi_conn(void *handle)
{
	(void)handle;
	return 1;
}

static struct timespec request_deadline(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	t.tv_nsec += (long)(latency_us % 1000000) * 1000;
	t.tv_sec += latency_us / 1000000 + t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void wait_until(const struct timespec *deadline)
{
	if (latency_us)
		while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, deadline, NULL) == EINTR)
			;
}

static int disks_pread(void *handle, void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
	struct timespec deadline = request_deadline();

	(void)flags;
	memcpy(buffer, ((struct disk *)handle)->data + offset, count);
	wait_until(&deadline);
	return 0;
}

static int disks_pwrite(void *handle, const void *buffer, uint32_t count, uint64_t offset, uint32_t flags)
{
	struct timespec deadline = request_deadline();

	(void)flags;
	memcpy(((struct disk *)handle)->data + offset, buffer, count);
	wait_until(&deadline);
	return 0;
}

// A flush costs nothing: the data stays in memory.
static int disks_flush(void *handle, uint32_t flags)
{
	(void)handle;
	(void)flags;
	return 0;
}

static struct nbdkit_plugin plugin = {
	.name = "latency-disk",
	.config = disks_config,
	.thread_model = disks_thread_model,
	.get_ready = disks_get_ready,
	.open = disks_open,
	.get_size = disks_get_size,
	.can_multi_conn = disks_can_multi_conn,
	.pread = disks_pread,
	.pwrite = disks_pwrite,
	.flush = disks_flush,
};

NBDKIT_REGISTER_PLUGIN(plugin)
