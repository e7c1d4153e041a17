// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// FootprintTracker: estimates how many pages were used, by the time of their last use before, from footprints: the numbers of
// pages that were referenced since all reference bits were cleared. It needs no page's identity. A window has two epochs of
// length T:
//     first    R1 pages were used                     second    R2 - R1 pages were used that the first did not use
// The growth of the second is the number of old pages used in T, of pages unused for T. (Xiang, Ding, Luo, Bao: "HOTL: a
// Higher Order Theory of Locality", ASPLOS 2013: the growth of the average footprint is the miss rate of a memory of its size.)
// The bits do not tell two numbers, which it takes from the other epoch: the old pages used in the first, at least as many as
// were not recent, and all pages used in the second. So a change is known in full an epoch late. The groups are those of
// GenerationTracker. Pure; not thread-safe.
#pragma once

#include <array>
#include <map>

#include "tmmd/core/generations/generation_flow.hpp"
#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/core/generations/read_flow.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The memory of a cgroup, by backing.
struct Footprint {
    PagesByBacking resident{};
    PagesByBacking referenced{};  // since the references were cleared
    ReadFiles read{};             // apart from these; for ReadTracker

    bool operator==(const Footprint&) const = default;
};

// Moves these files' pages out of the resident pages of files that no reference tells of, and those that there are into read.
void take_read_files(std::map<CgroupId, Footprint>& footprints, const ReadFilesByCgroup& files);

class FootprintTracker {
public:
    static constexpr int epochs_per_window = 2;
    // While opaque memory is evicted, the references stay for so many epochs: reclaim judges pages by them.
    static constexpr int max_epochs_per_window = 8;

    // Ends an epoch with the footprints by now, of all opaque cgroups. In the first epoch all pages came.
    FlowByCgroup end_epoch(const std::map<CgroupId, Footprint>& footprints);

    // Returns the epochs since the references were cleared; 0 before the first time.
    [[nodiscard]] int epochs() const { return is_cleared_ ? epochs_ : 0; }
    // Returns whether the references should be cleared now. evicted: opaque pages, in the epoch that ended.
    [[nodiscard]] bool window_ended(Pages evicted) const {
        return !is_cleared_ || epochs_ >= (evicted == Pages(0) ? epochs_per_window : max_epochs_per_window);
    }
    // The references were cleared, right after end_epoch().
    void cleared();

private:
    struct Group {
        Pages resident{0};
        Pages referenced{0};  // as of the last epoch
        Pages recent{0};      // of the resident pages
        Pages used{0};        // in the first epoch of the window
        Pages growth{0};      // in the second epoch of the last window
    };
    PageFlow flow_of(Pages resident, Pages referenced, Group& group) const;

    std::map<CgroupId, std::array<Group, nr_backings>> groups_;
    int epochs_ = 0;
    bool is_cleared_ = false;
};

}  // namespace tmm::core
