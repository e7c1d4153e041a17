// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/ageing_pace.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

constexpr double newest_cost = 0.25;  // weight of the latest calls' cost
// Pages take two epochs to grow old, so what a halved time makes old is used within these.
constexpr int epochs_until_old_uses = 4;
// The last one of a failed attempt, and the next, longer one.
constexpr int epochs_of_failure = 2;

}  // namespace

Seconds AgeingPace::planned() const {
    return std::max(length_, std::min(cost_ / (settled_ ? share_ : unsettled_share_), max_length));
}

void AgeingPace::epoch_ended(Seconds length, Pages used_old, Seconds cost) {
    cost_ = cost_.count() == 0 ? cost : (1 - newest_cost) * cost_ + newest_cost * cost;
    epochs_of_attempt_ = std::max(epochs_of_attempt_ - 1, 0);
    if (used_old.as_double() > max_old_uses_per_s * length.count()) {
        if (halved_ && quiet_ < epochs_until_old_uses) {
            patience_ = std::min(2 * patience_, max_patience);
            epochs_of_attempt_ = epochs_of_failure;
        }
        length_ = std::min(2 * length_, max_length);
        quiet_ = 0;
        halved_ = false;
        settled_ = settled_ || length_ == max_length;
    } else if (++quiet_ >= patience_ && length_ > min_length) {
        length_ = std::max(length_ / 2, min_length);
        quiet_ = 0;
        halved_ = true;
        epochs_of_attempt_ = epochs_until_old_uses + 1;
    }
    // Two epochs have to pass before a page counts as old.
    settled_ = settled_ || quiet_ >= 3;
}

}  // namespace tmm::core
