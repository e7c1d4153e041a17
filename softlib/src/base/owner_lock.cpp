// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/base/owner_lock.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace soft::detail {
namespace {

// ThreadSanitizer does not know barriers that the kernel makes; under it, owners and others use their own.
bool membarrier([[maybe_unused]] int command) noexcept {
#if defined(SOFTLIB_THREAD_SANITIZER)
    return false;
#else
    // Keep errno: this may run in the middle of a destructor of the program, which may report a failed call.
    const int before = errno;
    const bool done = syscall(SYS_membarrier, command, 0, 0) == 0;
    errno = before;
    return done;
#endif
}

}  // namespace

constinit std::atomic<Fences> fences{Fences::unknown};

// A child of fork() has its parent's registration.
Fences prepare_fences() noexcept {
    Fences now = fences.load(std::memory_order_relaxed);
    if (now != Fences::unknown) {
        return now;
    }
    const Fences found = membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) ? Fences::work : Fences::fail;
    // The result of another thread stands.
    return fences.compare_exchange_strong(now, found, std::memory_order_relaxed) ? found : now;
}

bool fence_all_threads() noexcept {
    if (fences.load(std::memory_order_relaxed) == Fences::work && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) {
        return true;
    }
    fences.store(Fences::fail, std::memory_order_relaxed);
    return false;
}

}  // namespace soft::detail
