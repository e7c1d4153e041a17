// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A lock for data of one thread. It costs that thread no instruction that waits for earlier ones in the processor. Other threads
// want it seldom and pay: the kernel makes all threads of the process pass a barrier (membarrier).
//
//     Owner:  held = true;    (a)    wanted?   if not, it has the lock
//     Other:  wanted = true;  (b)    held?     waits until not
//
// Each needs a full barrier between its store and its load, or both could miss the other's store. At (b) the kernel makes one in
// each running thread; a thread that does not run has passed the scheduler's. So the owner needs only a compiler barrier at (a):
// if its load came before the kernel's barrier, so did its store, which the other thread then sees.
//
// If the kernel cannot do this, both sides use their own barriers. The kernel may lose the ability when a program forbids itself
// system calls (seccomp) later. Then nobody knows whether an owner that relied on it has passed a barrier. So each owner records
// once that it uses its own from now on (fenced_); until then others do not get its lock.
#pragma once

#include <atomic>
#include <thread>

#include "softlib/detail/place.hpp"

namespace soft::detail {

/// Whether the kernel makes barriers for this process. It changes only from one value to the next, so a thread that has seen
/// `fail` always uses its own barriers.
enum class Fences : int { unknown, work, fail };
extern constinit std::atomic<Fences> fences;

/// Asks the kernel if the answer is unknown; takes some milliseconds if there are other threads. Thread-safe.
Fences prepare_fences() noexcept;
/// Makes all threads of the process, this one too, pass a full barrier. Returns false if the kernel does not, and never will.
/// Thread-safe.
bool fence_all_threads() noexcept;

class OwnerLock {
public:
    /// The owner makes it: the one thread that will ever use an Own of it.
    OwnerLock() noexcept : fenced_(prepare_fences() == Fences::fail) {}

    /// The owner has the lock while this lives. Not for signal handlers: the owner may have it already.
    class Own {
    public:
        explicit Own(OwnerLock& lock) noexcept : lock_(lock) { lock_.lock_own(); }
        ~Own() { lock_.let_go(); }
        Own(const Own&) = delete;
        Own& operator=(const Own&) = delete;

    private:
        OwnerLock& lock_;
    };

    /// Gives the lock to the owner until let_go(). Returns false if another thread has it or wants it. Never waits.
    [[nodiscard]] bool try_own() noexcept {
        held_.store(true, std::memory_order_relaxed);
        fence_own();
        // Acquire: sees the changes of the previous holder. Later accesses stay behind.
        if (!wanted_.load(std::memory_order_acquire)) [[likely]] {
            return true;
        }
        let_go();
        return false;
    }
    void let_go() noexcept { held_.store(false, std::memory_order_release); }

    /// For another thread, or the owner without an Own; one at a time. Returns false if the lock cannot be had before the owner
    /// has used it once more.
    [[nodiscard]] bool lock() noexcept {
        wanted_.store(true, std::memory_order_relaxed);
        if (!fence_all_threads()) {
            // Acquire: sees the owner's changes before it began to use barriers.
            if (!fenced_.load(std::memory_order_acquire)) {
                // Release: an owner that sees this sees earlier changes under the lock.
                unlock();
                return false;
            }
            full_fence();
        }
        // Acquire: sees the owner's changes before it let go.
        while (held_.load(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
        return true;
    }
    /// Release: an owner that sees it sees the changes under the lock.
    void unlock() noexcept { wanted_.store(false, std::memory_order_release); }

    /// In the child of fork(), where no other thread exists: nobody has the lock.
    void reset() noexcept {
        held_.store(false, std::memory_order_relaxed);
        wanted_.store(false, std::memory_order_relaxed);
    }

private:
    void lock_own() noexcept {
        while (!try_own()) {
            while (wanted_.load(std::memory_order_relaxed)) {
                std::this_thread::yield();
            }
        }
    }
    void fence_own() noexcept {
        if (fences.load(std::memory_order_relaxed) == Fences::work) [[likely]] {
            std::atomic_signal_fence(std::memory_order_seq_cst);
            return;
        }
        full_fence();
        fenced_.store(true, std::memory_order_release);
    }
    static void full_fence() noexcept {
#if defined(SOFTLIB_THREAD_SANITIZER)
        // It does not know fences. Of two of these, the second sees changes before the first.
        static std::atomic<int> order{0};
        order.fetch_add(1, std::memory_order_seq_cst);
#else
        std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
    }

    std::atomic<bool> held_{false};
    std::atomic<bool> wanted_{false};
    /// The owner does not rely on the kernel, nor will it again.
    std::atomic<bool> fenced_;
};

}  // namespace soft::detail
