// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/distances/aged_histogram.hpp"

namespace tmm::core {

AgedHistogram::AgedHistogram(const AgeingParameters& parameters, Pages bucket_pages, std::size_t nr_buckets)
    : parameters_(parameters), temporary_(bucket_pages, nr_buckets), shares_(bucket_pages, nr_buckets) {}

AgedHistogram::Outcome AgedHistogram::end_epoch(const BackedHistogram& accesses, const Epoch& epoch) {
    if (epoch.goal_violated)
        restart_period();
    temporary_.add_scaled(accesses, 1);
    collected_time_ += epoch.length;
    collected_active_ += epoch.active;
    if (epoch.goal_violated) {
        average_in();
        return Outcome::aged;
    }
    if (collected_time_ < parameters_.period)
        return Outcome::collecting;
    if (only_noise(epoch.total_pages)) {
        restart_period();
        return Outcome::noise;
    }
    average_in();
    return Outcome::aged;
}

double AgedHistogram::misses_per_s(Pages size) const {
    return learned() ? accesses_per_s() * shares_.misses(size) / weight_ : 0;
}

ByBacking AgedHistogram::misses_beyond_per_s(Pages size, Pages total) const {
    ByBacking misses{};
    for (std::size_t backing = 0; backing < nr_backings && learned(); ++backing) {
        const LruHistogram& shares = shares_.of(static_cast<Backing>(backing));
        misses[backing] = accesses_per_s() * shares.misses_between(size, total) / weight_;
    }
    return misses;
}

double AgedHistogram::accesses_per_s() const {
    return learned() ? rate_ / weight_ : 0;
}

double AgedHistogram::active_share() const {
    return learned() ? active_ / weight_ : 0;
}

void AgedHistogram::rebucket(Pages bucket_pages, std::size_t nr_buckets) {
    temporary_ = temporary_.rebucketed(bucket_pages, nr_buckets);
    shares_ = shares_.rebucketed(bucket_pages, nr_buckets);
    weight_ = shares_.accesses();
}

void AgedHistogram::restore(const BackedHistogram& accesses, double accesses_per_s, double active_share) {
    const double all = accesses.accesses();
    shares_.clear();
    if (all > 0)
        shares_.add_scaled(accesses, 1 / all);
    weight_ = shares_.accesses();
    rate_ = accesses_per_s;
    active_ = active_share;
    restart_period();
}

bool AgedHistogram::only_noise(Pages total_pages) const {
    return temporary_.misses(part_of(total_pages, parameters_.noise_depth)) <=
           parameters_.noise_rate_per_s * collected_time_.count();
}

void AgedHistogram::average_in() {
    const double all = temporary_.accesses();
    if (collected_time_.count() > 0 && all > 0) {
        const double alpha = parameters_.alpha;
        shares_.average_in(temporary_, 1 / all, alpha);
        weight_ = shares_.accesses();
        rate_ = (1 - alpha) * rate_ + alpha * (all / collected_time_.count());
        active_ = (1 - alpha) * active_ + alpha * (collected_active_ / collected_time_);
    }
    restart_period();
}

void AgedHistogram::restart_period() {
    temporary_.clear();
    collected_time_ = Seconds(0);
    collected_active_ = Seconds(0);
}

}  // namespace tmm::core
