// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Rates: what a program did lately, for people who look at it: the means between two updates. Pure; called from one thread.
#pragma once

#include <cstdint>

#include "farmem/core/time.hpp"

namespace tmm::far {

class Rates {
public:
    // Since the program's start.
    struct Totals {
        std::uint64_t faults = 0;
        nanoseconds waited{};              // of all threads
        std::uint64_t link_bytes = 0;      // that came in for the program
        std::uint64_t all_link_bytes = 0;  // and for all
    };

    // The first update only begins.
    void update(TimePoint now, const Totals& totals) {
        if (last_ != TimePoint()) {
            const double seconds = std::chrono::duration<double>(now - last_).count();
            faults_per_second_ = static_cast<double>(totals.faults - before_.faults) / seconds;
            waiting_ = std::chrono::duration<double>(totals.waited - before_.waited).count() / seconds;
            const std::uint64_t all = totals.all_link_bytes - before_.all_link_bytes;
            link_share_ = all == 0 ? 0 : static_cast<double>(totals.link_bytes - before_.link_bytes) / static_cast<double>(all);
        }
        last_ = now;
        before_ = totals;
    }
    [[nodiscard]] TimePoint last() const { return last_; }

    [[nodiscard]] double faults_per_second() const { return faults_per_second_; }
    // How many threads waited for a page, on average.
    [[nodiscard]] double waiting() const { return waiting_; }
    // From 0 to 1.
    [[nodiscard]] double link_share() const { return link_share_; }

private:
    TimePoint last_{};
    Totals before_;
    double faults_per_second_ = 0;
    double waiting_ = 0;
    double link_share_ = 0;
};

}  // namespace tmm::far
