// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "softlib/detail/content.hpp"
#include "softlib/detail/pool_base.hpp"
#include "softlib/detail/read_sampling.hpp"
#include "softlib/heap.hpp"
#include "softlib/pool.hpp"
#include "softlib/softlib.h"
#include "softlib/testing.hpp"

using soft::detail::AtomicWord;
using soft::detail::PoolBase;

using Bytes = std::vector<std::byte>;

struct soft_builder {
    std::optional<Bytes> bytes;
};

struct soft_lease {
    std::shared_ptr<const Bytes> bytes;
};

struct soft_pool final : PoolBase {
    soft_pool(soft::heap& heap, const char* name, soft_rebuild_fn function, void* its_context)
        : PoolBase(heap, name, 0), rebuild(function), context(its_context) {}

    soft_rebuild_fn rebuild;
    void* context;
};

namespace {

// soft_heap is a soft::heap and soft_object is an entry: C sees pointers to types that are never defined.
AtomicWord* entry_of(soft_object* object) {
    return reinterpret_cast<AtomicWord*>(object);
}
soft_pool& pool_of(const AtomicWord* entry) {
    return *static_cast<soft_pool*>(soft::detail::Chunk::of(entry)->pool);
}
soft_pool& pool_of(soft_object* object) {
    return pool_of(entry_of(object));
}
// Returns nullptr without memory for the process's own heap.
soft::heap* heap_or_own(soft_heap* heap) noexcept {
    try {
        return heap != nullptr ? reinterpret_cast<soft::heap*>(heap) : &soft::heap::process();
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

int copy_out(const Bytes& bytes, void* to, std::size_t capacity, std::size_t* size) {
    if (size != nullptr) {
        *size = bytes.size();
    }
    if (bytes.size() > capacity) {
        return -ERANGE;
    }
    if (!bytes.empty()) {
        std::memcpy(to, bytes.data(), bytes.size());
    }
    return 0;
}

// Copies straight to the caller's buffer if the object fits.
int try_get(AtomicWord* entry, void* to, std::size_t capacity, std::size_t* size) {
    std::size_t bytes = 0;
    Bytes too_large;
    soft::detail::InOnePiece into([&](std::size_t needed) -> void* {
        bytes = needed;
        if (needed <= capacity) {
            return to;
        }
        too_large.resize(needed);
        return too_large.data();
    });
    if (!PoolBase::read_sized(entry, into)) {
        return -ENOENT;
    }
    if (size != nullptr) {
        *size = bytes;
    }
    return bytes <= capacity ? 0 : -ERANGE;
}

int rebuild(soft_pool& pool, AtomicWord* entry, const void* argument, soft_builder& builder) {
    const auto start = std::chrono::steady_clock::now();
    PoolBase::TurnGuard mine(pool, entry);
    // The function may be C++ behind a C interface: its exceptions go through.
    const int code = pool.rebuild(pool.context, argument, &builder);
    if (code != 0) {
        return code;
    }
    if (!builder.bytes) {
        return -EINVAL;
    }
    mine.rebuilt(builder.bytes->data(), builder.bytes->size(), std::chrono::steady_clock::now() - start);
    return 0;
}

// Calls find() until it returns anything but -ENOENT. If this thread makes the object instead, returns take(its bytes).
template <class Find, class Take>
int find_or_rebuild(soft_pool& pool, AtomicWord* entry, const void* argument, Find&& find, Take&& take) {
    try {
        for (;;) {
            if (const int code = find(); code != -ENOENT) {
                return code;
            }
            if (pool.take_turn(entry) == PoolBase::Turn::rebuild) {
                soft_builder builder;
                const int code = rebuild(pool, entry, argument, builder);
                return code == 0 ? take(*std::move(builder.bytes)) : code;
            }
        }
    } catch (const soft::recursive_rebuild&) {
        return -EDEADLK;
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    }
}

int try_pin(AtomicWord* entry, soft_lease** lease) {
    std::shared_ptr<const Bytes> bytes = PoolBase::pin<Bytes>(entry, soft::detail::Content<Bytes>::read_shared);
    if (bytes == nullptr) {
        return -ENOENT;
    }
    *lease = new soft_lease{std::move(bytes)};
    return 0;
}

// For validate_reads(). The function's result does not matter to the reader, who has the object.
void validate(soft_pool& pool, const void* argument, const void* there, std::size_t size) {
    if (!PoolBase::begins_validation()) {
        return;
    }
    std::optional<bool> same;
    try {
        soft_builder builder;
        if (pool.rebuild(pool.context, argument, &builder) == 0 && builder.bytes) {
            same = builder.bytes->size() == size && (size == 0 || std::memcmp(builder.bytes->data(), there, size) == 0);
        }
    } catch (...) {
        // The function may be C++, as above.
    }
    pool.end_validation(same);
}

}  // namespace

extern "C" {

soft_heap* soft_heap_process() {
    return reinterpret_cast<soft_heap*>(heap_or_own(nullptr));
}

soft_heap* soft_heap_create(size_t limit_bytes, size_t reserve_bytes) {
    try {
        return reinterpret_cast<soft_heap*>(new soft::heap({.limit_bytes = limit_bytes, .reserve_bytes = reserve_bytes}));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void soft_heap_destroy(soft_heap* heap) {
    auto* own = reinterpret_cast<soft::heap*>(heap);
    if (own != nullptr && !own->is_process()) {
        delete own;
    }
}

void soft_heap_set_limit(soft_heap* heap, size_t bytes) {
    if (soft::heap* own = heap_or_own(heap)) {
        own->set_limit(bytes);
    }
}
size_t soft_heap_shrink(soft_heap* heap, size_t bytes) {
    soft::heap* own = heap_or_own(heap);
    return own != nullptr ? own->shrink(bytes) : 0;
}
size_t soft_heap_release(soft_heap* heap, size_t bytes) {
    soft::heap* own = heap_or_own(heap);
    return own != nullptr ? own->release(bytes) : 0;
}
void soft_heap_seal(soft_heap* heap) {
    if (soft::heap* own = heap_or_own(heap)) {
        own->seal();
    }
}
void soft_lose_reads(double probability) {
    soft::lose_reads(probability);
}
void soft_validate_reads(double probability) {
    soft::validate_reads(probability);
}
size_t soft_heap_lose_pages(soft_heap* heap, double probability, uint64_t seed) {
    soft::heap* own = heap_or_own(heap);
    return own != nullptr ? own->lose_pages(probability, seed) : 0;
}

soft_pool* soft_pool_create(soft_heap* heap, const char* name, soft_rebuild_fn rebuild, void* context) {
    soft::heap* own = heap_or_own(heap);
    if (own == nullptr) {
        return nullptr;
    }
    try {
        return new soft_pool(*own, name != nullptr ? name : "", rebuild, context);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void soft_pool_destroy(soft_pool* pool) {
    delete pool;
}

void soft_pool_statistics(const soft_pool* pool, soft_statistics* to, size_t size) {
    const soft::pool_statistics now = pool->statistics();
    const soft_statistics all = {now.objects,
                                 now.hits,
                                 now.misses,
                                 now.lost,
                                 now.rebuilds,
                                 now.failed_rebuilds,
                                 static_cast<uint64_t>(now.rebuild_time.count()),
                                 now.mismatches,
                                 now.pinned_bytes};
    std::memset(to, 0, size);
    std::memcpy(to, &all, std::min(size, sizeof all));
}

void soft_pool_set_pinned_limit(soft_pool* pool, size_t bytes) {
    pool->set_pinned_limit(bytes);
}

soft_object* soft_object_create(soft_pool* pool) {
    try {
        return reinterpret_cast<soft_object*>(pool->new_entry());
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void soft_object_destroy(soft_object* object) {
    if (object != nullptr) {
        pool_of(object).free_entry(entry_of(object));
    }
}

int soft_read(soft_object* object, const void* argument, void* to, size_t capacity, size_t* size) {
    AtomicWord* entry = entry_of(object);
    soft_pool& pool = pool_of(object);
    const bool sampled = soft::detail::wants_sample();
    if (sampled) {
        pool.sample_read(entry);
    }
    std::size_t bytes = 0;
    std::size_t* const its_size = size != nullptr ? size : &bytes;
    return find_or_rebuild(
        pool, entry, argument,
        [&] {
            const int code = try_get(entry, to, capacity, its_size);
            if (sampled && code == 0) {
                validate(pool, argument, to, *its_size);
            }
            return code;
        },
        [&](const Bytes& made) { return copy_out(made, to, capacity, size); });
}

int soft_try_get(soft_object* object, void* to, size_t capacity, size_t* size) {
    if (soft::detail::wants_sample()) {
        pool_of(object).sample_read(entry_of(object));
    }
    try {
        return try_get(entry_of(object), to, capacity, size);
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    }
}

int soft_pin(soft_object* object, const void* argument, soft_lease** lease) {
    AtomicWord* entry = entry_of(object);
    soft_pool& pool = pool_of(object);
    const bool sampled = soft::detail::wants_sample();
    if (sampled) {
        pool.sample_read(entry);
    }
    return find_or_rebuild(
        pool, entry, argument,
        [&] {
            const int code = try_pin(entry, lease);
            if (sampled && code == 0) {
                validate(pool, argument, (*lease)->bytes->data(), (*lease)->bytes->size());
            }
            return code;
        },
        [&](Bytes&& made) {
            *lease = new soft_lease{std::make_shared<const Bytes>(std::move(made))};
            return 0;
        });
}

int soft_try_pin(soft_object* object, soft_lease** lease) {
    if (soft::detail::wants_sample()) {
        pool_of(object).sample_read(entry_of(object));
    }
    try {
        return try_pin(entry_of(object), lease);
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    }
}

const void* soft_lease_bytes(const soft_lease* lease, size_t* size) {
    if (size != nullptr) {
        *size = lease->bytes->size();
    }
    return lease->bytes->data();
}

void soft_unpin(soft_lease* lease) {
    delete lease;
}

int soft_write(soft_object* object, const void* bytes, size_t size) {
    return pool_of(object).store(entry_of(object), bytes, size) ? 0 : -ENOSPC;
}

void soft_clear(soft_object* object) {
    pool_of(object).clear(entry_of(object));
}

int soft_build(soft_builder* builder, const void* bytes, size_t size) {
    if (builder->bytes) {
        return -EINVAL;
    }
    // No array is that large; `size` was probably a negative number.
    if (size > PTRDIFF_MAX) {
        return -ENOMEM;
    }
    try {
        const auto* from = static_cast<const std::byte*>(bytes);
        builder->bytes.emplace(from, from + size);
        return 0;
    } catch (const std::bad_alloc&) {
        return -ENOMEM;
    }
}

}  // extern "C"
