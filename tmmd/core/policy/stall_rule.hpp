// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The rule by time: opaque memory may shrink as long as opaque applications wait for missed pages, beyond what they would wait
// with all of memory, at most (beta - 1) of the time that they are active. The paper's own arithmetic (section 4: 6.8 faults/s
// times 2.5 ms are 1.7 %) is such a share; its rule (BetaRule) is a ratio of misses, which allows nothing where there are few,
// and too much where there are many, and takes each backing store for the same disk. Histograms here hold seconds of waiting
// (BackedHistogram::weighted with miss latencies).
#pragma once

namespace tmm::core {

struct StallRule {
    double beta = 1.05;          // at least 1; section 2.1
    double stall_floor = 0.001;  // seconds of waiting in a second that are allowed however little the applications do, in [0, 1]

    // Seconds of avoidable waiting in a second that opaque applications may have. active_share: seconds in which they are active,
    // in a second; above 1 if several are at once.
    [[nodiscard]] double allowed_stall(double active_share) const;
};

}  // namespace tmm::core
