// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/aged_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

AgedHistogram::AgedHistogram(const AgeingParameters& parameters, Pages bucket_pages, std::size_t nr_buckets)
    : parameters_(parameters), temporary_(bucket_pages, nr_buckets), permanent_(bucket_pages, nr_buckets) {}

AgedHistogram::Outcome AgedHistogram::end_epoch(const Epoch& epoch) {
    collected_time_ += epoch.length;
    collected_active_ += epoch.active;
    if (!known_at_check_)
        known_at_check_ = epoch.known_pages;
    if (epoch.goal_violated) {
        average_in(parameters_.alpha);
        return Outcome::aged;
    }
    if (collected_time_ < current_period() || still_growing(epoch.known_pages))
        return Outcome::collecting;
    if (only_noise(epoch.total_pages)) {
        restart_period();
        return Outcome::noise;
    }
    average_in(0);
    return Outcome::aged;
}

bool AgedHistogram::still_growing(Pages known_pages) {
    if (learned())
        return false;
    if (collected_time_ < next_check_)
        return true;
    next_check_ = collected_time_ + parameters_.learning_period;
    const double settled = (1.0 + parameters_.learning_growth) * known_at_check_->as_double();
    known_at_check_ = known_pages;
    return known_pages.as_double() > settled && collected_time_ < parameters_.max_learning;
}

void AgedHistogram::rebucket(Pages bucket_pages, std::size_t nr_buckets) {
    temporary_ = temporary_.rebucketed(bucket_pages, nr_buckets);
    permanent_ = permanent_.rebucketed(bucket_pages, nr_buckets);
}

void AgedHistogram::restore(const GroupedHistogram& rates, double active_share, Seconds learned_time) {
    permanent_ = rates;
    active_share_ = active_share;
    learned_time_ = learned_time;
    restart_period();
}

Seconds AgedHistogram::current_period() const {
    return std::min(std::max(parameters_.learning_period, learned_time_), parameters_.period);
}

bool AgedHistogram::only_noise(Pages total_pages) const {
    const Pages depth = Pages(std::llround(parameters_.noise_depth * total_pages.as_double()));
    return temporary_.all.misses(depth) <= parameters_.noise_rate_per_s * collected_time_.count();
}

void AgedHistogram::average_in(double min_weight) {
    if (collected_time_.count() <= 0)
        return;
    const Seconds memory = std::min(learned_time_ + collected_time_, parameters_.period / parameters_.alpha);
    const double weight = std::clamp(collected_time_ / memory, min_weight, 1.0);
    permanent_.average_in(temporary_, 1.0 / collected_time_.count(), weight);
    active_share_ = (1.0 - weight) * active_share_ + weight * (collected_active_ / collected_time_);
    learned_time_ += collected_time_;
    restart_period();
}

void AgedHistogram::restart_period() {
    temporary_.clear();
    collected_time_ = Seconds(0);
    collected_active_ = Seconds(0);
    next_check_ = Seconds(0);
}

}  // namespace tmm::core
