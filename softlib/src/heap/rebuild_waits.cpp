// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/heap/rebuild_waits.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "src/base/spin_lock.hpp"

namespace soft::detail {
namespace {

constinit SpinLock lock;
constinit RebuildWait* first = nullptr;

}  // namespace

RebuildWait::RebuildWait(std::vector<RebuildMark> mine, AtomicWord* awaited, Word mark)
    : mine_(std::move(mine)), entry_(awaited), mark_(mark) {
    const std::lock_guard guard(lock);
    circle_ = closes_circle();
    if (!circle_) {
        next_ = std::exchange(first, this);
    }
}

RebuildWait::~RebuildWait() {
    const std::lock_guard guard(lock);
    for (RebuildWait** at = &first; *at != nullptr; at = &(*at)->next_) {
        if (*at == this) {
            *at = next_;
            return;
        }
    }
}

bool RebuildWait::rebuilds(const RebuildMark& one) const {
    return std::any_of(mine_.begin(), mine_.end(), [&](const RebuildMark& other) { return one.is(other); });
}

// From each thread to the one that it waits for. There is no circle without this thread: its last thread would have found it.
bool RebuildWait::closes_circle() const {
    for (const RebuildWait* at = this;;) {
        const RebuildMark awaited{at->entry_, at->mark_};
        if (rebuilds(awaited)) {
            return true;
        }
        const RebuildWait* next = first;
        while (next != nullptr && !next->rebuilds(awaited)) {
            next = next->next_;
        }
        if (next == nullptr) {
            return false;
        }
        if (!is_mark(next->entry_->load(std::memory_order_relaxed), next->mark_)) {
            // Its object was written, which wakes nobody. So it goes on now, rather than wait for a rebuild that may wait for it.
            next->entry_->notify_all();
            return false;
        }
        at = next;
    }
}

void lock_rebuild_waits() {
    lock.lock();
}
void unlock_rebuild_waits() {
    lock.unlock();
}
void forget_rebuild_waits() {
    first = nullptr;
    lock.unlock();
}

}  // namespace soft::detail
