// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// processes NUMBER [FILES FOLDER]: leaves so many processes behind, which share one memory so that they take little. Each opens the files 0,
// 1, ... of the folder, reads a page of each, and waits.
#define _GNU_SOURCE
#include <err.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { stack_bytes = 32768 };

static long files;
static const char *folder;

static int idle(void *unused)
{
	(void)unused;
	for (long i = 0; i < files; ++i) {
		char path[4096];
		char page[4096];

		snprintf(path, sizeof path, "%s/%ld", folder, i);
		if (read(open(path, O_RDONLY), page, sizeof page) <= 0)
			_exit(EXIT_FAILURE);
	}
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	const long number = argc > 1 ? atol(argv[1]) : 0;

	if (argc > 3) {
		files = atol(argv[2]);
		folder = argv[3];
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
