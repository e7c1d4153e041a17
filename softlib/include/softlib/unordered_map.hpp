// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "softlib/pool.hpp"

namespace soft {

/// A hash map whose values are soft, and can be made again from their keys. Keys are ordinary memory: a map without its keys
/// could not say what is gone. Lookup by other types than Key works as with std::unordered_map, if Hash and Equal have
/// is_transparent.
///
/// Thread-safety as of standard containers: functions that are const may be called at the same time, others have to be alone;
/// reading a value that is gone is const, and rebuilds it once however many threads want it. Values have no addresses: they are
/// read as copies.
template <class Key, Storable Value, class Hash = std::hash<Key>, class Equal = std::equal_to<Key>>
class unordered_map {
    using Pool = pool<Value, Key>;
    using Map = std::unordered_map<Key, unique_ptr<Value, Key>, Hash, Equal>;

    template <class K>
    static constexpr bool is_lookup = std::is_same_v<K, Key> || (
                                                                    requires { typename Hash::is_transparent; } &&
                                                                    requires { typename Equal::is_transparent; });

public:
    /// In ordinary memory.
    using key_type = Key;
    /// In soft memory.
    using mapped_type = Value;
    /// Of a number of keys.
    using size_type = std::size_t;
    /// Makes the value of a key. Called by whichever thread reads.
    using reconstructor = typename Pool::reconstructor;

    /// An empty one. Throws std::bad_alloc.
    unordered_map(Heap& heap, std::string_view name, reconstructor rebuild, const Hash& hash = Hash(),
                  const Equal& equal = Equal())
        : pool_(std::make_unique<Pool>(heap, name, std::move(rebuild))), map_(0, hash, equal) {}

    /// Keys, whether their values are there or gone.
    [[nodiscard]] size_type size() const noexcept { return map_.size(); }
    /// Whether there are no keys.
    [[nodiscard]] bool empty() const noexcept { return map_.empty(); }
    /// Ordinary memory for so many keys at once. Throws std::bad_alloc.
    void reserve(size_type keys) { map_.reserve(keys); }
    /// Forgets all keys.
    void clear() noexcept { map_.clear(); }

    /// Whether the key is known; its value may be gone.
    template <class K>
    requires is_lookup<K>
    [[nodiscard]] bool contains(const K& key) const { return map_.find(key) != map_.end(); }
    /// The same.
    [[nodiscard]] bool contains(const Key& key) const { return map_.find(key) != map_.end(); }

    /// The value of a key that is in the map, rebuilt if it is gone; nothing for another key. Throws what the
    /// reconstructor throws.
    template <class K>
    requires is_lookup<K> std::optional<Value> find(const K& key)
    const {
        const auto at = map_.find(key);
        return at != map_.end() ? std::optional<Value>(at->second.read(at->first)) : std::nullopt;
    }
    /// The same.
    std::optional<Value> find(const Key& key) const { return find<Key>(key); }
    /// The same without rebuilding.
    template <class K>
    requires is_lookup<K> std::optional<Value> try_get(const K& key)
    const {
        const auto at = map_.find(key);
        return at != map_.end() ? at->second.try_get() : std::nullopt;
    }
    /// The same.
    std::optional<Value> try_get(const Key& key) const { return try_get<Key>(key); }

    /// The value of any key: makes it, and keeps it, if there is none. Throws what the reconstructor throws; the key stays then.
    Value get(const Key& key) {
        auto at = map_.find(key);
        if (at == map_.end()) {
            at = map_.emplace(key, pool_->make()).first;
        }
        return at->second.read(at->first);
    }
    /// True if the key is new. Throws std::bad_alloc, and what the serializer throws.
    bool insert_or_assign(const Key& key, const Value& value) {
        const auto [at, is_new] = map_.try_emplace(key);
        if (is_new) {
            try {
                at->second = pool_->make();
            } catch (...) {
                map_.erase(at);
                throw;
            }
        }
        at->second.write(value);
        return is_new;
    }
    /// Forgets the key. Returns how many there were, 0 or 1.
    size_type erase(const Key& key) { return map_.erase(key); }
    /// Forgets the keys whose values are gone. Returns how many.
    size_type erase_lost() {
        return std::erase_if(map_, [](const auto& item) { return !item.second.is_there(); });
    }
    /// Calls use(key, value) for each value that is there, in no particular order.
    template <class Use>
    void for_each(Use&& use) const {
        for (const auto& [key, pointer] : map_) {
            if (const std::optional<Value> value = pointer.try_get()) {
                use(key, *value);
            }
        }
    }
    /// Of its values. Throws nothing.
    [[nodiscard]] PoolBase::Statistics statistics() const { return pool_->statistics(); }

private:
    std::unique_ptr<Pool> pool_;
    Map map_;
};

}  // namespace soft
