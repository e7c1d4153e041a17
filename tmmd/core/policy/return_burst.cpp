// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/return_burst.hpp"

#include <algorithm>

namespace tmm::core {

ReturnBurst::ReturnBurst(const ReturnParameters& parameters, Pages bucket_pages, std::size_t nr_buckets)
    : parameters_(parameters),
      learned_{BackedHistogram(bucket_pages, nr_buckets), BackedHistogram(bucket_pages, nr_buckets)},
      current_(bucket_pages, nr_buckets) {}

void ReturnBurst::end_epoch(const BackedHistogram& accesses, Seconds length, bool busy, Seconds idle_before) {
    if (!since_return_) {
        // An epoch may be longer than a break.
        const bool returned = busy && idle_ + idle_before >= parameters_.min_break;
        idle_ = busy ? Seconds(0) : idle_ + length;
        if (!returned)
            return;
        // The owner returned at an unknown time in this epoch: none of it certainly lies after the return.
        since_return_ = Seconds(0);
        first_learned_ = false;
        current_.clear();
        current_.add_scaled(accesses, 1);
        return;
    }
    *since_return_ += length;
    current_.add_scaled(accesses, 1);
    idle_ = busy ? Seconds(0) : idle_ + length;
    if (!first_learned_ && *since_return_ >= parameters_.first_interaction) {
        learn(first_interaction);
        first_learned_ = true;
    }
    if (*since_return_ >= parameters_.whole) {
        learn(first_minute);
        ++returns_;
        since_return_.reset();
    }
}

void ReturnBurst::learn(Phase phase) {
    // The mean of the first few returns; later each enters by its weight.
    const double weight = std::max(parameters_.weight, 1.0 / (returns_ + 1.0));
    learned_[phase].average_in(current_, 1, weight);
}

Pages ReturnBurst::opaque_need(const ReturnGoal& goal, const ByBacking& latency, Pages total) const {
    const auto need = [&](Phase phase, Seconds allowed) {
        const LruHistogram stall = learned_[phase].weighted(latency);
        return std::min(stall.smallest_size(stall.misses(total) + allowed.count(), total), total);
    };
    return std::max(need(first_interaction, goal.first_stall), need(first_minute, goal.whole_stall));
}

void ReturnBurst::rebucket(Pages bucket_pages, std::size_t nr_buckets) {
    for (BackedHistogram& histogram : learned_)
        histogram = histogram.rebucketed(bucket_pages, nr_buckets);
    current_ = current_.rebucketed(bucket_pages, nr_buckets);
}

void ReturnBurst::restore(unsigned returns, const std::array<BackedHistogram, nr_phases>& accesses) {
    returns_ = returns;
    learned_ = accesses;
}

}  // namespace tmm::core
