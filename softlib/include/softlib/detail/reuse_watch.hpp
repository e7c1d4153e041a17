// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// ReuseWatch: what a heap's caches tell of their uses, for the program that divides memory among heaps. It watches few keys, and
// none until somebody asks for reports. All functions are thread-safe and throw nothing.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "softlib/detail/mixed.hpp"

namespace soft::coordinate {
struct report;
}  // namespace soft::coordinate

namespace soft::detail {

class ReuseWatch {
public:
    /// Throws std::bad_alloc.
    ReuseWatch();
    ~ReuseWatch();
    ReuseWatch(const ReuseWatch&) = delete;
    ReuseWatch& operator=(const ReuseWatch&) = delete;

    /// Whether uses of a key are to be told. `hash`: of the key; caches add different numbers. For every read.
    [[nodiscard]] bool watches(std::uint64_t hash) const noexcept { return mixed(hash) < below_.load(std::memory_order_relaxed); }
    /// A use of a watched key. `bytes`: what its value takes in the heap.
    void used(std::uint64_t hash, std::size_t bytes) noexcept;
    /// This thread missed the value of a watched key, and nobody makes it but perhaps the program.
    void missed(std::uint64_t hash) noexcept;
    /// The program put the value of a watched key. If this thread missed it last, that took the time in between, without the time
    /// for other values.
    void put(std::uint64_t hash, std::size_t bytes) noexcept;
    /// The program put a value and says what it took.
    void put(std::uint64_t hash, std::size_t bytes, std::chrono::nanoseconds took) noexcept;
    /// A cache's value was made. `took`: without the time for other values.
    void rebuilt(std::chrono::nanoseconds took) noexcept;

    /// From now on keys are watched.
    void begin() noexcept;
    /// Forgets everything, and watches no key.
    void end() noexcept;
    /// Sets what the report tells of uses and misses. `elapsed`: since begin() or the last report.
    void fill(coordinate::report& report, std::chrono::nanoseconds elapsed) noexcept;

    /// Handlers of fork().
    void lock() noexcept;
    void unlock() noexcept;

private:
    struct State;
    /// With the lock held.
    void follow_limit() noexcept;
    // Mixed hashes below it are watched. Aligned: every read wants it, and nobody shall write beside it.
    alignas(64) std::atomic<std::uint64_t> below_{0};
    std::unique_ptr<State> state_;
};

}  // namespace soft::detail
