// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AgedHistogram: the paper's two histograms (sections 2.4 and 2.5). The temporary histogram collects the accesses of a period. At
// the end of the period it is divided by their number and averaged into the permanent histogram, unless the period held only
// noise. So the permanent histogram holds shares of the accesses. An access is a page that was found used in an epoch, as in the
// paper, which reads reference bits, too. Pure; not thread-safe.
#pragma once

#include "tmmd/core/histogram/distances/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// All are the paper's.
struct AgeingParameters {
    double alpha = 1.0 / 16;       // weight of one period in the permanent histogram, in (0, 1]; section 2.4
    Seconds period{600};           // t; section 2.4
    double noise_depth = 0.10;     // share of all memory, in [0, 1): accesses at most this deep are noise; section 2.5
    double noise_rate_per_s = 10;  // a period with at most this many deeper accesses a second is noise; section 2.5
};

class AgedHistogram {
public:
    enum class Outcome {
        collecting,  // the period goes on
        aged,        // averaged in
        noise,       // nobody used the machine: the period's accesses were dropped
    };

    // bucket_pages, nr_buckets: as in LruHistogram.
    AgedHistogram(const AgeingParameters& parameters, Pages bucket_pages, std::size_t nr_buckets);

    struct Epoch {
        Seconds length{0};
        Seconds active{0};     // processor time of opaque programs, see EpochSample
        Pages total_pages{0};  // all memory; noise_depth is a share of it
        bool goal_violated =
            false;  // too many misses: this epoch alone is averaged in at once, and a period begins (section 2.4)
    };

    // Ends an epoch with its accesses, and the period if it is over. Returns the outcome for the period.
    Outcome end_epoch(const BackedHistogram& accesses, const Epoch& epoch);

    // Returns whether a period has been averaged in.
    [[nodiscard]] bool learned() const { return weight_ > 0; }
    // Returns shares of the accesses, whose sum is at most 1: the first periods leave it below, which changes no ratio.
    [[nodiscard]] const BackedHistogram& shares() const { return shares_; }
    // Returns the misses a second with so much memory; 0 until learned().
    [[nodiscard]] double misses_per_s(Pages size) const;
    // Returns the misses a second of each backing with so much memory, beyond those with total; 0 until learned().
    [[nodiscard]] ByBacking misses_beyond_per_s(Pages size, Pages total) const;
    // Returns the accesses a second, and the seconds of processor time of opaque programs in a second, as means over the same
    // periods; 0 until learned().
    [[nodiscard]] double accesses_per_s() const;
    [[nodiscard]] double active_share() const;

    // Changes the buckets, for a machine of another size.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets);

    // Replaces the permanent histogram by a saved one with the same buckets, and begins a new period. accesses: in any unit.
    void restore(const BackedHistogram& accesses, double accesses_per_s, double active_share);

private:
    [[nodiscard]] bool only_noise(Pages total_pages) const;
    void average_in();
    void restart_period();

    AgeingParameters parameters_;
    BackedHistogram temporary_;
    BackedHistogram shares_;       // the permanent histogram
    double weight_ = 0;            // sum of the shares
    double rate_ = 0;              // accesses a second, weighted as the shares
    double active_ = 0;            // the same of processor time
    Seconds collected_time_{0};    // in the temporary histogram
    Seconds collected_active_{0};  // of it
};

}  // namespace tmm::core
