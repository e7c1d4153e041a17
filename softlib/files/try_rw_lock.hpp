// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>

namespace soft::files {

/// A lock for many readers or one writer for which nobody ever waits: who does not get it does without. So it does no harm if its
/// holder never comes back, because a signal handler jumped out of it, or because it is in the parent of a fork.
/// All functions are thread-safe and do not allocate.
class TryRwLock {
public:
    [[nodiscard]] bool try_lock_shared() noexcept {
        int now = readers_.load(std::memory_order_relaxed);
        while (now >= 0) {
            if (readers_.compare_exchange_weak(now, now + 1, std::memory_order_acquire, std::memory_order_relaxed)) {
                return true;
            }
        }
        return false;
    }
    void unlock_shared() noexcept { readers_.fetch_sub(1, std::memory_order_release); }
    [[nodiscard]] bool try_lock() noexcept {
        int nobody = 0;
        return readers_.compare_exchange_strong(nobody, -1, std::memory_order_acquire, std::memory_order_relaxed);
    }
    void unlock() noexcept { readers_.store(0, std::memory_order_release); }

private:
    /// -1: closed.
    std::atomic<int> readers_{0};
};

}  // namespace soft::files
