// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/readahead.hpp"

#include <algorithm>

namespace tmm::caches {
namespace {

// The kernel reads ahead a little, too, and not quite in order.
constexpr std::uint64_t slack = 2;
constexpr std::uint64_t first_depth = 2;

}  // namespace

BlockRange Readahead::read(std::uint64_t first, std::uint64_t last, bool waits) {
    const bool is_sequential = first <= next_ + slack && last + 1 + slack >= next_;
    if (!is_sequential) {
        depth_ = 0;
        next_ = ahead_ = last + 1;
        return {};
    }
    const bool goes_on = last + 1 > next_;
    next_ = std::max(next_, last + 1);
    ahead_ = std::max(ahead_, next_);
    if (depth_ == 0)
        depth_ = std::min(first_depth, max_depth_);
    else if (waits && goes_on)
        depth_ = std::min(2 * depth_, max_depth_);
    const std::uint64_t end = next_ + depth_;
    if (end <= ahead_)
        return {};
    const BlockRange range{ahead_, end - ahead_};
    ahead_ = end;
    return range;
}

}  // namespace tmm::caches
