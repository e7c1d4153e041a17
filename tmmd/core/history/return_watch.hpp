// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReturnWatch: tells the owner's return from a break, for the history: misses in the first minute are all that an owner notices.
// A plain value; pure; not thread-safe.
#pragma once

#include <optional>
#include <utility>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class ReturnWatch {
public:
    // A shorter absence is no break: people read, or talk (experiments/01-coffee-break has breaks of 200 s and more).
    static constexpr Seconds min_break{120};
    // The paper's section 4 counts misses in the first minute after the break.
    static constexpr Seconds minute{60};

    // Time has passed, in which somebody was at the machine or not. A return begins at an unknown time of it.
    void pass(Seconds length, bool attended);

    // Returns whether the first minute of a return is under way.
    [[nodiscard]] bool under_way() const { return since_return_.has_value(); }
    // Returns whether a return began since the last call.
    [[nodiscard]] bool take_begun() { return std::exchange(begun_, false); }

private:
    Seconds away_{0};
    std::optional<Seconds> since_return_;
    bool begun_ = false;
};

}  // namespace tmm::core
