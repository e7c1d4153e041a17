// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochPace: plans the length of epochs, and asks for fewer or more samples. Long epochs cost less, short ones tell more, since
// the order of pages within an epoch is unknown. Two bounds hold:
// - An epoch should touch at most a tenth of the opaque memory.
// - Scans and polls may take a share of a processor, which depends on whether the machine is in use. To keep it, epochs may
// become twice as long as their maximum.
// An idle machine is scanned every five minutes, and again as soon as opaque programs use the processor. Pure; not thread-safe.
#pragma once

#include <cstddef>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct PaceParameters {
    Seconds min_length{1};
    Seconds max_active{10};      // maximum by footprint, while the machine is not idle; costly scans may double it
    Seconds max_idle{300};       // the same while it is idle; no epoch exceeds five minutes
    double footprint = 0.10;     // share of the opaque limit that an epoch may touch, in (0, 1]
    double cpu_learning = 0.01;  // share of a processor for scans and polls, in (0, 1], while learning
    double cpu_active = 0.002;   // the same, later, in busy epochs
    double cpu_idle = 0.0002;    // the same, later, in idle epochs
    double activity = 0.05;      // processors that opaque programs use when somebody returns, above 0
    Seconds rate_period{600};    // minimum time between two changes of the sampling rate
};

class EpochPace {
public:
    // Fewer samples than the minimum blur the steps of a curve; more than the maximum add nothing.
    static constexpr std::size_t min_samples = 8'192;
    static constexpr std::size_t max_samples = 65'536;

    // An epoch that ended.
    struct Epoch {
        Seconds length{0};
        Pages footprint{0};  // weight of the pages touched in it
        Pages opaque_limit{0};
        bool busy = false;      // more than noise
        bool learning = false;  // no histogram yet
        Seconds cost{0};        // processor time of its scan and of the scan's evaluation
        Seconds poll_cost{0};   // processor time of all else since the previous scan
        std::size_t samples = 0;
    };

    explicit EpochPace(const PaceParameters& parameters) : parameters_(parameters), activity_(parameters.activity) {}
    // Plans the next epoch after the one that ended.
    void epoch_ended(const Epoch& epoch);

    // Returns the planned length of the next epoch.
    [[nodiscard]] Seconds length() const { return length_; }

    // Returns whether the current epoch should end at that age. activity: processors that opaque programs have used since
    // the last call.
    [[nodiscard]] bool due(Seconds since, double activity);

    // Returns whether activity ended the last epoch early.
    [[nodiscard]] bool woken() const { return woken_; }

    // Returns the wanted change of the sampling shift; 0 for none. +1 halves the samples, since epochs get too long. -1 doubles
    // them, since they are affordable. To be called once after each epoch.
    [[nodiscard]] int take_rate_change();

private:
    PaceParameters parameters_;
    Seconds length_{0};
    Seconds cost_{0};        // processor time of a scan, smoothed
    double poll_share_ = 0;  // processors used by all else, smoothed
    Seconds since_rate_change_{0};
    bool idle_ = false;
    bool woken_ = false;        // activity ended the last epoch early
    double wake_activity_ = 0;  // the activity that ended it
    double activity_;           // threshold that ends an idle epoch; higher after false alarms
    bool too_costly_ = false;   // epochs have to be longer than their footprint allows
    bool affordable_ = false;   // twice the samples would not make epochs longer
    std::size_t samples_ = 0;
};

}  // namespace tmm::core
