// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/owner_lock.hpp"

#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace soft::detail {
namespace {

long membarrier(int command) noexcept {
    return syscall(SYS_membarrier, command, 0, 0);
}

}  // namespace

constinit std::atomic<bool> fences_work{false};

void prepare_fences() noexcept {
#if !defined(SOFTLIB_THREAD_SANITIZER)
    fences_work.store(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0, std::memory_order_relaxed);
#endif
}

bool fence_all_threads() noexcept {
    return fences_work.load(std::memory_order_relaxed) && membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) == 0;
}

}  // namespace soft::detail
