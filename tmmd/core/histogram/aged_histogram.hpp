// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AgedHistogram: the paper's two histograms (sections 2.4 and 2.5). The temporary one collects the accesses of a period; at its
// end it is averaged into the permanent one, unless the period held only noise. The permanent histogram holds rates (accesses a
// second): a ratio to all accesses, as in the paper, would need every access counted, and reference bits hide repeated ones. Not
// thread-safe.
#pragma once

#include <optional>

#include "tmmd/core/histogram/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

struct AgeingParameters {
    double alpha = 1.0 / 16;       // weight of one period in the permanent histogram, in (0, 1]; section 2.4
    Seconds period{600};           // t; section 2.4
    Seconds learning_period{15};   // the first period; see end_epoch()
    double learning_growth = 0.1;  // it goes on while the pages known grow by more than this share in a learning_period,
    Seconds max_learning{120};     // but not beyond that
    double noise_depth = 0.10;     // accesses at most this share of all memory deep are noise, in [0, 1); section 2.5
    double noise_rate_per_s = 10;  // a period with at most this many deeper ones a second is not averaged in; section 2.5
};

class AgedHistogram {
public:
    enum class Outcome {
        collecting,  // the period goes on
        aged,        // averaged in
        noise,       // the period's accesses were dropped: nobody used the machine
    };

    AgedHistogram(const AgeingParameters& parameters, Pages bucket_pages, std::size_t nr_buckets);

    // For the next periods; what was learned is kept.
    void set_parameters(const AgeingParameters& parameters) { parameters_ = parameters; }

    // Where this period's accesses go.
    GroupedHistogram& temporary() { return temporary_; }

    struct Epoch {
        Seconds length{0};
        Seconds active{0};     // opaque applications at work in it, see EpochSample
        Pages total_pages{0};  // memory of the machine, which the noise depth is a share of
        Pages known_pages{0};  // seen so far
        bool goal_violated =
            false;  // too many misses: average in what there is at once (section 2.4, the agile path), noise or not
    };

    // Ends an epoch. Until as much time has been averaged in as alpha stands for (period / alpha), the permanent histogram is the
    // mean over all of that time and periods are short: the first is learning_period, each later one as long as all before
    // together, at most period. The first goes on as long as new pages keep coming: they are used again later than can be known.
    Outcome end_epoch(const Epoch& epoch);

    // Accesses a second; all zero until learned().
    [[nodiscard]] const GroupedHistogram& rates() const { return permanent_; }
    // Seconds of activity in a second, over the same time.
    [[nodiscard]] double active_share() const { return active_share_; }
    [[nodiscard]] bool learned() const { return learned_time_.count() > 0; }
    [[nodiscard]] Seconds learned_time() const { return learned_time_; }

    // Other buckets from now on, for a machine of another size.
    void rebucket(Pages bucket_pages, std::size_t nr_buckets);

    // Goes on from what was learned before, with the same buckets.
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
