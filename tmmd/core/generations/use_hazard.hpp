// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UseHazard: learns how the odds that a page is used in the next second fall with the time since its last use: as age^-a. Counts
// tell the odds at two ages: of the pages used in the last epoch, of age T, and of all older ones. So
//     a = ln(odds of the recent / odds of the old) / mean of ln(age of the old / T)
// Memory that is used by whim has an a near 1. A loop that takes longer than T has 0: its old pages are used, its recent ones are
// not. Pure; not thread-safe.
#pragma once

namespace tmm::core {

class UseHazard {
public:
    // Counts of an epoch. The numbers are pages, none negative; log_age: mean of ln(age / T) of the old pages, not negative.
    struct Epoch {
        double recent = 0;
        double used_recent = 0;
        double old = 0;
        double used_old = 0;
        double log_age = 0;
    };

    void epoch_ended(const Epoch& epoch);

    // Returns a, in [0, 1]; 1 before there is evidence.
    [[nodiscard]] double exponent() const;

private:
    static constexpr double newest = 1.0 / 16;  // weight of the last epoch

    // Smoothed.
    Epoch mean_;
    double log_ages_ = 0;  // old pages times log_age
};

}  // namespace tmm::core
