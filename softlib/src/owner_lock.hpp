// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// A lock for what is one thread's, which costs that thread no instruction that waits for what the processor has under way. Others
// want it seldom, and pay for it: the kernel has all threads of the process pass a barrier (membarrier).
//
// Owner:  held = true;    (a)    wanted?   if not, it has the lock
// Other:  wanted = true;  (b)    held?     waits until not
//
// Between the store and the load of either there has to be a full barrier, or each could miss the other's store. At (b) the
// kernel makes one in each running thread (one that does not run has passed the scheduler's), and the owner does with a barrier
// for the compiler at (a): if its load came before the kernel's barrier, so did its store, which the other sees then. If the
// kernel cannot, both use their own. It may lose the ability when a program forbids itself system calls (seccomp) after it has
// begun; owners that have relied on it cannot be known then to have passed a barrier. So each says once that it uses its own from
// now on (fenced_), and until then others do not get its lock.
#pragma once

#include <atomic>
#include <thread>

#include "softlib/detail/place.hpp"

namespace soft::detail {

/// Whether the kernel makes barriers for this process. Goes on from one to the next only, so that who has once seen `fail` will
/// never again do without his own.
enum class Fences : int { unknown, work, fail };
extern constinit std::atomic<Fences> fences;

/// Finds out, if that is unknown; takes some milliseconds if there are other threads. Thread-safe.
Fences prepare_fences() noexcept;
/// Has all threads of the process, this one too, pass a full barrier. False: the kernel does not, and never will. Thread-safe.
bool fence_all_threads() noexcept;

class OwnerLock {
public:
    /// Made by its owner: the one thread that will ever use an Own of it.
    OwnerLock() noexcept : fenced_(prepare_fences() == Fences::fail) {}

    /// What its owner has while it lives. Not for signal handlers: the owner may have it already.
    class Own {
    public:
        explicit Own(OwnerLock& lock) noexcept : lock_(lock) { lock_.lock_own(); }
        ~Own() { lock_.let_go(); }
        Own(const Own&) = delete;
        Own& operator=(const Own&) = delete;

    private:
        OwnerLock& lock_;
    };

    /// The owner has it, until it calls let_go(); false: another thread has it, or wants it. Never waits.
    [[nodiscard]] bool try_own() noexcept {
        held_.store(true, std::memory_order_relaxed);
        fence_own();
        // Acquire: sees what the one before did with the lock. Nothing that follows is done before.
        if (!wanted_.load(std::memory_order_acquire)) [[likely]] {
            return true;
        }
        let_go();
        return false;
    }
    void let_go() noexcept { held_.store(false, std::memory_order_release); }

    /// By another thread, or the owner without an Own; one at a time. False: it cannot be had before the owner has used it once
    /// more.
    [[nodiscard]] bool lock() noexcept {
        wanted_.store(true, std::memory_order_relaxed);
        if (!fence_all_threads()) {
            // Acquire: what the owner did with the lock before it began to use barriers has been done.
            if (!fenced_.load(std::memory_order_acquire)) {
                // Release: an owner that sees this one sees what was done with the lock before.
                unlock();
                return false;
            }
            full_fence();
        }
        // Acquire: sees what the owner wrote before it let go.
        while (held_.load(std::memory_order_acquire)) {
            std::this_thread::yield();
        }
        return true;
    }
    /// Release: an owner that sees it sees what was done with the lock.
    void unlock() noexcept { wanted_.store(false, std::memory_order_release); }

    /// In the child of fork(), where no other thread is: nobody has it.
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
        // It does not know fences; of two of these the second sees what was before the first.
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
