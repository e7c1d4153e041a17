// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// NeedRule: tells how much memory opaque programs need. PaperRule and ReuseRule are the two objectives. Policy asks the one in
// force. Both learn all the time, whichever is in force: the objective may change. Pure; not thread-safe.
#pragma once

#include <vector>

#include "tmmd/core/histogram/distances/backed_histogram.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The accesses of opaque programs in an epoch.
struct EpochAccesses {
    BackedHistogram positions;  // refaults so far, at the end of the epoch all
    double refaults = 0;
    Seconds length{0};
    Seconds active{0};      // processor time of opaque programs
    bool attended = false;  // somebody was at the machine

    // Begins the next epoch.
    void clear() {
        positions.clear();
        refaults = 0;
        length = active = Seconds(0);
        attended = false;
    }
};

struct OpaqueNeed {
    Pages pages{0};             // of opaque programs
    Pages wanted{0};            // the need with what may be wrong about it; maybe more than all memory
    Pages min_opaque{0};        // opaque programs keep it in any case
    bool by_histogram = false;  // the need follows the histogram
};

class NeedRule {
public:
    virtual ~NeedRule() = default;

    // Returns whether enough is known to limit opaque memory.
    [[nodiscard]] virtual bool learned() const = 0;

    // Returns whether the misses of the epoch that ends are more than the rule permits. total: all memory.
    [[nodiscard]] virtual bool goal_violated(const EpochAccesses& epoch, Pages total) const = 0;

    // Returns the need of now, once learned(). total: all memory.
    [[nodiscard]] virtual OpaqueNeed need(Pages total) const = 0;

    // As the members of Policy with these names.
    [[nodiscard]] virtual bool outgrown(const MemoryUsage& usage, Pages evicted) const = 0;
    [[nodiscard]] virtual std::vector<CgroupKeeps> kept_by_cgroup() const = 0;
    [[nodiscard]] virtual std::vector<CgroupKeeps> protected_by_cgroup() const = 0;
};

}  // namespace tmm::core
