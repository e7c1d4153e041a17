// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TimeLapse: lets time pass faster for tmmd than on the machine's clocks, for experiments: hours of learning fit into minutes.
// The wall clock stays, so that other records can be laid beside tmmd's. A plain value; pure.
#pragma once

#include <cstdint>

#include "tmmd/core/moment.hpp"

namespace tmm::app {

class TimeLapse {
public:
    // Keeps a lapsed clock in range for a hundred days of the machine's.
    static constexpr std::int64_t max_factor = 1000;

    // factor: seconds that pass for tmmd in each, from 1 to max_factor. 1: the machine's clocks.
    explicit TimeLapse(std::int64_t factor = 1) : factor_(factor) {}

    [[nodiscard]] std::int64_t factor() const { return factor_; }

    // Converts a reading of the machine's clocks. real: not before the one of rebase().
    [[nodiscard]] core::Moment at(core::Moment real) const {
        real.awake = awake_ + (real.awake - real_awake_) * factor_;
        real.elapsed = elapsed_ + (real.elapsed - real_elapsed_) * factor_;
        return real;
    }

    // Changes the factor from that moment on. Time goes on from where it is: it neither jumps nor goes back.
    void rebase(std::int64_t factor, const core::Moment& real) {
        const core::Moment now = at(real);
        awake_ = now.awake;
        elapsed_ = now.elapsed;
        real_awake_ = real.awake;
        real_elapsed_ = real.elapsed;
        factor_ = factor;
    }

private:
    std::int64_t factor_;
    // The same moment on both: where the factor began.
    core::AwakeTime awake_{};
    core::ElapsedTime elapsed_{};
    core::AwakeTime real_awake_{};
    core::ElapsedTime real_elapsed_{};
};

}  // namespace tmm::app
