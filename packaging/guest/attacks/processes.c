// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// processes NUMBER [DESCRIPTORS FILE]: leaves so many processes behind, which share one memory so that they take little. Each opens the file
// so many times, reads it through, and waits.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { stack_bytes = 16384 };

static long descriptors;
static const char *path;

static int idle(void *unused)
{
	(void)unused;
	for (long i = 0; i < descriptors; ++i) {
		const int file = open(path, O_RDONLY);
		char page[4096];

		if (file < 0)
			_exit(EXIT_FAILURE);
		while (i < 2 && read(file, page, sizeof page) > 0)
			;
	}
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	const long number = argc > 1 ? atol(argv[1]) : 0;

	if (argc > 3) {
		descriptors = atol(argv[2]);
		path = argv[3];
	}
	for (long i = 0; i < number; ++i) {
		char *const stack = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);

		if (stack == MAP_FAILED)
			err(EXIT_FAILURE, "mmap");
		if (clone(idle, stack + stack_bytes, CLONE_VM | SIGCHLD, NULL) < 0)
			err(EXIT_FAILURE, "process %ld", i);
	}
	return EXIT_SUCCESS;
}
