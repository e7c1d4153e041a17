// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "softlib/detail/flat_table.hpp"
#include "softlib/detail/reuse_watch.hpp"
#include "softlib/pool.hpp"

namespace soft {

/// Options of a cache. The defaults bound nothing.
struct cache_options {
    /// Budget for values as they are stored, plus cache::entry_bytes a key; in bytes. Each part keeps at least one value, however
    /// large.
    std::size_t budget_bytes = SIZE_MAX;
    /// Age at which a value is made anew. Zero: values do not age.
    std::chrono::nanoseconds time_to_live{0};
    /// Ordinary memory for values that cache::pin() shares, in bytes as they are stored. What the program holds beyond that is
    /// the program's own.
    std::size_t pinned_bytes = 16 << 20;
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
    /// Bytes of values that pin() shares, as they are stored: ordinary memory, on top of the budget.
    std::size_t pinned_bytes = 0;
};

/// A cache with a budget in bytes and a time to live. The kernel may take values at any time.
///
/// All functions are thread-safe. If many threads miss a key at the same time, one of them makes the value. At the budget,
/// values go that were not used lately (the clock algorithm, in each of the `shards` parts that keys are spread over). Values are
/// copied without any lock held.
///
/// Keys and their bookkeeping are ordinary memory: functions with a key may throw std::bad_alloc, or what Hash and Equal throw.
/// Functions that store or copy a value may throw what its serializer throws. If Hash, or moving a key, throws while keys move,
/// the key's part of the cache forgets all keys.
///
/// If Hash and Equal have is_transparent, lookup also works with types other than Key, as with std::unordered_map.
template <class Key, class Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class cache {
    template <class K>
    static constexpr bool is_lookup = std::is_same_v<K, Key> || (
                                                                    requires { typename Hash::is_transparent; } &&
                                                                    requires { typename Equal::is_transparent; });
    template <class Make>
    static constexpr bool makes_value = std::is_invocable_r_v<Value, Make&>;

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
        : options_(std::move(options)), pool_(heap, name, [](const reconstructor& make) { return make(); }) {
        pool_.set_pinned_limit(options_.pinned_bytes);
    }
    /// An empty cache in the process's own heap.
    cache(std::string_view name, cache_options options) : cache(heap::process(), name, std::move(options)) {}
    cache(const cache&) = delete;
    cache& operator=(const cache&) = delete;

    /// Returns the value if it is there and young enough. Makes nothing.
    template <class K>
    requires is_lookup<K> std::optional<Value> get(const K& key) {
        const std::size_t hash = hash_of(key);
        Shard& shard = shard_of(hash);
        Pointer pointer;
        std::optional<Value> value = look(shard, hash, key, pointer);
        if (!value && pointer) {
            value = pointer.try_get();
            count(shard, value ? &cache_statistics::hits : &cache_statistics::lost);
        }
        if (!value && watch_.watches(watched_hash(hash))) [[unlikely]] {
            watch_.missed(watched_hash(hash));
        }
        return value;
    }
    /// Overload for Key.
    std::optional<Value> get(const Key& key) { return get<Key>(key); }

    /// Returns the value, which `make` makes if there is none: a function like `reconstructor`. Throws what `make` throws, and
    /// keeps nothing then.
    template <class K, class Make>
    requires(is_lookup<K>&& makes_value<Make>) Value get_or(const K& key, Make&& make) {
        const std::size_t hash = hash_of(key);
        Shard& shard = shard_of(hash);
        Pointer pointer;
        if (std::optional<Value> value = look(shard, hash, key, pointer)) {
            return *std::move(value);
        }
        bool made = false;
        const reconstructor making = [&]() -> Value {
            made = true;
            return make();
        };
        if (pointer) {
            Value value = pointer.read(making);
            count(shard, made ? &cache_statistics::lost : &cache_statistics::hits);
            if (made) {
                account(shard, hash, key, value);
            }
            return value;
        }
        pointer = insert(shard, hash, key);
        try {
            Value value = pointer.read(making);
            account(shard, hash, key, value);
            if (watch_.watches(watched_hash(hash))) {
                watch_.used(watched_hash(hash), detail::Content<Value>::size(value));
            }
            return value;
        } catch (...) {
            erase_if_gone(shard, hash, key);
            throw;
        }
    }
    /// Overload for Key.
    template <class Make>
    requires makes_value<Make> Value get_or(const Key& key, Make&& make) {
        return get_or<Key, Make>(key, std::forward<Make>(make));
    }

    /// Returns the value without a copy of its own: all who pin a key share one, and it stays while anybody holds it. The shared
    /// values of the keys pinned last stay in ordinary memory (cache_options::pinned_bytes), and the next pin() costs no copy.
    /// Those that nobody holds go when the heap gives memory back. Otherwise as get_or(). Pays for values that take long to copy
    /// or to load; see the guide.
    template <class K, class Make>
    requires(is_lookup<K>&& makes_value<Make>) std::shared_ptr<const Value> pin(const K& key, Make&& make) {
        const std::size_t hash = hash_of(key);
        Shard& shard = shard_of(hash);
        if (std::shared_ptr<const Value> value = find_pinned(shard, hash, key, make)) {
            return value;
        }
        return std::make_shared<const Value>(get_or<K, Make>(key, std::forward<Make>(make)));
    }
    /// Overload for Key.
    template <class Make>
    requires makes_value<Make> std::shared_ptr<const Value> pin(const Key& key, Make&& make) {
        return pin<Key, Make>(key, std::forward<Make>(make));
    }
    /// The same if the value is there and young enough; otherwise returns nothing, and makes nothing.
    template <class K>
    requires is_lookup<K> std::shared_ptr<const Value> try_pin(const K& key) {
        const std::size_t hash = hash_of(key);
        if (std::shared_ptr<const Value> value = find_pinned(shard_of(hash), hash, key)) {
            return value;
        }
        std::optional<Value> value = get<K>(key);
        return value ? std::make_shared<const Value>(*std::move(value)) : nullptr;
    }
    /// Overload for Key.
    std::shared_ptr<const Value> try_pin(const Key& key) { return try_pin<Key>(key); }
    /// Calls use(const Value&) with the pinned value and returns its result. Throws what pin() and `use` throw.
    template <class K, class Make, std::invocable<const Value&> Use>
    requires(is_lookup<K>&& makes_value<Make>) decltype(auto) with(const K& key, Make&& make, Use&& use) {
        const std::shared_ptr<const Value> value = pin<K, Make>(key, std::forward<Make>(make));
        return std::forward<Use>(use)(*value);
    }
    /// Overload for Key.
    template <class Make, std::invocable<const Value&> Use>
    requires makes_value<Make>
    decltype(auto) with(const Key& key, Make&& make, Use&& use) {
        return with<Key, Make, Use>(key, std::forward<Make>(make), std::forward<Use>(use));
    }

    /// Makes `value` the key's value; its time to live begins again. Returns false without room; then the value is lost.
    bool put(const Key& key, const Value& value) {
        const std::size_t hash = hash_of(key);
        const bool is_kept = write(hash, key, value);
        if (watch_.watches(watched_hash(hash))) {
            watch_.put(watched_hash(hash), detail::Content<Value>::size(value));
        }
        return is_kept;
    }
    /// The same for programs that know the cost of a miss: `took` is the time to make the value, 0 or more, without the time for
    /// other soft values. Without it the time from a miss of the key to its put() counts, if the same thread misses no other in
    /// between.
    bool put(const Key& key, const Value& value, std::chrono::nanoseconds took) {
        const std::size_t hash = hash_of(key);
        const bool is_kept = write(hash, key, value);
        watch_.put(watched_hash(hash), stored_bytes(value), took);
        return is_kept;
    }
    /// Forgets the key. Returns false if it was not there.
    template <class K>
    requires is_lookup<K>
    bool erase(const K& key) {
        const std::size_t hash = hash_of(key);
        Shard& shard = shard_of(hash);
        const std::lock_guard guard(shard.mutex);
        Slot* slot = shard.table.find_hashed(hash, key);
        if (slot == nullptr) {
            return false;
        }
        drop(shard, slot);
        return true;
    }
    /// Overload for Key.
    bool erase(const Key& key) { return erase<Key>(key); }
    /// Forgets all keys. Throws nothing.
    void clear() {
        for (Shard& shard : shards_) {
            const std::lock_guard guard(shard.mutex);
            shard.table.clear();
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
            all.keys += shard.table.size();
            all.bytes += shard.bytes;
        }
        all.pinned_bytes = pool_.statistics().pinned_bytes;
        return all;
    }

private:
    using Pointer = shared_ptr<Value, reconstructor>;
    struct Item {
        explicit operator bool() const noexcept { return static_cast<bool>(pointer); }

        Pointer pointer;
        /// The value was there at the last hit.
        const std::byte* place = nullptr;
        clock::time_point made{};
        /// Its share of the budget.
        std::uint64_t bytes : 63 = 0;
        /// It was used since the hand of the clock passed.
        std::uint64_t is_used : 1 = 1;
    };
    using Table = detail::FlatTable<Key, Item, Hash, Equal>;
    using Slot = typename Table::Slot;
    // Aligned: threads that use different parts do not contend for cache lines.
    struct alignas(64) Shard {
        mutable std::mutex mutex;
        Table table{Hash(), Equal()};
        /// The hand of the clock: the index of a slot.
        std::size_t hand = 0;
        /// The same of a search for keys whose values are lost.
        std::size_t looked_at = 0;
        std::size_t bytes = 0;
        cache_statistics statistics;
    };

    template <class K>
    static std::size_t hash_of(const K& key) {
        return Hash{}(key);
    }
    // Hashes of the standard library may be the numbers themselves. The upper bits of a product depend on all bits. The factor is
    // not that of the table, which would use the same bits again.
    Shard& shard_of(std::size_t hash) { return shards_[(std::uint64_t{hash} * 0xc2b2'ae3d'27d4'eb4fU) >> 60U]; }
    // Caches of a heap may have the same keys.
    std::uint64_t watched_hash(std::size_t hash) const { return hash + reinterpret_cast<std::uintptr_t>(this); }
    void count(Shard& shard, std::uint64_t cache_statistics::*what) {
        const std::lock_guard guard(shard.mutex);
        ++(shard.statistics.*what);
    }
    static void drop(Shard& shard, Slot* slot) {
        shard.bytes -= slot->owner.bytes;
        try {
            shard.table.erase(slot);
        } catch (...) {
            // The table has forgotten all keys.
            shard.bytes = 0;
            throw;
        }
    }
    /// A key that was not used since the hand passed it last, and is not that of the object `kept`. There are two keys or more.
    static Slot* coldest(Shard& shard, const detail::AtomicWord* kept) {
        for (;;) {
            Slot* slot = shard.table.next_slot(shard.hand);
            if (slot->owner.is_used == 0 && slot->owner.pointer.entry_ != kept) {
                return slot;
            }
            slot->owner.is_used = 0;
        }
    }
    bool is_old(const Slot& slot) const {
        return options_.time_to_live.count() > 0 && options_.now() - slot.owner.made >= options_.time_to_live;
    }
    /// The present time, if anybody wants to know it.
    clock::time_point present() const { return options_.time_to_live.count() > 0 ? options_.now() : clock::time_point{}; }

    /// Most reads end here: they take the lock once, and no reference to the object. Otherwise returns nothing, and sets
    /// `pointer` if the key is there; the caller reads and counts then. A read that is a sample is left to the pointer.
    template <class K>
    std::optional<Value> look(Shard& shard, std::size_t hash, const K& key, Pointer& pointer) {
        std::optional<detail::Glimpse<Value>> seen;
        if (watch_.watches(watched_hash(hash))) [[unlikely]] {
            tell_use(shard, hash, key);
        }
        {
            const std::lock_guard guard(shard.mutex);
            Slot* slot = use(shard, hash, key);
            if (slot == nullptr) {
                return std::nullopt;
            }
            if (detail::wants_sample()) {
                pointer = slot->owner.pointer;
                return std::nullopt;
            }
            // Most often the value is where it was last time: then its memory comes while the object's entry does.
            __builtin_prefetch(slot->owner.place);
            seen = slot->owner.pointer.glimpse();
            if (slot->owner.place != seen->place()) {
                slot->owner.place = seen->place();
            }
            ++shard.statistics.hits;
        }
        std::optional<Value> value = seen->read();
        if (!value) {
            // Lost, moved, or dropped meanwhile.
            const std::lock_guard guard(shard.mutex);
            --shard.statistics.hits;
            if (Slot* slot = shard.table.find_hashed(hash, key)) {
                pointer = slot->owner.pointer;
            } else {
                ++shard.statistics.unknown;
            }
        }
        return value;
    }
    /// With the lock held: the key's slot if its value is young enough. Counts a miss otherwise.
    template <class K>
    Slot* use(Shard& shard, std::size_t hash, const K& key) {
        Slot* slot = shard.table.find_hashed(hash, key);
        if (slot == nullptr) {
            ++shard.statistics.unknown;
            return nullptr;
        }
        if (is_old(*slot)) {
            ++shard.statistics.expired;
            drop(shard, slot);
            return nullptr;
        }
        slot->owner.is_used = 1;
        return slot;
    }
    /// The pinned value; pins it if it is there. Otherwise returns nothing and counts nothing: the caller goes the common way.
    /// With `make`, a test may validate the value.
    template <class K, class... Make>
    std::shared_ptr<const Value> find_pinned(Shard& shard, std::size_t hash, const K& key, Make&... make) {
        std::shared_ptr<const Value> value = find_or_share(shard, hash, key, make...);
        if (value && watch_.watches(watched_hash(hash))) [[unlikely]] {
            tell_use(shard, hash, key);
        }
        return value;
    }
    template <class K, class... Make>
    std::shared_ptr<const Value> find_or_share(Shard& shard, std::size_t hash, const K& key, Make&... make) {
        std::optional<detail::Glimpse<Value>> seen;
        Pointer pointer;
        {
            const std::lock_guard guard(shard.mutex);
            Slot* slot = shard.table.find_hashed(hash, key);
            if (slot == nullptr || is_old(*slot)) {
                return nullptr;
            }
            slot->owner.is_used = 1;
            // As in look().
            if (detail::wants_sample()) [[unlikely]] {
                pointer = slot->owner.pointer;
            } else {
                seen = slot->owner.pointer.glimpse();
            }
            ++shard.statistics.hits;
        }
        std::shared_ptr<const Value> value;
        if (seen) {
            value = seen->pin();
        } else if constexpr (sizeof...(make) > 0) {
            value = Pointer::Typed::pin_if_there(pointer.entry_, reconstructor(std::ref(make))...);
        } else {
            value = pointer.try_pin();
        }
        if (value == nullptr) {
            const std::lock_guard guard(shard.mutex);
            --shard.statistics.hits;
        }
        return value;
    }
    bool write(std::size_t hash, const Key& key, const Value& value) {
        Shard& shard = shard_of(hash);
        const bool is_kept = insert(shard, hash, key).write(value);
        account(shard, hash, key, value);
        return is_kept;
    }
    /// A use of a watched key, if it is there.
    template <class K>
    [[gnu::noinline, gnu::cold]] void tell_use(Shard& shard, std::size_t hash, const K& key) {
        std::size_t bytes = 0;
        {
            const std::lock_guard guard(shard.mutex);
            Slot* slot = shard.table.find_hashed(hash, key);
            if (slot == nullptr) {
                return;
            }
            bytes = slot->owner.bytes - entry_bytes;
        }
        watch_.used(watched_hash(hash), bytes);
    }
    /// The object of the key; it may have no content yet.
    template <class K>
    Pointer insert(Shard& shard, std::size_t hash, const K& key) {
        Pointer fresh = pool_.make_shared();
        const std::lock_guard guard(shard.mutex);
        Slot* slot = shard.table.find_hashed(hash, key);
        if (slot == nullptr) {
            Item item{std::move(fresh), nullptr, present()};
            item.bytes = entry_bytes;
            try {
                slot = shard.table.insert(key, std::move(item));
            } catch (...) {
                shard.bytes = shard.table.size() == 0 ? 0 : shard.bytes;
                throw;
            }
            shard.bytes += entry_bytes;
        }
        return slot->owner.pointer;
    }
    template <class K>
    void account(Shard& shard, std::size_t hash, const K& key, const Value& value) {
        const std::size_t bytes = entry_bytes + detail::Content<Value>::size(value);
        const std::lock_guard guard(shard.mutex);
        Slot* slot = shard.table.find_hashed(hash, key);
        if (slot == nullptr) {
            return;
        }
        shard.bytes += bytes - slot->owner.bytes;
        slot->owner.bytes = bytes;
        slot->owner.made = present();
        slot->owner.is_used = 1;
        const detail::AtomicWord* kept = slot->owner.pointer.entry_;
        while (shard.bytes > options_.budget_bytes / shards && shard.table.size() > 1) {
            ++shard.statistics.evicted;
            drop(shard, coldest(shard, kept));
        }
        // Also drops the keys of up to two lost values; else they would stay until the budget is reached.
        for (int i = 0; i < 2 && shard.table.size() > 1; ++i) {
            Slot* next = shard.table.next_slot(shard.looked_at);
            if (!next->owner.pointer.is_there()) {
                drop(shard, next);
            }
        }
    }
    template <class K>
    void erase_if_gone(Shard& shard, std::size_t hash, const K& key) {
        const std::lock_guard guard(shard.mutex);
        Slot* slot = shard.table.find_hashed(hash, key);
        if (slot != nullptr && !slot->owner.pointer.is_there()) {
            drop(shard, slot);
        }
    }

    cache_options options_;
    pool<Value, reconstructor> pool_;
    detail::ReuseWatch& watch_ = pool_.feed_reuse_watch();
    std::array<Shard, shards> shards_;
};

}  // namespace soft
