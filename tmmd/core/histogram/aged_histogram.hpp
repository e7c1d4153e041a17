// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AgedHistogram: holds the paper's two histograms (sections 2.4 and 2.5). The temporary histogram collects the accesses of a
// period. At the end of the period it is averaged into the permanent one, unless the period held only noise. The permanent
// histogram holds rates (accesses a second). The paper holds ratios to all accesses; these would need every access counted, and
// reference bits hide repeated ones. Pure; not thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/histogram/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct AgeingParameters {
    double alpha = 1.0 / 16;       // weight of one period in the permanent histogram, in (0, 1]; section 2.4
    Seconds period{600};           // t; section 2.4
    Seconds learning_period{15};   // the first period; see end_epoch()
    double learning_growth = 0.1;  // share: faster growth of the known pages in a learning_period prolongs the first period,
    Seconds max_learning{120};     // at most to this length
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

    // Takes effect in the next periods; the histograms are kept.
    void set_parameters(const AgeingParameters& parameters) { parameters_ = parameters; }

    // Returns the histogram that collects this period's accesses.
    GroupedHistogram& temporary() { return temporary_; }

    struct Epoch {
        Seconds length{0};
        Seconds active{0};           // processor time of opaque programs, see EpochSample
        Pages total_pages{0};        // all memory; noise_depth is a share of it
        Pages known_pages{0};        // pages known so far
        bool goal_violated = false;  // too many misses: the period ends at once, noise or not (section 2.4, the agile path)
    };

    // Ends an epoch, and the period if it is over. Returns the outcome for the period.
    //
    // Until period / alpha has been averaged in, the permanent histogram is the mean over all that time, and periods are short.
    // The first lasts learning_period, each later one as long as all before together, at most period. The first goes on while new
    // pages keep coming: their next use is not known yet.
    Outcome end_epoch(const Epoch& epoch);

    // Returns accesses a second; all zero until learned().
    [[nodiscard]] const GroupedHistogram& rates() const { return permanent_; }
    // Returns the seconds of processor time of opaque programs in a second, over the same time.
    [[nodiscard]] double active_share() const { return active_share_; }
    // Returns whether a period has been averaged in.
    [[nodiscard]] bool learned() const { return learned_time_.count() > 0; }
    // Returns the time that has been averaged in.
    [[nodiscard]] Seconds learned_time() const { return learned_time_; }

    // Changes the buckets, for a machine of another size.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets);

    // Replaces the permanent histogram by a saved one with the same buckets, and begins a new period.
    void restore(const GroupedHistogram& rates, double active_share, Seconds learned_time);

private:
    [[nodiscard]] Seconds current_period() const;
    [[nodiscard]] bool still_growing(Pages known_pages);
    [[nodiscard]] bool only_noise(Pages total_pages) const;
    void average_in(double min_weight);
    void restart_period();

    AgeingParameters parameters_;
    GroupedHistogram temporary_;
    GroupedHistogram permanent_;
    double active_share_ = 0;
    Seconds collected_time_{0};    // in the temporary histogram
    Seconds collected_active_{0};  // of it
    Seconds next_check_{0};        // of the growth, in collected time; while learning
    std::optional<Pages> known_at_check_;
    Seconds learned_time_{0};  // averaged in so far
};

}  // namespace tmm::core
