// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>
#include <thread>

#include "softlib/detail/place.hpp"

namespace soft::detail {

/// Has all threads of the process pass a fence (membarrier). False: the kernel cannot, and those that rely on it use their own.
bool fence_all_threads() noexcept;
/// To be called before, and again in a child of fork(). Thread-safe.
void prepare_fences() noexcept;
/// Whether fence_all_threads() works. Known once prepare_fences() was called.
extern std::atomic<bool> fences_work;

/// A lock that costs its owner, one thread, next to nothing: no instruction that waits for what the processor has under way.
/// Others want it seldom, and pay for it. They want it one at a time.
class OwnerLock {
public:
    /// By the owner. False: it has it already, so this is a signal handler that came in between.
    [[nodiscard]] bool lock_own() noexcept {
        if (held_.load(std::memory_order_relaxed)) {
            return false;
        }
        for (;;) {
            held_.store(true, std::memory_order_relaxed);
            fence_own();
            if (!wanted_.load(std::memory_order_acquire)) [[likely]] {
                return true;
            }
            held_.store(false, std::memory_order_release);
            while (wanted_.load(std::memory_order_relaxed)) {
                std::this_thread::yield();
            }
        }
    }
    void unlock_own() noexcept { held_.store(false, std::memory_order_release); }

    void lock() noexcept {
        wanted_.store(true, std::memory_order_relaxed);
        if (!fence_all_threads()) {
            full_fence();
        }
        while (held_.load(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
    }
    void unlock() noexcept { wanted_.store(false, std::memory_order_release); }

private:
    // What orders the store before the load: either the others' fence, or one here.
    static void fence_own() noexcept {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (!fences_work.load(std::memory_order_relaxed)) [[unlikely]] {
            full_fence();
        }
    }
    static void full_fence() noexcept {
#if defined(SOFTLIB_THREAD_SANITIZER)
        // It does not know fences, nor what the kernel does; this it understands.
        static std::atomic<int> order{0};
        order.fetch_add(1, std::memory_order_seq_cst);
#else
        std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    }

    std::atomic<bool> held_{false};
    std::atomic<bool> wanted_{false};
};

}  // namespace soft::detail
