// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/pace.hpp"

#include <algorithm>

namespace tmm::boinc {

namespace {

bool is_far(std::uint64_t before, std::uint64_t now) {
    const std::uint64_t distance = std::max(before, now) - std::min(before, now);
    return distance >= std::max(Pace::min_change_bytes, before / Pace::min_change_share);
}

bool is_far(const std::optional<Sight::Size>& before, const std::optional<Sight::Size>& now) {
    if (!before || !now)
        return before.has_value() != now.has_value();
    // Memory that comes back from swap counts for the client, though the task does not grow.
    return is_far(before->resident_bytes, now->resident_bytes) || is_far(before->swap_bytes, now->swap_bytes);
}

}  // namespace

bool has_changed(const Sight& before, const Sight& now) {
    return before.client != now.client || before.is_frozen != now.is_frozen || before.children != now.children ||
           !std::equal(before.sizes.begin(), before.sizes.end(), now.sizes.begin(), now.sizes.end(),
                       [](const auto& one, const auto& other) { return !is_far(one, other); });
}

bool Pace::wants_turn(bool is_quiet, const Sight& sight, std::chrono::milliseconds now) {
    if (!is_quiet)
        quiet_turns_ = 0;
    if (rests() && !has_changed(at_turn_, sight) && now - turned_at_ < max_rest)
        return false;
    if (is_quiet && !rests())
        ++quiet_turns_;
    at_turn_ = sight;
    turned_at_ = now;
    return true;
}

}  // namespace tmm::boinc
