// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReturnBurst: learns the accesses of opaque programs when their owner returns from a break. The steady rules average them away:
// a minute of many misses in a day is little a second, but much for a waiting owner. So returns have histograms of their own, of
// the first interaction and of the first minute. Pure; not thread-safe.
#pragma once

#include <array>
#include <optional>

#include "tmmd/core/histogram/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct ReturnParameters {
    Seconds min_break{120};        // idle time after which activity is a return
    Seconds first_interaction{2};  // its length from the return on
    Seconds whole{60};             // the first minute; a return lasts this long
    double weight = 0.25;          // weight of the latest return in the histograms, in (0, 1]
};

// The maximum times that the owner waits for memory after a break.
struct ReturnGoal {
    Seconds first_stall{0.1};  // total within the first interaction
    Seconds whole_stall{1.0};  // total within the first minute
};

class ReturnBurst {
public:
    enum Phase : std::uint8_t { first_interaction, first_minute };  // the second includes the first
    static constexpr std::size_t nr_phases = 2;

    // bucket_pages, nr_buckets: as in LruHistogram.
    ReturnBurst(const ReturnParameters& parameters, Pages bucket_pages, std::size_t nr_buckets);
    // Takes effect in the next epoch; the histograms are kept.
    void set_parameters(const ReturnParameters& parameters) { parameters_ = parameters; }

    // Ends an epoch with its accesses. busy: they were more than noise. idle_before: the idle time of the epoch before activity
    // ended it; 0 if it ended for another reason.
    void end_epoch(const BackedHistogram& accesses, Seconds length, bool busy, Seconds idle_before);

    // Returns whether the first minute of a return is under way.
    [[nodiscard]] bool under_way() const { return since_return_.has_value(); }

    // Returns the number of returns in the histograms.
    [[nodiscard]] unsigned returns() const { return returns_; }
    // Returns the accesses in a return; all zero before the first one.
    [[nodiscard]] const BackedHistogram& accesses(Phase phase) const { return learned_[phase]; }

    // Returns the smallest opaque memory with which a return keeps to the goal, rounded up to a bucket; 0 before the first
    // return. latency: seconds that a miss takes. total: all memory, in pages.
    [[nodiscard]] Pages opaque_need(const ReturnGoal& goal, const ByBacking& latency, Pages total) const;

    // Changes the buckets, for a machine of another size.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets);

    // Replaces the histograms by saved ones with the same buckets.
    void restore(unsigned returns, const std::array<BackedHistogram, nr_phases>& accesses);

private:
    void learn(Phase phase);

    ReturnParameters parameters_;
    std::array<BackedHistogram, nr_phases> learned_;
    BackedHistogram current_;
    unsigned returns_ = 0;
    Seconds idle_{0};
    std::optional<Seconds> since_return_;  // set during the first minute
    bool first_learned_ = false;           // the first interaction of this return is in its histogram
};

}  // namespace tmm::core
