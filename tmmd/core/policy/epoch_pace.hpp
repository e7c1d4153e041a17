// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochPace: how long epochs are, and whether fewer pages would do. Long epochs cost less, short ones tell more: the order of the
// pages touched within one is not known, so an epoch should touch a tenth of the opaque memory at most; and what looking costs
// the machine is kept to a share of a processor that depends on whether anybody works with it: epochs become up to twice as long
// as the longest for it. An idle machine is looked at every five minutes, and again as soon as opaque applications use the
// processor. Pure; not thread-safe.
#pragma once

#include <cstddef>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct PaceParameters {
    Seconds min_length{1};
    Seconds max_active{10};      // as far as the footprint goes; twice as long where scans are dear,
    Seconds max_idle{300};       // the same, and no epoch longer than five minutes
    double footprint = 0.10;     // share of the opaque limit that an epoch may touch, in (0, 1]
    double cpu_learning = 0.01;  // share of a processor that looking may take: until a histogram was learned,
    double cpu_active = 0.002;   // then, while opaque applications are at work,
    double cpu_idle = 0.0002;    // and while they are not; each in (0, 1]
    double activity = 0.05;      // processors that opaque applications use when somebody is back, above 0
    Seconds rate_period{600};    // the sampling rate changes at most so often
};

class EpochPace {
public:
    // Fewer samples than the first say too little of a curve's steps, more than the second say nothing new.
    static constexpr std::size_t min_samples = 8'192;
    static constexpr std::size_t max_samples = 65'536;

    // An epoch that ended.
    struct Epoch {
        Seconds length{0};
        Pages footprint{0};  // weight of the pages touched in it
        Pages opaque_limit{0};
        bool busy = false;      // more than noise
        bool learning = false;  // no histogram yet
        Seconds cost{0};        // processor time that its scan took, with what was made of it,
        Seconds poll_cost{0};   // and all else since the scan before
        std::size_t samples = 0;
    };

    explicit EpochPace(const PaceParameters& parameters) : parameters_(parameters), activity_(parameters.activity) {}
    void set_parameters(const PaceParameters& parameters);

    void epoch_ended(const Epoch& epoch);

    // The next epoch is planned to be so long.
    [[nodiscard]] Seconds length() const { return length_; }

    // Whether the epoch that began so long ago should end now. activity: processors that opaque applications have used since this
    // was asked last.
    [[nodiscard]] bool due(Seconds since, double activity);

    // Whether somebody's activity was why the last epoch was due.
    [[nodiscard]] bool woken() const { return woken_; }

    // +1: half as many samples would do better, -1: twice as many can be had, 0: as they are. Asked once after each epoch.
    [[nodiscard]] int take_rate_change();

private:
    PaceParameters parameters_;
    Seconds length_{0};
    Seconds cost_{0};        // of a scan, smoothed
    double poll_share_ = 0;  // processors that all else takes, smoothed
    Seconds since_rate_change_{0};
    bool idle_ = false;
    bool woken_ = false;        // the epoch at hand ended before its time
    double wake_activity_ = 0;  // by this activity
    double activity_;           // what counts as somebody back; higher after false alarms
    bool too_costly_ = false;   // the last epochs had to be longer than their footprint allows
    bool affordable_ = false;   // twice the samples would not make them longer
    std::size_t samples_ = 0;
};

}  // namespace tmm::core
