/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** @file
 * softlib for C: objects of bytes that may vanish, and are made again when they are read. See heap.hpp and pool.hpp, which say more.
 *
 * All functions are thread-safe, but for destroying what another thread uses. Errors are negative numbers of errno.h. Sizes are in bytes.
 * What is read and written is copied; ordinary memory is taken where a function may fail for want of it. Functions are added, never
 * changed: the shared object's version is that of this interface.
 */
#ifndef SOFTLIB_H
#define SOFTLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Memory that may vanish; what is called `heap` may be NULL everywhere, for the process's own. */
typedef struct soft_heap soft_heap;
/** Objects that are made in the same way. */
typedef struct soft_pool soft_pool;
/** An object, there or gone. Its content has an argument that it can be made from, which the caller keeps. */
typedef struct soft_object soft_object;
/** What is being made. Lives as long as the call of the soft_rebuild_fn that it is given to. */
typedef struct soft_builder soft_builder;

/** Makes the object that `argument` stands for, and gives its bytes to soft_build(), once. May read other soft objects. Is called
 *  without a lock, by whichever thread reads, by several at a time for different objects.
 *  @return 0, or a negative number, which the reader gets. */
typedef int (*soft_rebuild_fn)(void *context, const void *argument, soft_builder *builder);

/** The process's own heap, which is never destroyed. Its limit follows the machine's free memory, up to a quarter of all. The first
 *  call makes it. @return NULL for want of memory; functions that are given NULL for it do nothing then. */
soft_heap *soft_heap_process(void);
/** @param limit_bytes memory that it may take; 0: a quarter of the machine's.
 *  @param reserve_bytes address space; 0: as much as the machine has memory.
 *  @return NULL for want of memory. */
soft_heap *soft_heap_create(size_t limit_bytes, size_t reserve_bytes);
/** Its pools have to be gone. NULL is allowed; the process's own stays. */
void soft_heap_destroy(soft_heap *heap);
/** Gives memory back if there is more than that, before it returns; what was not read lately goes first. */
void soft_heap_set_limit(soft_heap *heap, size_t bytes);
/** Gives about so many bytes back, moving what was read lately. @return what was given back. */
size_t soft_heap_shrink(soft_heap *heap, size_t bytes);
/** The same at once, losing all that was there. @return what was given back. */
size_t soft_heap_release(soft_heap *heap, size_t bytes);
/** Lets the kernel take all that is there now. */
void soft_heap_seal(soft_heap *heap);
/** For tests: takes each page of what was sealed with this probability, in [0, 1], always the same ones for a seed.
 *  @return pages that are lost. */
size_t soft_heap_lose_pages(soft_heap *heap, double probability, uint64_t seed);
/** For tests: reads lose their object, or call the pool's function all the same and compare, with this probability, as
 *  SOFTLIB_LOSE and SOFTLIB_VALIDATE in the environment tell from the start; see testing.hpp. */
void soft_lose_reads(double probability);
/** See above. */
void soft_validate_reads(double probability);

/** @param heap NULL: the process's own.
 *  @param name for people; is copied. May be NULL.
 *  @param rebuild makes the objects.
 *  @param context handed to it.
 *  @return NULL for want of memory. */
soft_pool *soft_pool_create(soft_heap *heap, const char *name, soft_rebuild_fn rebuild, void *context);
/** Its objects have to be gone. NULL is allowed. */
void soft_pool_destroy(soft_pool *pool);

/** Of a pool, since it was made. Later versions add members at the end. See pool_statistics. */
typedef struct soft_statistics {
	uint64_t objects;		/**< that there are now, whether anything is in them or not */
	uint64_t hits;			/**< reads that found the object; an estimate */
	uint64_t misses;		/**< reads that did not */
	uint64_t lost;			/**< objects that were found to have been taken */
	uint64_t rebuilds;		/**< calls of the pool's function that succeeded */
	uint64_t failed_rebuilds;	/**< that did not */
	uint64_t rebuild_ns;		/**< time for those that did, in ns */
	uint64_t mismatches;		/**< of soft_validate_reads(): that made something else */
} soft_statistics;

/** What the pool has counted. Thread-safe.
 *  @param pool whose
 *  @param to where it is copied to
 *  @param size of what `to` points to, in bytes: sizeof(soft_statistics). */
void soft_pool_statistics(const soft_pool *pool, soft_statistics *to, size_t size);

/** An object that is made when it is read for the first time. @return NULL for want of memory. */
soft_object *soft_object_create(soft_pool *pool);
/** NULL is allowed. */
void soft_object_destroy(soft_object *object);

/** Copies the object to `to`, rebuilding it if it is gone.
 *  @param object which one.
 *  @param argument handed to the pool's function.
 *  @param to may be NULL if `capacity` is 0.
 *  @param capacity of `to`.
 *  @param size its size, also if that is more than `capacity`. May be NULL.
 *  @return 0; -ERANGE: larger than `capacity`, nothing copied; -ENOMEM; -EDEADLK: called for the object that it is to make; -EINVAL: the
 *  function did not call soft_build(); or what the function returned. */
int soft_read(soft_object *object, const void *argument, void *to, size_t capacity, size_t *size);
/** The same without rebuilding. @return also -ENOENT: it is gone. */
int soft_try_get(soft_object *object, void *to, size_t capacity, size_t *size);
/** Makes a copy of the bytes the object's content. @return 0, or -ENOSPC: there is no room, or an object cannot be that large (4 GiB);
 *  the object is gone. */
int soft_write(soft_object *object, const void *bytes, size_t size);
/** Drops the content; the object stays. */
void soft_clear(soft_object *object);

/** For a soft_rebuild_fn: the object's bytes, which are copied. @return 0; -ENOMEM; -EINVAL: called twice. */
int soft_build(soft_builder *builder, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
