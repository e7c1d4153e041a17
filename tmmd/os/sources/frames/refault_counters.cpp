// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/refault_counters.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tmm::os {

namespace {

constexpr std::array<std::string_view, 4> counter_names{"pgsteal_kswapd", "pgsteal_direct", "workingset_refault_anon",
                                                        "workingset_refault_file"};

}  // namespace

RefaultCounters::RefaultCounters(const RootDir& root) : counters_(root, counter_names) {}

Result<RefaultCounts> RefaultCounters::poll(const std::vector<std::string>& transparent_cgroups) {
    const auto changes = counters_.read_change(transparent_cgroups);
    if (!changes)
        return changes.error();
    const auto before = std::exchange(last_, *changes);
    std::array<std::uint64_t, counter_names.size()> counts{};
    std::transform(before.begin(), before.end(), changes->begin(), counts.begin(), [](std::int64_t seemed, std::int64_t now) {
        return static_cast<std::uint64_t>(
            std::max<std::int64_t>(std::max<std::int64_t>(seemed, 0) + std::min<std::int64_t>(now, 0), 0));
    });
    const std::uint64_t evicted = counts[0] + counts[1];
    evictions_ += evicted;
    refaults_ = counts[2] + counts[3];
    const std::uint64_t gone = gone_ + evicted;
    gone_ = gone - std::min(refaults_, gone);
    return RefaultCounts{core::Pages(std::max<std::uint64_t>(gone, 1)), {&refaults_, 1}, evictions_};
}

}  // namespace tmm::os
