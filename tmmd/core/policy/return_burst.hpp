// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReturnBurst: what opaque applications touch when their owner comes back from a break. The steady rules average it away: a
// minute of many misses in a day is little a second, and much for the one who waits. It has histograms of its own, of the first
// interaction and of the first minute, taken just after idle -> active. Pure; not thread-safe.
#pragma once

#include <array>
#include <optional>

#include "tmmd/core/histogram/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct ReturnParameters {
    Seconds min_break{120};        // idle for so long, and what follows is a return
    Seconds first_interaction{2};  // so long after the return it is done
    Seconds whole{60};             // the minute that is looked at
    double weight = 0.25;          // of the latest return in the histograms, in (0, 1]
};

// How long people may wait for the machine after a break.
struct ReturnGoal {
    Seconds first_stall{0.1};  // in all until the first interaction is done
    Seconds whole_stall{1.0};  // in all in the first minute
};

class ReturnBurst {
public:
    enum Phase : std::uint8_t { first_interaction, first_minute };  // the second includes the first
    static constexpr std::size_t nr_phases = 2;

    ReturnBurst(const ReturnParameters& parameters, Pages bucket_pages, std::size_t nr_buckets);
    void set_parameters(const ReturnParameters& parameters) { parameters_ = parameters; }

    // Ends an epoch with its accesses. busy: more than noise. idle_before: of the epoch, until somebody was seen to come back; 0
    // if it ended for another reason.
    void end_epoch(const BackedHistogram& accesses, Seconds length, bool busy, Seconds idle_before);

    // Whether the first minute of a return lasts.
    [[nodiscard]] bool under_way() const { return since_return_.has_value(); }

    // Returns that the histograms are made from.
    [[nodiscard]] unsigned returns() const { return returns_; }
    // Accesses in a return; all zero until there was one.
    [[nodiscard]] const BackedHistogram& accesses(Phase phase) const { return learned_[phase]; }

    // The smallest opaque memory with which a return keeps to the goal, rounded up to a bucket; 0 before the first return.
    // latency: seconds that a miss takes.
    [[nodiscard]] Pages opaque_need(const ReturnGoal& goal, const ByBacking& latency, Pages total) const;

    // Other buckets from now on, for a machine of another size.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets);

    void restore(unsigned returns, const std::array<BackedHistogram, nr_phases>& accesses);

private:
    void learn(Phase phase);

    ReturnParameters parameters_;
    std::array<BackedHistogram, nr_phases> learned_;
    BackedHistogram current_;
    unsigned returns_ = 0;
    Seconds idle_{0};
    std::optional<Seconds> since_return_;  // while the first minute lasts
    bool first_learned_ = false;           // of this return
};

}  // namespace tmm::core
