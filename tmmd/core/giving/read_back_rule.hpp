// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ReadBackRule: decides whether memory that opaque programs lost in a break is read back from swap when the owner returns, of
// which cgroups, and how much. Each cgroup gets back at most as much as the kernel evicted in the break. Whatever was in swap
// before, the owner had done without. ReadBackPace says when. Pure: time is an argument. Not thread-safe.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// Anonymous memory of opaque cgroups that is in swap, by cgroup.
using Swapped = std::map<std::string, Pages>;

struct ReadBackShare {
    std::string cgroup;
    Pages pages{0};  // to read back, at most

    bool operator==(const ReadBackShare&) const = default;
};

struct ReadBackInputs {
    std::optional<Seconds> idle_for;   // since somebody last touched the machine; none: not known
    std::optional<Swapped> swapped;    // now, if asks_for_swapped(); none: not known
    std::optional<Seconds> latency;    // of a read from swap; none: not measured yet
    bool reading = false;              // the latest order is under way
    bool held = false;                 // contributions stand still, and keep their memory
    bool evicting = false;             // some of it is being evicted already
    std::optional<MemoryUsage> usage;  // now, if asks_for_usage(); none: not known
};

struct ReadBackAction {
    std::vector<ReadBackShare> read;  // an order, only in the step that makes it
    bool stop = false;                // the order under way is to end, only in the step that ends it
    Pages evict{0};                   // from contributions that stand still, in one request

    bool operator==(const ReadBackAction&) const = default;
};

class ReadBackRule {
public:
    // As for ReturnRule.
    static constexpr Seconds min_break{120};
    // A return begins an order in its first minute. Programs that are used later bring their own pages.
    static constexpr Seconds minute{60};
    // An order ends after this time, however slow the disk.
    static constexpr Seconds max_reading{180};
    // Less waiting than this, if programs fetched each page by itself, is not worth the work.
    static constexpr Seconds min_waiting{1};
    // A store that is faster gains nothing: decompressing ahead (zram) takes as long as on demand, and more memory.
    static constexpr Seconds min_latency{0.00003};
    // The cgroups that lost most.
    static constexpr std::size_t max_cgroups = 16;
    // Of memory. A request to evict less is not worth it.
    static constexpr unsigned parts = 64;

    ReadBackAction step(const ReadBackInputs& inputs, AwakeTime now);

    // Return whether the next step needs these inputs, which are costly to read. idle_for: that of the next step.
    [[nodiscard]] bool asks_for_swapped(const std::optional<Seconds>& idle_for) const;
    [[nodiscard]] bool asks_for_usage() const { return began_.has_value() && !evicted_; }

private:
    [[nodiscard]] bool follow_presence(const std::optional<Seconds>& idle_for, AwakeTime now);
    [[nodiscard]] std::vector<ReadBackShare> lost(const Swapped& swapped) const;
    [[nodiscard]] ReadBackAction begin(const ReadBackInputs& inputs, AwakeTime now);
    [[nodiscard]] Pages room_to_make(const ReadBackInputs& inputs);

    bool away_ = false;
    std::optional<Swapped> before_;      // at the begin of the break
    std::optional<AwakeTime> returned_;  // in the last minute, and no order was made
    std::optional<AwakeTime> began_;     // the order under way
    Pages ordered_{0};                   // in all cgroups
    bool evicted_ = false;               // for this order
};

}  // namespace tmm::core
