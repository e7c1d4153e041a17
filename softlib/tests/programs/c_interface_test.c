/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The C interface as a C compiler sees it. Exit status 0: all is as it should be.
 */
#include <errno.h>
#include <softlib/softlib.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MIB ((size_t)1 << 20)

static int failures, builds;

#define CHECK(condition)                                                          \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "line %d: %s does not hold\n", __LINE__, #condition); \
            failures++;                                                           \
        }                                                                         \
    } while (0)

/* A text of as many letters as the number says; negative ones are errors. */
static int text_of(void* context, const void* argument, soft_builder* builder) {
    int length = *(const int*)argument;
    char text[100];

    CHECK(context == &builds);
    builds++;
    if (length < 0)
        return length;
    memset(text, 'x', sizeof(text));
    return soft_build(builder, text, (size_t)length);
}

static soft_object* own;

static int reads_itself(void* context, const void* argument, soft_builder* builder) {
    (void)context;
    (void)builder;
    return soft_read(own, argument, NULL, 0, NULL);
}

static int builds_nothing(void* context, const void* argument, soft_builder* builder) {
    (void)context;
    (void)argument;
    (void)builder;
    return 0;
}

static int builds_too_much(void* context, const void* argument, soft_builder* builder) {
    (void)context;
    return soft_build(builder, argument, (size_t)-1);
}

static int read_once(soft_heap* heap, soft_rebuild_fn function) {
    soft_pool* pool = soft_pool_create(heap, "once", function, NULL);
    int argument = 1, code;

    own = soft_object_create(pool);
    code = soft_read(own, &argument, NULL, 0, NULL);
    soft_object_destroy(own);
    soft_pool_destroy(pool);
    return code;
}

/* A heap that may keep nothing. The largest ones are in address_space_test.cpp. */
static void check_smallest(void) {
    soft_heap* heap = soft_heap_create(1, 1);
    soft_pool* pool = soft_pool_create(heap, NULL, text_of, &builds);
    soft_object* text = soft_object_create(pool);
    int length = 5;
    char read[5];

    CHECK(soft_read(text, &length, read, sizeof(read), NULL) == 0 && memcmp(read, "xxxxx", 5) == 0);
    CHECK(soft_try_get(text, read, sizeof(read), NULL) == -ENOENT);
    CHECK(soft_write(text, "hello", 5) == -ENOSPC);
    soft_object_destroy(text);
    soft_pool_destroy(pool);
    soft_heap_destroy(heap);
}

static void check_leases(soft_heap* heap) {
    soft_pool* pool = soft_pool_create(heap, "leases", text_of, &builds);
    soft_object* text = soft_object_create(pool);
    int length = 5, failing = -ENETDOWN, builds_before = builds;
    soft_lease *made = NULL, *held = NULL, *other = NULL;
    soft_statistics statistics;
    const void* bytes;
    size_t size = 0;

    CHECK(soft_try_pin(text, &held) == -ENOENT && held == NULL);
    CHECK(soft_pin(text, &failing, &held) == -ENETDOWN && held == NULL);
    CHECK(soft_pin(text, &length, &made) == 0 && soft_pin(text, &length, &held) == 0);
    CHECK(builds == builds_before + 2);
    bytes = soft_lease_bytes(held, &size);
    CHECK(size == 5 && memcmp(bytes, "xxxxx", 5) == 0 && memcmp(soft_lease_bytes(made, NULL), "xxxxx", 5) == 0);
    CHECK(soft_try_pin(text, &other) == 0 && soft_lease_bytes(other, NULL) == bytes);
    soft_unpin(other);

    /* The object goes, the lease stays. */
    soft_heap_seal(heap);
    CHECK(soft_heap_lose_pages(heap, 1.0, 1) > 0);
    CHECK(soft_try_pin(text, &other) == 0 && soft_lease_bytes(other, NULL) == bytes);
    soft_unpin(other);
    CHECK(soft_write(text, "", 0) == 0 && soft_try_pin(text, &other) == 0);
    soft_lease_bytes(other, &size);
    CHECK(size == 0 && memcmp(bytes, "xxxxx", 5) == 0);
    soft_unpin(other);

    CHECK(soft_write(text, "hello", 5) == 0 && soft_try_pin(text, &other) == 0);
    soft_unpin(other);
    soft_pool_statistics(pool, &statistics, sizeof(statistics));
    CHECK(statistics.pinned_bytes == 5 && statistics.mismatches == 0);
    soft_validate_reads(1);
    CHECK(soft_pin(text, &length, &other) == 0 && memcmp(soft_lease_bytes(other, NULL), "hello", 5) == 0);
    soft_validate_reads(0);
    soft_unpin(other);
    soft_pool_statistics(pool, &statistics, sizeof(statistics));
    CHECK(statistics.mismatches == 1);
    soft_pool_set_pinned_limit(pool, 4);
    CHECK(soft_try_pin(text, &other) == 0 && memcmp(soft_lease_bytes(other, NULL), "hello", 5) == 0);
    soft_pool_statistics(pool, &statistics, sizeof(statistics));
    CHECK(statistics.pinned_bytes == 0);

    soft_object_destroy(text);
    soft_pool_destroy(pool);
    CHECK(memcmp(bytes, "xxxxx", 5) == 0);
    soft_unpin(made);
    soft_unpin(held);
    soft_unpin(other);
    soft_unpin(NULL);
}

int main(void) {
    soft_heap* heap = soft_heap_create(8 * MIB, 16 * MIB);
    soft_pool* pool = soft_pool_create(heap, "texts", text_of, &builds);
    soft_object* text = soft_object_create(pool);
    int length = 5, failing = -ENETDOWN;
    size_t size = 0;
    char read[100];
    soft_statistics statistics;

    CHECK(soft_try_get(text, read, sizeof(read), &size) == -ENOENT);
    CHECK(soft_read(text, &failing, read, sizeof(read), &size) == -ENETDOWN);
    CHECK(soft_read(text, &length, read, sizeof(read), &size) == 0);
    CHECK(size == 5 && memcmp(read, "xxxxx", 5) == 0);
    CHECK(soft_try_get(text, read, sizeof(read), &size) == 0 && size == 5);
    CHECK(soft_try_get(text, read, 4, &size) == -ERANGE && size == 5);
    CHECK(soft_read(text, &length, read, 4, NULL) == -ERANGE);
    CHECK(builds == 2);

    CHECK(soft_write(text, "hello", 5) == 0);
    CHECK(soft_read(text, &length, read, sizeof(read), &size) == 0 && memcmp(read, "hello", 5) == 0);
    soft_heap_seal(heap);
    CHECK(soft_heap_release(heap, 8 * MIB) > 0);
    CHECK(soft_try_get(text, read, sizeof(read), &size) == -ENOENT);
    CHECK(soft_read(text, &length, read, sizeof(read), &size) == 0 && memcmp(read, "xxxxx", 5) == 0);
    soft_clear(text);
    CHECK(soft_try_get(text, read, sizeof(read), &size) == -ENOENT);
    CHECK(soft_write(text, "", 0) == 0);
    CHECK(soft_try_get(text, NULL, 0, &size) == 0 && size == 0);

    soft_pool_statistics(pool, &statistics, sizeof(statistics));
    CHECK(statistics.objects == 1 && statistics.rebuilds == 2 && statistics.failed_rebuilds == 1 && statistics.lost == 1);
    CHECK(soft_write(text, "hello", 5) == 0);
    soft_validate_reads(1);
    CHECK(soft_read(text, &length, read, sizeof(read), NULL) == 0 && memcmp(read, "hello", 5) == 0);
    soft_validate_reads(0);
    soft_lose_reads(1);
    CHECK(soft_try_get(text, read, sizeof(read), &size) == -ENOENT);
    soft_lose_reads(0);
    soft_pool_statistics(pool, &statistics, sizeof(statistics));
    CHECK(statistics.mismatches == 1 && statistics.lost == 2);
    statistics.hits = 77;
    soft_pool_statistics(pool, &statistics, sizeof(statistics.objects));
    CHECK(statistics.objects == 1 && statistics.hits == 77);

    CHECK(soft_write(text, "hello", 5) == 0);
    soft_heap_seal(heap);
    CHECK(soft_heap_lose_pages(heap, 1.0, 1) > 0);
    soft_heap_set_limit(heap, 0);
    CHECK(soft_write(text, "hello", 5) == -ENOSPC);
    CHECK(soft_read(text, &length, read, sizeof(read), &size) == 0 && size == 5);

    CHECK(soft_write(text, "hello", SIZE_MAX) == -ENOSPC);
    CHECK(soft_write(text, "hello", (size_t)1 << 32) == -ENOSPC);
    soft_heap_set_limit(heap, 8 * MIB);
    check_leases(heap);
    soft_heap_set_limit(heap, 0);
    CHECK(read_once(heap, builds_too_much) == -ENOMEM);
    CHECK(read_once(heap, reads_itself) == -EDEADLK);
    CHECK(read_once(heap, builds_nothing) == -EINVAL);
    CHECK(read_once(NULL, builds_nothing) == -EINVAL);
    CHECK(soft_heap_shrink(heap, 8 * MIB) == 0);

    CHECK(soft_heap_shrink(heap, SIZE_MAX) == 0);
    CHECK(soft_heap_release(heap, SIZE_MAX) == 0);
    soft_heap_set_limit(heap, SIZE_MAX);
    CHECK(soft_write(text, "hello", 5) == 0);
    check_smallest();

    soft_object_destroy(text);
    soft_object_destroy(NULL);
    soft_pool_destroy(pool);
    soft_heap_destroy(heap);
    soft_heap_destroy(soft_heap_process());
    return failures > 0;
}
