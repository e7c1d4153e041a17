// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StallRule: bounds the time that opaque programs wait for missed pages, beyond their wait with all of memory. Opaque memory may
// shrink while that wait is at most (beta - 1) of the time that they are active. The paper's own arithmetic (section 4: 6.8
// faults/s times 2.5 ms are 1.7 %) is such a share. Its rule (BetaRule) is a ratio of misses. It allows nothing where misses are
// few and too much where they are many, and it treats all backings alike. Histograms here hold seconds of waiting
// (BackedHistogram::weighted with miss latencies). A plain value; pure.
#pragma once

namespace tmm::core {

struct StallRule {
    double beta = 1.05;          // at least 1; section 2.1
    double stall_floor = 0.001;  // allowed seconds of waiting in a second even for inactive programs, in [0, 1]

    // Returns the seconds of avoidable waiting in a second that opaque programs may have. active_share: seconds in a second in
    // which they are active; above 1 if several are at once.
    [[nodiscard]] double allowed_stall(double active_share) const;
};

}  // namespace tmm::core
