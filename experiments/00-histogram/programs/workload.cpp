// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload.hpp"

#include <algorithm>
#include <cmath>

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::histogram {

namespace {

constexpr unsigned references_per_visit = 4;

// Own distributions, since those of std differ between libraries.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(core::mixed(seed)) {}
    // In [0, 1).
    double uniform() { return static_cast<double>(core::mixed(++state_) >> 11) * 0x1p-53; }
    std::uint64_t below(std::uint64_t limit) { return static_cast<std::uint64_t>(uniform() * static_cast<double>(limit)); }

private:
    std::uint64_t state_;
};

// Pages with the popularity 1 / rank^exponent.
class Zipf {
public:
    Zipf(std::uint64_t pages, double exponent) {
        double sum = 0;
        for (std::uint64_t rank = 1; rank <= pages; ++rank)
            up_to_.push_back(sum += std::pow(static_cast<double>(rank), -exponent));
    }
    std::uint64_t page(Random& random) const {
        const double wanted = random.uniform() * up_to_.back();
        return static_cast<std::uint64_t>(std::upper_bound(up_to_.begin(), up_to_.end(), wanted) - up_to_.begin());
    }

private:
    std::vector<double> up_to_;
};

std::uint64_t share_of(const Shape& shape, double share) {
    return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(shape.memory_pages)));
}

// Calls visit(n) for the n-th visit from from_s to to_s, rate a second, and emits the page that it returns.
template <typename NextPage>
void at_rate(double rate, double from_s, double to_s, const Emit& emit, NextPage next_page) {
    const auto nr_visits = static_cast<std::uint64_t>((to_s - from_s) * rate);
    for (std::uint64_t n = 0; n < nr_visits; ++n) {
        const double t_s = from_s + static_cast<double>(n) / rate;
        emit({static_cast<std::uint64_t>(t_s * 1e6), next_page(n), references_per_visit});
    }
}

void zipf(const Shape& shape, const Emit& emit) {
    Random random(shape.seed);
    const Zipf pages(share_of(shape, 0.6), 0.9);
    at_rate(shape.visits_per_s, 0, shape.seconds, emit, [&](std::uint64_t) { return pages.page(random); });
}

// A loop takes a twentieth of the time.
void loop(const Shape& shape, const Emit& emit) {
    const std::uint64_t length = share_of(shape, 0.4) + shape.seed;
    const double rate = static_cast<double>(length) / (shape.seconds / 20);
    at_rate(rate, 0, shape.seconds, emit, [&](std::uint64_t n) { return n % length; });
}

// Two applications in turn, a tenth of the time each; they share pages.
void phases(const Shape& shape, const Emit& emit) {
    Random random(shape.seed);
    const Zipf pages(share_of(shape, 0.35), 0.6);
    const std::uint64_t other_start = share_of(shape, 0.25);
    const auto per_phase = static_cast<std::uint64_t>(shape.visits_per_s * shape.seconds / 10);
    at_rate(shape.visits_per_s, 0, shape.seconds, emit,
            [&](std::uint64_t n) { return pages.page(random) + (n / per_phase % 2 == 0 ? 0 : other_start); });
}

// An application, and a file that does not fit beside it and is read through five times.
void scans(const Shape& shape, const Emit& emit) {
    Random random(shape.seed);
    const Zipf pages(share_of(shape, 0.3), 0.8);
    const std::uint64_t file_start = share_of(shape, 1);
    const std::uint64_t file_pages = share_of(shape, 0.5);
    const std::uint64_t every = static_cast<std::uint64_t>(shape.visits_per_s * shape.seconds / 5);
    std::uint64_t next_of_file = 0;
    at_rate(shape.visits_per_s, 0, shape.seconds, emit, [&](std::uint64_t n) {
        if (n % every == every / 2)
            next_of_file = 0;
        // Every second visit reads on, from the middle of each fifth of the time on.
        const bool reads = n >= every / 2 && n % 2 == 0 && next_of_file < file_pages;
        return reads ? file_start + next_of_file++ : pages.page(random);
    });
}

// Several applications at once.
class Desk {
public:
    explicit Desk(const Shape& shape)
        : random_(shape.seed),
          hot_(share_of(shape, 0.25), 0.8),
          loop_pages_(share_of(shape, 0.15)),
          rest_pages_(share_of(shape, 0.1)) {}

    std::uint64_t next_page() {
        const double which = random_.uniform();
        if (which < 0.7)
            return hot_.page(random_);
        const std::uint64_t loop_start = std::uint64_t{1} << 32;
        if (which < 0.9)
            return loop_start + loop_position_++ % loop_pages_;
        return 2 * loop_start + random_.below(rest_pages_);
    }
    // Daemons and clocks: some pages all the time, any page now and then.
    std::uint64_t next_of_noise() {
        constexpr std::uint64_t noisy_pages = 200;
        return random_.below(4) == 0 ? hot_.page(random_) : (std::uint64_t{3} << 32) + random_.below(noisy_pages);
    }

private:
    Random random_;
    Zipf hot_;
    std::uint64_t loop_pages_;
    std::uint64_t rest_pages_;
    std::uint64_t loop_position_ = 0;
};

constexpr double noise_per_s = 8;  // the paper's filter (section 2.5) takes up to ten a second for noise

void work_break_work(const Shape& shape, double break_s, const Emit& emit) {
    Desk desk(shape);
    const auto work = [&](std::uint64_t) { return desk.next_page(); };
    const double break_end_s = shape.seconds / 2 + break_s;
    at_rate(shape.visits_per_s, 0, shape.seconds / 2, emit, work);
    at_rate(noise_per_s, shape.seconds / 2, break_end_s, emit, [&](std::uint64_t) { return desk.next_of_noise(); });
    at_rate(shape.visits_per_s, break_end_s, break_end_s + shape.seconds / 2, emit, work);
}

void desktop(const Shape& shape, const Emit& emit) {
    work_break_work(shape, shape.seconds / 2, emit);
}

void idle(const Shape& shape, const Emit& emit) {
    work_break_work(shape, idle_s, emit);
}

}  // namespace

const std::vector<Workload>& workloads() {
    static const std::vector<Workload> all{
        {"zipf", "pages with the popularity 1/rank^0.9, 60 % of memory", zipf},
        {"loop", "a loop over 40 % of memory, twenty times", loop},
        {"phases", "two applications in turn, 35 % of memory each, 10 % of memory shared", phases},
        {"scans", "an application of 30 % of memory; a file of 50 % is read five times", scans},
        {"desktop", "applications of 50 % of memory, a break, the same again", desktop},
        {"idle", "the same with a break of 72 hours", idle},
    };
    return all;
}

std::optional<Workload> workload_named(std::string_view name) {
    const auto found =
        std::find_if(workloads().begin(), workloads().end(), [&](const Workload& workload) { return workload.name == name; });
    if (found == workloads().end())
        return std::nullopt;
    return *found;
}

}  // namespace tmm::histogram
