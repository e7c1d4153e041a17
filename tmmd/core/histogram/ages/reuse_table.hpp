// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReuseTable: learns how likely an unused page is to be used again, by its age. Age is the attended time since the last use: the
// time in which somebody was at the machine. Of pages that were last used when nobody was there it is all time: their use tells
// of the programs that ran then. The table keeps, for each kind of page and each range of ages, the uses that ended
// such an age, and the exposure: the page-seconds that pages spent at it. Their quotient is the hazard, uses a second of a page
// (the estimator of Kaplan and Meier, in ranges). Pages that are still unused count with their exposure. Old evidence fades.
//
// A range that few have passed tells little: pages that are used together leave one observation, however many they are. So each
// range starts with a prior that weighs as much as one group of its mean size passing through it. By the prior an unused page has
// the hazard prior_uses / age: the longer unused, the longer it will be.
//
// A plain value; pure; not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// How a page was used so far.
enum class Use : std::uint8_t {
    once,        // only in the epoch in which it appeared
    again,       // in another epoch, too
    away_once,   // as the first, when nobody was at the machine
    away_again,  // in another epoch, too; last when nobody was at the machine
};
inline constexpr std::size_t nr_uses = 4;

// A backing and a use in one number, below nr_page_kinds.
using PageKind = std::uint8_t;
inline constexpr std::size_t nr_page_kinds = nr_backings * nr_uses;
constexpr PageKind page_kind(Backing backing, Use use) {
    return static_cast<PageKind>(static_cast<std::size_t>(use) * nr_backings + static_cast<std::size_t>(backing));
}
constexpr std::size_t backing_of(PageKind kind) {
    return kind % nr_backings;
}
constexpr bool is_away(PageKind kind) {
    return kind / nr_backings >= static_cast<std::size_t>(Use::away_once);
}
constexpr bool is_once(PageKind kind) {
    return kind / nr_backings == static_cast<std::size_t>(Use::once);
}

class ReuseTable {
public:
    // Two ranges for each doubling of the age. The first is below 30 s; the last begins after 182 days.
    static constexpr std::size_t nr_ages = 40;
    static std::size_t range_of(Seconds age);

    // Attended time, and all time.
    struct Times {
        Seconds attended{0};
        Seconds any{0};

        Times& operator+=(const Times& other) {
            attended += other.attended;
            any += other.any;
            return *this;
        }
        friend Times operator-(const Times& left, const Times& right) {
            return {left.attended - right.attended, left.any - right.any};
        }
        bool operator==(const Times&) const = default;
        // Returns the time that counts for pages of that kind.
        [[nodiscard]] Seconds of(PageKind kind) const { return is_away(kind) ? any : attended; }
    };
    static std::size_t range_of(const Times& ages, PageKind kind) { return range_of(ages.of(kind)); }
    // Returns the range of each kind.
    static std::array<std::size_t, nr_page_kinds> ranges_of(const Times& ages);
    static Seconds start_of(std::size_t range);

    using ByAge = std::array<double, nr_ages>;
    using ByKind = std::array<ByAge, nr_page_kinds>;

    // Adds pages whose age grew from one to the other: to each range in between by its part of that time.
    static void spread(double pages, Seconds from, Seconds to, ByAge& by_age);

    static constexpr Seconds remembered{100 * 3600};  // attended time after which evidence has faded to 1/e
    static constexpr double prior_uses = 0.1;         // experiments/02-days: 0.03 to 0.3 give nearly the same
    // Of the hazard of pages used once by day: that of pages used once while nobody was there, until more is known.
    // experiments/02-days: 0.01 to 1 give nearly the same.
    static constexpr double night_share = 0.01;

    // Adds time that has passed: the uses in it, and the mean number of pages at each age.
    void add(const Times& passed, const ByKind& uses, const ByKind& pages);

    // Returns the chance of a use in the next second of that age. present: the number of pages at each age now. Those last used
    // while nobody was there are expected to be used as seldom as night_share says, unless as many have come to that age before.
    [[nodiscard]] ByKind hazards(const ByKind& present = {}) const;

    // Returns the highest rate at which keeping a page of that age pays: the maximum, over all times to come, of the uses until
    // then for each page-second until then (the index of Gittins). In uses a second.
    [[nodiscard]] ByKind worth(const ByKind& present = {}) const;

    [[nodiscard]] const Times& time() const { return time_; }
    [[nodiscard]] const ByKind& uses() const { return uses_; }
    [[nodiscard]] const ByKind& exposure() const { return exposure_; }
    void restore(const Times& time, const ByKind& uses, const ByKind& exposure);

private:
    ByKind uses_{};
    ByKind exposure_{};  // page-seconds
    Times time_;         // faded like the rest
};

}  // namespace tmm::core
