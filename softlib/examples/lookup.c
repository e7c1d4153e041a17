/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * Remembers look-ups in soft memory, in C. Reads URLs, one a line, "fetches" each and prints the size and checksum of its body. A
 * body is fetched once, and again only if the kernel took it. It uses no network: a body is made from its URL, slowly.
 */
#include <softlib/softlib.h>

#include <errno.h>
#include <getopt.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUCKETS 4096
#define LARGEST_BODY ((size_t)64 << 10)

static uint64_t hash_of(const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ byte[i]) * 0x100000001b3;
	return hash;
}

/* The pool's function. Several threads may be in it, for different objects: what it counts is atomic. */
static int fetch(void *context, const void *argument, soft_builder *builder)
{
	atomic_size_t *fetches = context;
	const char *url = argument;
	uint64_t state = hash_of(url, strlen(url));
	size_t size = state % LARGEST_BODY;
	unsigned char *body;
	int code;

	if (strncmp(url, "http://", 7) != 0)
		return -EPROTONOSUPPORT;
	if (strncmp(url, "http://down.", 12) == 0)
		return -EHOSTUNREACH;
	body = malloc(size + 1);
	if (!body)
		return -ENOMEM;
	for (size_t i = 0; i < size; i++) {
		for (int slow = 0; slow < 10; slow++)
			state = state * 6364136223846793005 + 1442695040888963407;
		body[i] = (unsigned char)(state >> 56);
	}
	code = soft_build(builder, body, size);
	free(body);
	atomic_fetch_add(fetches, 1);
	return code;
}

/* The URLs are ordinary memory: without them nobody could tell what is gone. */
struct known {
	struct known *next;
	soft_object *body;
	char url[];
};

struct table {
	soft_pool *pool;
	struct known *buckets[BUCKETS];
};

/* Finds the URL in the table, or adds it. NULL for want of memory. */
static struct known *look_up(struct table *table, const char *url)
{
	size_t length = strlen(url);
	struct known **bucket = &table->buckets[hash_of(url, length) % BUCKETS];
	struct known *known;

	for (known = *bucket; known; known = known->next)
		if (strcmp(known->url, url) == 0)
			return known;
	known = malloc(sizeof(*known) + length + 1);
	if (!known)
		return NULL;
	known->body = soft_object_create(table->pool);
	if (!known->body) {
		free(known);
		return NULL;
	}
	memcpy(known->url, url, length + 1);
	known->next = *bucket;
	*bucket = known;
	return known;
}

static void forget_all(struct table *table)
{
	for (size_t i = 0; i < BUCKETS; i++) {
		while (table->buckets[i]) {
			struct known *known = table->buckets[i];

			table->buckets[i] = known->next;
			soft_object_destroy(known->body);
			free(known);
		}
	}
}

struct buffer {
	char *bytes;
	size_t size;
	size_t capacity;
};

/* A loop: between two reads the object may become another one, which is larger again. */
static int read_body(const struct known *known, struct buffer *to)
{
	int code;

	while ((code = soft_read(known->body, known->url, to->bytes, to->capacity, &to->size)) == -ERANGE) {
		char *larger = realloc(to->bytes, to->size);

		if (!larger)
			return -ENOMEM;
		to->bytes = larger;
		to->capacity = to->size;
	}
	return code;
}

struct counts {
	size_t requests;
	size_t failed;
};

static struct counts answer_all(FILE *urls, soft_heap *heap, struct table *table, double lose)
{
	struct counts counts = { 0 };
	struct buffer buffer = { 0 };
	char *url = NULL;
	size_t capacity = 0;

	while (getline(&url, &capacity, urls) > 0) {
		const struct known *known;
		int code;

		url[strcspn(url, "\r\n")] = '\0';
		known = look_up(table, url);
		code = known ? read_body(known, &buffer) : -ENOMEM;
		counts.requests++;
		if (code == 0) {
			printf("%zu %016jx %s\n", buffer.size, (uintmax_t)hash_of(buffer.bytes, buffer.size), url);
		} else {
			counts.failed++;
			fprintf(stderr, "softlib-lookup: %s: %s\n", url, strerror(-code));
		}
		if (lose > 0 && counts.requests % 10 == 0) {
			soft_heap_seal(heap);
			soft_heap_lose_pages(heap, lose, counts.requests);
		}
	}
	free(buffer.bytes);
	free(url);
	return counts;
}

int main(int argc, char **argv)
{
	static const struct option options[] = { { "lose", required_argument, NULL, 'l' }, { 0 } };
	static struct table table;
	atomic_size_t fetches = 0;
	soft_heap *heap;
	struct counts counts;
	double lose = 0;
	bool usable = true;
	int given;

	while ((given = getopt_long(argc, argv, "", options, NULL)) != -1) {
		char *end = NULL;

		if (given == 'l')
			lose = strtod(optarg, &end);
		usable = usable && end && end != optarg && !*end && lose >= 0 && lose <= 1;
	}
	if (!usable || optind != argc) {
		fprintf(stderr, "Usage: softlib-lookup [--lose PROBABILITY, 0 to 1] <URLS\n");
		return 2;
	}
	/* A heap of its own, because only this one is to lose pages. Others use soft_heap_process(), which follows the free memory. */
	heap = soft_heap_create((size_t)256 << 20, 0);
	table.pool = heap ? soft_pool_create(heap, "bodies", fetch, &fetches) : NULL;
	if (!table.pool) {
		fprintf(stderr, "softlib-lookup: no memory\n");
		return 1;
	}
	counts = answer_all(stdin, heap, &table, lose);
	fprintf(stderr, "requests: %zu\nfetches: %zu\nfailed: %zu\n", counts.requests, atomic_load(&fetches), counts.failed);
	forget_all(&table);
	soft_pool_destroy(table.pool);
	soft_heap_destroy(heap);
	return counts.failed > 0;
}
