// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "softlib/detail/reuse_watch.hpp"
#include "softlib/pool.hpp"

namespace soft {

/// Reports to the heap of a pool which keys a program uses, so that tmmd divides soft memory by what each program gains from it.
/// For programs with an index of their own, such as a cache server; soft::cache does this by itself.
///
/// A heap watches few keys, and none without tmmd: call watches() first, for each use, and report only the keys that it watches.
/// A key is reported by a hash of 64 bits that is the same for the same key. All functions are thread-safe and throw nothing. The
/// pool outlives the watch.
class key_watch {
public:
    /// Watches keys whose values are in the pool `of`.
    template <class T, class... Arguments>
    explicit key_watch(pool<T, Arguments...>& of) noexcept
        : watch_(of.feed_reuse_watch()), added_(reinterpret_cast<std::uintptr_t>(&of)) {}

    /// Whether to report uses of the key. Costs a nanosecond.
    [[nodiscard]] bool watches(std::uint64_t hash) const noexcept { return watch_.watches(hash + added_); }
    /// The key's value was found. `bytes`: what it takes in the heap.
    void found(std::uint64_t hash, std::size_t bytes) noexcept { watch_.used(hash + added_, bytes); }
    /// The key's value was not found. The time until the same thread calls put() for this key counts as the cost of the miss.
    void missed(std::uint64_t hash) noexcept { watch_.missed(hash + added_); }
    /// The program put a value of `bytes` in the heap.
    void put(std::uint64_t hash, std::size_t bytes) noexcept { watch_.put(hash + added_, bytes); }

private:
    detail::ReuseWatch& watch_;
    // Pools of a heap may have the same keys.
    std::uint64_t added_;
};

}  // namespace soft
