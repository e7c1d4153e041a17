// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "softlib/pool.hpp"

namespace soft {

/// Options of a cache. The defaults bound nothing.
struct cache_options {
    /// Budget for values as they are stored, plus cache::entry_bytes a key; in bytes. Each part keeps at least one value, however
    /// large.
    std::size_t budget_bytes = SIZE_MAX;
    /// Age at which a value is made anew. Zero: values do not age.
    std::chrono::nanoseconds time_to_live{0};
    /// Returns the present time; for tests.
    std::function<std::chrono::steady_clock::time_point()> now = std::chrono::steady_clock::now;
};

/// Counts of reads since the cache was made, and its present size. Misses are unknown + expired + lost.
struct cache_statistics {
    /// Reads that found the value.
    std::uint64_t hits = 0;
    /// Misses whose key was not in the cache.
    std::uint64_t unknown = 0;
    /// Misses whose value was too old.
    std::uint64_t expired = 0;
    /// Misses whose value was lost.
    std::uint64_t lost = 0;
    /// Values that were evicted to keep the budget.
    std::uint64_t evicted = 0;
    /// Keys in the cache now; some of their values may be gone.
    std::size_t keys = 0;
    /// Bytes that count against the budget now.
    std::size_t bytes = 0;
};

/// A cache with a budget in bytes and a time to live. The kernel may take values at any time.
///
/// All functions are thread-safe. If many threads miss a key at the same time, one of them makes the value. At the budget, the
/// least recently used values go; the order holds within each of the `shards` parts that keys are spread over.
///
/// Keys and their bookkeeping are ordinary memory: functions with a key may throw std::bad_alloc, or what Hash and Equal throw.
/// Functions that store or copy a value may throw what its serializer throws.
template <class Key, class Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class cache {
public:
    /// The clock of the time to live.
    using clock = std::chrono::steady_clock;
    /// Makes the value of a key. The reading thread calls it, without any lock held.
    using reconstructor = std::function<Value()>;

    /// Number of parts. Each has a lock, an order of use, and an equal share of the budget.
    static constexpr std::size_t shards = 16;
    /// Bytes that a key costs besides itself, about.
    static constexpr std::size_t entry_bytes = 128;

    /// An empty cache.
    ///
    /// `heap`: where the values are. `name`: for people, in softlib-top and messages. Throws std::bad_alloc.
    cache(soft::heap& heap, std::string_view name, cache_options options)
        : options_(std::move(options)), pool_(heap, name, [](const reconstructor& make) { return make(); }) {}
    /// An empty cache in the process's own heap.
    cache(std::string_view name, cache_options options) : cache(heap::process(), name, std::move(options)) {}
    cache(const cache&) = delete;
    cache& operator=(const cache&) = delete;

    /// Returns the value if it is there and young enough. Makes nothing.
    std::optional<Value> get(const Key& key) {
        Shard& shard = shard_of(key);
        const std::optional<Pointer> pointer = look_up(shard, key);
        if (!pointer) {
            return std::nullopt;
        }
        std::optional<Value> value = pointer->try_get();
        count(shard, value ? &cache_statistics::hits : &cache_statistics::lost);
        return value;
    }
    /// Returns the value, which `make` makes if there is none. Throws what `make` throws, and keeps nothing then.
    Value get_or(const Key& key, const reconstructor& make) {
        Shard& shard = shard_of(key);
        std::optional<Pointer> pointer = look_up(shard, key);
        bool made = false;
        const reconstructor making = [&] {
            made = true;
            return make();
        };
        if (pointer) {
            Value value = pointer->read(making);
            count(shard, made ? &cache_statistics::lost : &cache_statistics::hits);
            if (made) {
                account(shard, key, value);
            }
            return value;
        }
        pointer = insert(shard, key);
        try {
            Value value = pointer->read(making);
            account(shard, key, value);
            return value;
        } catch (...) {
            erase_if_gone(shard, key);
            throw;
        }
    }
    /// Makes `value` the key's value; its time to live begins again. Returns false without room; then the value is lost.
    bool put(const Key& key, const Value& value) {
        Shard& shard = shard_of(key);
        const bool is_kept = insert(shard, key).write(value);
        account(shard, key, value);
        return is_kept;
    }
    /// Forgets the key. Returns false if it was not there.
    bool erase(const Key& key) {
        Shard& shard = shard_of(key);
        const std::lock_guard guard(shard.mutex);
        const auto at = shard.items.find(key);
        if (at == shard.items.end()) {
            return false;
        }
        drop(shard, at);
        return true;
    }
    /// Forgets all keys. Throws nothing.
    void clear() {
        for (Shard& shard : shards_) {
            const std::lock_guard guard(shard.mutex);
            shard.items.clear();
            shard.order.clear();
            shard.bytes = 0;
        }
    }
    /// Returns the statistics. Locks one part after the other. Throws nothing.
    [[nodiscard]] cache_statistics statistics() const {
        cache_statistics all;
        for (const Shard& shard : shards_) {
            const std::lock_guard guard(shard.mutex);
            for (const auto member : {&cache_statistics::hits, &cache_statistics::unknown, &cache_statistics::expired,
                                      &cache_statistics::lost, &cache_statistics::evicted}) {
                all.*member += shard.statistics.*member;
            }
            all.keys += shard.items.size();
            all.bytes += shard.bytes;
        }
        return all;
    }

private:
    using Pointer = shared_ptr<Value, reconstructor>;
    struct Item {
        Pointer pointer;
        typename std::list<Key>::iterator place;
        std::size_t bytes = entry_bytes;
        clock::time_point made;
    };
    struct Shard {
        mutable std::mutex mutex;
        std::unordered_map<Key, Item, Hash, Equal> items;
        /// Most recently used first.
        std::list<Key> order;
        std::size_t bytes = 0;
        cache_statistics statistics;
    };

    Shard& shard_of(const Key& key) {
        // The map uses the lower bits of the hash, so this takes the upper ones.
        const std::uint64_t mixed = static_cast<std::uint64_t>(Hash{}(key)) * 0x9e3779b97f4a7c15U;
        return shards_[mixed >> 60];
    }
    void count(Shard& shard, std::uint64_t cache_statistics::*what) {
        const std::lock_guard guard(shard.mutex);
        ++(shard.statistics.*what);
    }
    static void drop(Shard& shard, typename std::unordered_map<Key, Item, Hash, Equal>::iterator at) {
        shard.bytes -= at->second.bytes;
        shard.order.erase(at->second.place);
        shard.items.erase(at);
    }

    std::optional<Pointer> look_up(Shard& shard, const Key& key) {
        const std::lock_guard guard(shard.mutex);
        const auto at = shard.items.find(key);
        if (at == shard.items.end()) {
            ++shard.statistics.unknown;
            return std::nullopt;
        }
        if (options_.time_to_live.count() > 0 && options_.now() - at->second.made >= options_.time_to_live) {
            ++shard.statistics.expired;
            drop(shard, at);
            return std::nullopt;
        }
        shard.order.splice(shard.order.begin(), shard.order, at->second.place);
        return at->second.pointer;
    }
    /// The object of the key; it may have no content yet.
    Pointer insert(Shard& shard, const Key& key) {
        Pointer fresh = pool_.make_shared();
        const std::lock_guard guard(shard.mutex);
        auto at = shard.items.find(key);
        if (at == shard.items.end()) {
            shard.order.push_front(key);
            try {
                at = shard.items.emplace(key, Item{std::move(fresh), shard.order.begin(), entry_bytes, options_.now()}).first;
            } catch (...) {
                shard.order.pop_front();
                throw;
            }
            shard.bytes += entry_bytes;
        }
        return at->second.pointer;
    }
    void account(Shard& shard, const Key& key, const Value& value) {
        const std::size_t bytes = entry_bytes + stored_bytes(value);
        const std::lock_guard guard(shard.mutex);
        const auto at = shard.items.find(key);
        if (at == shard.items.end()) {
            return;
        }
        shard.bytes += bytes - at->second.bytes;
        at->second.bytes = bytes;
        at->second.made = options_.now();
        shard.order.splice(shard.order.begin(), shard.order, at->second.place);
        while (shard.bytes > options_.budget_bytes / shards && shard.items.size() > 1) {
            ++shard.statistics.evicted;
            drop(shard, shard.items.find(shard.order.back()));
        }
        // Also drops up to two old keys whose values are gone; else they would stay until the budget is reached.
        for (int i = 0; i < 2 && shard.items.size() > 1; ++i) {
            const auto last = shard.items.find(shard.order.back());
            if (last->second.pointer.is_there()) {
                break;
            }
            drop(shard, last);
        }
    }
    void erase_if_gone(Shard& shard, const Key& key) {
        const std::lock_guard guard(shard.mutex);
        const auto at = shard.items.find(key);
        if (at != shard.items.end() && !at->second.pointer.is_there()) {
            drop(shard, at);
        }
    }
    static std::size_t stored_bytes(const Value& value) {
        if constexpr (trivial<Value>) {
            return sizeof(Value);
        } else {
            return serializer<Value>::size(value);
        }
    }

    cache_options options_;
    pool<Value, reconstructor> pool_;
    std::array<Shard, shards> shards_;
};

}  // namespace soft
