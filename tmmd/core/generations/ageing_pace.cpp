// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/ageing_pace.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

constexpr double newest_cost = 0.25;    // weight of the latest calls' cost
constexpr Seconds max_affordable{300};  // the policy takes a longer epoch for an interrupted one

}  // namespace

Seconds AgeingPace::planned() const {
    return std::max(length_, std::min(cost_ / (settled_ ? share_ : unsettled_share_), max_affordable));
}

void AgeingPace::epoch_ended(Seconds length, Pages used_old, Seconds cost) {
    cost_ = cost_.count() == 0 ? cost : (1 - newest_cost) * cost_ + newest_cost * cost;
    if (used_old.as_double() > max_old_uses_per_s * length.count()) {
        // Pages take two epochs to grow old.
        if (halved_ && quiet_ <= 3)
            patience_ = std::min(2 * patience_, max_patience);
        length_ = std::min(2 * length_, max_length);
        quiet_ = 0;
        halved_ = false;
        settled_ = settled_ || length_ == max_length;
    } else if (++quiet_ >= patience_ && length_ > min_length) {
        length_ = length_ / 2;
        quiet_ = 0;
        halved_ = true;
    }
    // Two epochs have to pass before a page counts as old.
    settled_ = settled_ || quiet_ >= 3;
}

}  // namespace tmm::core
