// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "softlib/detail/flat_table.hpp"
#include "softlib/pool.hpp"

namespace soft {

/// A hash map whose values are soft and are rebuilt from their keys. Keys are ordinary memory, since a map needs
/// them to find lost values.
///
/// If Hash and Equal have is_transparent, lookup also works with types other than Key, as with std::unordered_map.
///
/// Thread-safety is that of standard containers: const functions may run at the same time, others must run alone. Reading a value
/// that is gone is const and rebuilds it once, however many threads read. Values have no addresses; reads return copies.
///
/// Reads throw what the reconstructor, the serializer, Hash and Equal throw.
template <class Key, class Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class unordered_map {
    using Pool = pool<Value, Key>;
    using Table = detail::FlatTable<Key, unique_ptr<Value, Key>, Hash, Equal>;

    template <class K>
    static constexpr bool is_lookup = std::is_same_v<K, Key> || (
                                                                    requires { typename Hash::is_transparent; } &&
                                                                    requires { typename Equal::is_transparent; });

public:
    /// The type of a key, in ordinary memory.
    using key_type = Key;
    /// The type of a value, in soft memory.
    using mapped_type = Value;
    /// The type of a number of keys.
    using size_type = std::size_t;
    /// Makes the value of a key. The reading thread calls it.
    using reconstructor = typename Pool::reconstructor;

    /// An empty map.
    ///
    /// `heap`: where the values are. `name`: for people, in softlib-top and messages. `rebuild`: makes a value. Throws
    /// std::bad_alloc.
    unordered_map(soft::heap& heap, std::string_view name, reconstructor rebuild, const Hash& hash = Hash(),
                  const Equal& equal = Equal())
        : pool_(std::make_unique<Pool>(heap, name, std::move(rebuild))), table_(hash, equal) {}
    /// An empty map in the process's own heap.
    unordered_map(std::string_view name, reconstructor rebuild, const Hash& hash = Hash(), const Equal& equal = Equal())
        : unordered_map(heap::process(), name, std::move(rebuild), hash, equal) {}
    /// Takes the other map's keys and values. The other one may then only be destroyed or assigned to.
    unordered_map(unordered_map&&) noexcept = default;
    /// Drops its keys and values and takes the other map's. The other one may then only be destroyed or assigned to.
    unordered_map& operator=(unordered_map&& other) noexcept {
        unordered_map taken(std::move(other));
        std::swap(pool_, taken.pool_);
        table_.swap(taken.table_);
        return *this;
    }
    ~unordered_map() = default;

    /// Number of keys, whether their values are there or gone.
    [[nodiscard]] size_type size() const noexcept { return table_.size(); }
    /// Whether there are no keys.
    [[nodiscard]] bool empty() const noexcept { return table_.size() == 0; }
    /// Allocates ordinary memory for `keys` keys at once. Throws std::bad_alloc.
    void reserve(size_type keys) { table_.reserve(keys); }
    /// Forgets all keys.
    void clear() noexcept { table_.clear(); }

    /// Whether the map has the key; its value may be gone.
    template <class K>
    requires is_lookup<K>
    [[nodiscard]] bool contains(const K& key) const { return table_.find(key) != nullptr; }
    /// Overload for Key.
    [[nodiscard]] bool contains(const Key& key) const { return table_.find(key) != nullptr; }

    /// Returns the value of a key that is in the map, rebuilt if it is gone; nothing for another key. Throws what the
    /// reconstructor throws.
    template <class K>
    requires is_lookup<K> std::optional<Value> find(const K& key)
    const {
        const auto* at = table_.find(key);
        if (at == nullptr) {
            return std::nullopt;
        }
        if (std::optional<Value> value = at->owner.try_get()) {
            return value;
        }
        // The reconstructor may insert other keys, which move this one.
        const Key own(at->key);
        return at->owner.read(own);
    }
    /// Overload for Key.
    std::optional<Value> find(const Key& key) const {
        const auto* at = table_.find(key);
        return at != nullptr ? std::optional<Value>(at->owner.read(key)) : std::nullopt;
    }
    /// Returns the value of a key if it is there. Never rebuilds.
    template <class K>
    requires is_lookup<K> std::optional<Value> try_get(const K& key)
    const {
        const auto* at = table_.find(key);
        return at != nullptr ? at->owner.try_get() : std::nullopt;
    }
    /// Overload for Key.
    std::optional<Value> try_get(const Key& key) const { return try_get<Key>(key); }

    /// Returns the value of a key, and inserts the key if the map lacks it. Throws what the reconstructor throws; the key stays
    /// then. Throws std::bad_alloc.
    Value get(const Key& key) {
        const auto* at = table_.find(key);
        if (at == nullptr) {
            at = table_.insert(key, pool_->make());
        }
        return at->owner.read(key);
    }
    /// Makes `value` the value of the key. Returns true if the key is new. Throws std::bad_alloc, or what the serializer throws.
    bool insert_or_assign(const Key& key, const Value& value) {
        const auto* at = table_.find(key);
        const bool is_new = at == nullptr;
        if (is_new) {
            at = table_.insert(key, pool_->make());
        }
        at->owner.write(value);
        return is_new;
    }
    /// Forgets the key. Returns the number of keys removed, 0 or 1.
    size_type erase(const Key& key) {
        const auto* at = table_.find(key);
        if (at == nullptr) {
            return 0;
        }
        table_.erase(at);
        return 1;
    }
    /// Forgets the keys whose values are gone. Returns their number.
    size_type erase_lost() {
        return table_.erase_if([](const auto& slot) { return !slot.owner.is_there(); });
    }
    /// Calls use(key, value) for each value that is there, in no particular order.
    template <class Use>
    void for_each(Use&& use) const {
        table_.for_each([&](const auto& slot) {
            if (const std::optional<Value> value = slot.owner.try_get()) {
                use(slot.key, *value);
            }
        });
    }
    /// Statistics of the values. Throws nothing.
    [[nodiscard]] pool_statistics statistics() const { return pool_->statistics(); }

private:
    std::unique_ptr<Pool> pool_;
    Table table_;
};

}  // namespace soft
