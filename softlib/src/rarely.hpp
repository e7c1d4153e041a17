// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "src/dice.hpp"

namespace soft::detail {

/// Of what happens often one in some, which stands for those since the one before. Intervals are by chance: always the same
/// number would see only one of several things that happen in turn. One thread's.
class Rarely {
public:
    /// How many this one stands for; 0: it is none of those.
    std::uint32_t stands_for() noexcept {
        if (--left_ > 0) [[likely]] {
            return 0;
        }
        const std::uint32_t ended = interval_;
        interval_ = 1 + dice_.below(longest_interval);
        left_ = interval_;
        return ended;
    }

private:
    static constexpr std::uint32_t longest_interval = 15;

    Dice dice_{1};
    std::uint32_t interval_ = 1;
    std::uint32_t left_ = 1;
};

}  // namespace soft::detail
