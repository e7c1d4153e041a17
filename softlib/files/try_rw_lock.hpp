// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <atomic>

namespace soft::files {

/// A lock for many readers or one writer for which no thread ever waits: a thread that does not get it does without. So a holder
/// may never return: a signal handler that jumped away, or a thread of the parent of a fork. All functions are thread-safe and do
/// not allocate.
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
    /// -1: locked by a writer.
    std::atomic<int> readers_{0};
};

}  // namespace soft::files
