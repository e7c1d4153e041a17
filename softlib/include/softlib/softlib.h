/* SPDX-FileCopyrightText: 2026 The TMM authors
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */
/** @file
 * softlib for C: objects of bytes that may vanish and are rebuilt when they are read. heap.hpp and pool.hpp say more.
 *
 * All functions are thread-safe, except destroying something that another thread uses. Errors are negative numbers of errno.h. Sizes are
 * in bytes. Reads and writes copy. Functions that can fail for want of memory allocate ordinary memory. Functions are added, never changed:
 * the shared object's version is that of this interface.
 */
#ifndef SOFTLIB_H
#define SOFTLIB_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Memory that may vanish. A parameter `heap` may be NULL in all functions: then it is the process's own heap. */
typedef struct soft_heap soft_heap;
/** As a limit: a quarter of the machine's memory. */
#define SOFT_DEFAULT_LIMIT ((size_t)-1)
/** Objects that the same function makes. */
typedef struct soft_pool soft_pool;
/** An object, there or gone. The caller keeps the argument that its content is made from. */
typedef struct soft_object soft_object;
/** Takes the bytes of an object that is being made. Valid during the call of the soft_rebuild_fn that gets it. */
typedef struct soft_builder soft_builder;
/** The bytes of an object, which stay while the caller holds them. */
typedef struct soft_lease soft_lease;

/** Makes the object that `argument` stands for and passes its bytes to soft_build(), once. It may read other soft objects. The reading
 *  thread calls it, without a lock; several threads may, for different objects.
 *  @return 0, or a negative number, which the reader gets. */
typedef int (*soft_rebuild_fn)(void *context, const void *argument, soft_builder *builder);

/** The process's own heap, which is never destroyed. Its limit is what tmmd grants it; without tmmd it follows the machine's free
 *  memory. The first call makes it.
 *  @return NULL for want of memory; then functions with a NULL heap do nothing. */
soft_heap *soft_heap_process(void);
/** Makes a heap.
 *  @param limit_bytes memory that it may take, in bytes, or SOFT_DEFAULT_LIMIT. Below 2 MiB it keeps nothing.
 *  @param reserve_bytes address space, in bytes; 0: as much as the machine has memory.
 *  @return NULL for want of memory. */
soft_heap *soft_heap_create(size_t limit_bytes, size_t reserve_bytes);
/** Destroys a heap. Its pools must be destroyed before. NULL is allowed; the process's own heap stays. */
void soft_heap_destroy(soft_heap *heap);
/** Sets the limit, in bytes, or SOFT_DEFAULT_LIMIT. If the heap has more, gives it back before returning; objects that were not read
 *  lately go first. */
void soft_heap_set_limit(soft_heap *heap, size_t bytes);
/** Gives about `bytes` back. Moves objects that were read lately. @return the bytes given back. */
size_t soft_heap_shrink(soft_heap *heap, size_t bytes);
/** Gives about `bytes` back at once. Loses all objects in them. @return the bytes given back. */
size_t soft_heap_release(soft_heap *heap, size_t bytes);
/** Lets the kernel take all objects that are there now. */
void soft_heap_seal(soft_heap *heap);
/** For tests: takes each sealed page with this `probability`, in [0, 1]. The same `seed` takes the same pages.
 *  @return the number of pages taken. */
size_t soft_heap_lose_pages(soft_heap *heap, double probability, uint64_t seed);
/** For tests: each read loses its object with this `probability`, in [0, 1]. SOFTLIB_LOSE in the environment does the same from the
 *  start; see testing.hpp. */
void soft_lose_reads(double probability);
/** For tests: each read that finds its object also calls the pool's function with this `probability`, in [0, 1], and compares.
 *  SOFTLIB_VALIDATE in the environment does the same from the start; see testing.hpp. */
void soft_validate_reads(double probability);

/** Makes a pool.
 *  @param heap where the objects are; NULL: the process's own heap.
 *  @param name for people; is copied. May be NULL.
 *  @param rebuild makes the objects.
 *  @param context is passed to `rebuild`.
 *  @return NULL for want of memory. */
soft_pool *soft_pool_create(soft_heap *heap, const char *name, soft_rebuild_fn rebuild, void *context);
/** Destroys a pool. Its objects must be destroyed before. NULL is allowed. */
void soft_pool_destroy(soft_pool *pool);

/** Counts of a pool since it was made. Later versions add members at the end. See soft::pool_statistics. */
typedef struct soft_statistics {
	uint64_t objects;		/**< objects that exist now, there or gone */
	uint64_t hits;			/**< reads that found the object; an estimate */
	uint64_t misses;		/**< reads that found the object gone */
	uint64_t lost;			/**< misses whose object was taken */
	uint64_t rebuilds;		/**< calls of the pool's function that succeeded */
	uint64_t failed_rebuilds;	/**< calls that failed */
	uint64_t rebuild_ns;		/**< time of the rebuilds, in ns */
	uint64_t mismatches;		/**< comparisons of soft_validate_reads() that differed */
	uint64_t pinned_bytes;		/**< bytes that soft_pin() shares now: ordinary memory */
} soft_statistics;

/** Copies the counts of a pool.
 *  @param pool the pool.
 *  @param to receives the counts.
 *  @param size size of `*to` in bytes: sizeof(soft_statistics). */
void soft_pool_statistics(const soft_pool *pool, soft_statistics *to, size_t size);

/** Sets how much ordinary memory soft_pin() may share, in bytes; 16 MiB unless this is called. What the program holds beyond that is the
 *  program's own. */
void soft_pool_set_pinned_limit(soft_pool *pool, size_t bytes);

/** Makes an object without content; its first read builds it. @return NULL for want of memory. */
soft_object *soft_object_create(soft_pool *pool);
/** Destroys an object. NULL is allowed. */
void soft_object_destroy(soft_object *object);

/** Copies the object to `to`. Rebuilds it if it is gone.
 *  @param object the object.
 *  @param argument is passed to the pool's function.
 *  @param to receives the bytes. May be NULL if `capacity` is 0.
 *  @param capacity size of the buffer `to`, in bytes.
 *  @param size receives the object's size in bytes, also if it exceeds `capacity`. May be NULL.
 *  @return 0; -ERANGE: the object is larger than `capacity`, and nothing is copied; -ENOMEM: no memory; -EDEADLK: the pool's function needs
 *  the object that it makes, perhaps by way of other objects and threads; -EINVAL: the function did not call soft_build(); or the function's
 *  own number. */
int soft_read(soft_object *object, const void *argument, void *to, size_t capacity, size_t *size);
/** As soft_read(), but never rebuilds. @return as soft_read(), or -ENOENT: the object is gone. */
int soft_try_get(soft_object *object, void *to, size_t capacity, size_t *size);
/** Pins the object: its bytes stay until soft_unpin(), whatever becomes of the object and its pool. All who pin it share one copy. The bytes
 *  that were pinned last stay in ordinary memory (soft_pool_set_pinned_limit()), and the next call copies nothing. Those that nobody holds
 *  go when the heap gives memory back. Rebuilds the object if it is gone.
 *  @param object the object.
 *  @param argument is passed to the pool's function.
 *  @param lease receives the lease.
 *  @return as soft_read(), but never -ERANGE. If it is not 0, there is no lease. */
int soft_pin(soft_object *object, const void *argument, soft_lease **lease);
/** As soft_pin(), but never rebuilds. @return as soft_pin(), or -ENOENT: the object is gone. */
int soft_try_pin(soft_object *object, soft_lease **lease);
/** Returns the bytes of a lease, aligned as by malloc(). They may not be changed. NULL is possible if there are none.
 *  @param lease the lease.
 *  @param size receives the number of bytes. May be NULL. */
const void *soft_lease_bytes(const soft_lease *lease, size_t *size);
/** Ends a lease. NULL is allowed. */
void soft_unpin(soft_lease *lease);
/** Makes a copy of the `size` bytes at `bytes` the object's content.
 *  @return 0, or -ENOSPC: there is no room, or `size` exceeds the largest object (4 GiB); the object is gone then. */
int soft_write(soft_object *object, const void *bytes, size_t size);
/** Drops the content; the object stays. */
void soft_clear(soft_object *object);

/** For a soft_rebuild_fn: copies the `size` bytes at `bytes` of the object. @return 0; -ENOMEM: no memory; -EINVAL: called twice. */
int soft_build(soft_builder *builder, const void *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
