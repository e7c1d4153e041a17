/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Loads the library of plugin.cpp while a thread runs, and calls it from that thread and from its own: both must find their variables.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t loaded;
static int (*sum_of_reads)(void);

static void *call(void *result)
{
	pthread_barrier_wait(&loaded);
	*(int *)result = sum_of_reads();
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	void *plugin;
	int result = 0;

	pthread_barrier_init(&loaded, NULL, 2);
	if (argc != 2 || pthread_create(&thread, NULL, call, &result))
		return 2;
	plugin = dlopen(argv[1], RTLD_NOW);
	if (plugin)
		*(void **)&sum_of_reads = dlsym(plugin, "sum_of_reads");
	if (!sum_of_reads) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	pthread_barrier_wait(&loaded);
	pthread_join(thread, NULL);
	return result != 7000 || sum_of_reads() != 7000;
}
