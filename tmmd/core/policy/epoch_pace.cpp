// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/epoch_pace.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

constexpr double growth = 2;             // maximum ratio of an epoch's length to the previous one
constexpr double newest_cost = 0.25;     // weight of the latest epoch's cost
constexpr double planned = 0.9;          // of a share of a processor: the next scan may cost more than the last ones
constexpr double for_scans = 0.5;        // minimum part of the plan for scans: costly polls must not stretch epochs without end
constexpr Seconds max_counted{300};      // the policy takes a longer epoch for an interrupted one
constexpr double false_alarm = 1.5;      // a return has to exceed the activity of a false alarm by this factor
constexpr double alarm_forgotten = 0.9;  // factor by which an undisturbed epoch lowers the threshold again

}  // namespace

void EpochPace::epoch_ended(const Epoch& epoch) {
    if (woken_ && !epoch.busy)
        activity_ = std::max(activity_, false_alarm * wake_activity_);
    else if (!woken_)
        activity_ = std::max(parameters_.activity, activity_ * alarm_forgotten);
    woken_ = false;
    idle_ = !epoch.busy && !epoch.learning;
    samples_ = epoch.samples;
    since_rate_change_ += epoch.length;

    cost_ = cost_.count() == 0 ? epoch.cost : (1 - newest_cost) * cost_ + newest_cost * epoch.cost;
    if (epoch.length.count() > 0)
        poll_share_ = (1 - newest_cost) * poll_share_ + newest_cost * (epoch.poll_cost / epoch.length);
    const double share = planned * (epoch.learning ? parameters_.cpu_learning
                                    : idle_        ? parameters_.cpu_idle
                                                   : parameters_.cpu_active);
    const Seconds max_length = idle_ ? parameters_.max_idle : parameters_.max_active;
    const Seconds affordable = cost_ / std::max(share - poll_share_, for_scans * share);

    Seconds by_footprint = std::max(epoch.length * growth, parameters_.min_length);
    if (epoch.footprint > Pages(0)) {
        const double allowed = parameters_.footprint * epoch.opaque_limit.as_double();
        by_footprint = std::min(by_footprint, epoch.length * (allowed / epoch.footprint.as_double()));
    }
    by_footprint = std::clamp(by_footprint, parameters_.min_length, max_length);
    // The order of pages does not matter on an idle machine.
    too_costly_ = !idle_ && affordable > growth * by_footprint;
    affordable_ = !idle_ && growth * growth * affordable < by_footprint;
    length_ = std::max(by_footprint, std::min({affordable, growth * max_length, max_counted}));
}

bool EpochPace::due(Seconds since, double activity) {
    woken_ = since < length_ && idle_ && since >= parameters_.min_length && activity >= activity_;
    if (woken_)
        wake_activity_ = activity;
    return woken_ || since >= length_;
}

int EpochPace::take_rate_change() {
    if (since_rate_change_ < parameters_.rate_period)
        return 0;
    int change = 0;
    if (too_costly_ && samples_ >= 2 * min_samples)
        change = 1;
    else if (affordable_ && samples_ > 0 && 2 * samples_ <= max_samples)
        change = -1;
    if (change != 0)
        since_rate_change_ = Seconds(0);
    return change;
}

}  // namespace tmm::core
