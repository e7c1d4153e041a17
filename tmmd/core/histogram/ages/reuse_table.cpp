// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/ages/reuse_table.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

namespace {

constexpr Seconds first_range{30};
constexpr double ranges_per_doubling = 2;
constexpr double fewest_pages = 1;  // a range that no page has reached counts as one page's

// Starts of the ranges, and of the one beyond the last.
const std::array<double, ReuseTable::nr_ages + 1>& starts() {
    static const auto all = [] {
        std::array<double, ReuseTable::nr_ages + 1> start{};
        for (std::size_t range = 1; range < start.size(); ++range)
            start[range] = first_range.count() * std::exp2(static_cast<double>(range - 1) / ranges_per_doubling);
        return start;
    }();
    return all;
}

}  // namespace

std::size_t ReuseTable::range_of(Seconds age) {
    const auto& start = starts();
    const auto after = std::upper_bound(start.begin() + 1, start.end() - 1, age.count());
    return static_cast<std::size_t>(after - start.begin()) - 1;
}

std::array<std::size_t, nr_page_kinds> ReuseTable::ranges_of(const Times& ages) {
    const std::size_t attended = range_of(ages.attended);
    const std::size_t any = range_of(ages.any);
    std::array<std::size_t, nr_page_kinds> ranges{};
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind)
        ranges[kind] = is_away(static_cast<PageKind>(kind)) ? any : attended;
    return ranges;
}

Seconds ReuseTable::start_of(std::size_t range) {
    return Seconds(starts()[range]);
}

void ReuseTable::spread(double pages, Seconds from, Seconds to, ByAge& by_age) {
    const std::size_t first = range_of(from);
    const std::size_t last = range_of(to);
    if (first == last) {
        by_age[first] += pages;
        return;
    }
    Seconds begin = from;
    for (std::size_t range = first; range <= last; ++range) {
        const Seconds end = range < last ? start_of(range + 1) : to;
        by_age[range] += pages * ((end - begin) / (to - from));
        begin = end;
    }
}

void ReuseTable::add(const Times& passed, const ByKind& uses, const ByKind& pages) {
    const double kept = std::exp(-(passed.attended / remembered));
    time_ = {time_.attended * kept + passed.attended, time_.any * kept + passed.any};
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        const double seconds = passed.of(static_cast<PageKind>(kind)).count();
        for (std::size_t range = 0; range < nr_ages; ++range) {
            uses_[kind][range] = uses_[kind][range] * kept + uses[kind][range];
            exposure_[kind][range] = exposure_[kind][range] * kept + pages[kind][range] * seconds;
        }
    }
}

ReuseTable::ByKind ReuseTable::hazards(const ByKind& present) const {
    ByKind hazards{};
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        const auto backing = static_cast<Backing>(backing_of(static_cast<PageKind>(kind)));
        const double time_known = time_.of(static_cast<PageKind>(kind)).count();
        double coming = 0;  // pages that are no older now and will come to this age unused
        for (std::size_t range = 0; range < nr_ages; ++range) {
            const double begin = starts()[range];
            coming += present[kind][range];
            const double width = starts()[range + 1] - begin;
            const double pages = time_known > 0 ? std::max(exposure_[kind][range] / time_known, fewest_pages) : fewest_pages;
            // The first pages to come to an age do not speak for those that follow: a group has the size that it had before.
            const double followers = range > 0 && time_known > 0 ? exposure_[kind][range - 1] / time_known : 0;
            double group = std::max(pages, followers);
            double prior = prior_uses / (begin + width / 2);
            if (is_away(static_cast<PageKind>(kind))) {
                // What a job has used tells nothing of the owner, until some of it was used again.
                prior = night_share * hazards[page_kind(backing, Use::once)][range];
                group = std::max(group, coming);
            }
            group *= width;
            hazards[kind][range] = (uses_[kind][range] + group * prior) / (exposure_[kind][range] + group);
            coming *= std::exp(-hazards[kind][range] * width);
        }
    }
    return hazards;
}

ReuseTable::ByKind ReuseTable::worth(const ByKind& present) const {
    const ByKind hazard = hazards(present);
    ByKind worth{};
    for (std::size_t kind = 0; kind < nr_page_kinds; ++kind) {
        // Of a page at the start of the range: the probability of a use in it, and the mean time spent in it.
        ByAge used{};
        ByAge spent{};
        for (std::size_t range = 0; range < nr_ages; ++range) {
            used[range] = -std::expm1(-hazard[kind][range] * (starts()[range + 1] - starts()[range]));
            spent[range] = used[range] / hazard[kind][range];
        }
        for (std::size_t from = 0; from < nr_ages; ++from) {
            double unused = 1;
            double uses = 0;
            double time = 0;
            for (std::size_t range = from; range < nr_ages && unused > 1e-6; ++range) {
                uses += unused * used[range];
                time += unused * spent[range];
                unused *= 1 - used[range];
                worth[kind][from] = std::max(worth[kind][from], uses / time);
            }
        }
    }
    return worth;
}

void ReuseTable::restore(const Times& time, const ByKind& uses, const ByKind& exposure) {
    time_ = time;
    uses_ = uses;
    exposure_ = exposure;
}

}  // namespace tmm::core
