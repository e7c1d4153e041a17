// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Threads that wait for a rebuild while they rebuild something themselves. In a circle of such threads each would wait for ever.
// Every thread of a circle waits and rebuilds, so the last one finds all others here. Other threads need not be known: they go
// on.
#pragma once

#include <vector>

#include "softlib/detail/entry.hpp"

namespace soft::detail {

/// One rebuild: an entry and the mark in it.
struct RebuildMark {
    const AtomicWord* entry = nullptr;
    Word mark = 0;

    [[nodiscard]] bool is(const RebuildMark& other) const { return entry == other.entry && is_mark(mark, other.mark); }
};

/// A thread that waits. Lives as long as it waits.
class RebuildWait {
public:
    /// `mine`: the rebuilds of this thread. `awaited`: the rebuild of another thread. Call would_be_circle() before waiting.
    RebuildWait(std::vector<RebuildMark> mine, AtomicWord* awaited, Word mark);
    ~RebuildWait();
    RebuildWait(const RebuildWait&) = delete;
    RebuildWait& operator=(const RebuildWait&) = delete;

    /// Whether the thread would wait for itself.
    [[nodiscard]] bool would_be_circle() const { return circle_; }

private:
    [[nodiscard]] bool closes_circle() const;
    [[nodiscard]] bool rebuilds(const RebuildMark& one) const;

    const std::vector<RebuildMark> mine_;
    AtomicWord* const entry_;
    const Word mark_;
    bool circle_ = false;
    RebuildWait* next_ = nullptr;
};

/// Handlers of fork(). The child has no thread that waits.
void lock_rebuild_waits();
void unlock_rebuild_waits();
void forget_rebuild_waits();

}  // namespace soft::detail
