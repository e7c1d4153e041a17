// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/refault_counters.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace tmm::os {

namespace {

constexpr std::array<std::string_view, 4> counter_names{"pgsteal_kswapd", "pgsteal_direct", "workingset_refault_anon",
                                                        "workingset_refault_file"};

}  // namespace

RefaultCounters::RefaultCounters(const RootDir& root) : counters_(root, counter_names) {}

Result<RefaultCounts> RefaultCounters::poll(const std::vector<std::string>& transparent_cgroups) {
    const auto counts = counters_.read_delta(transparent_cgroups);
    if (!counts)
        return counts.error();
    const std::uint64_t evicted = (*counts)[0] + (*counts)[1];
    evictions_ += evicted;
    refaults_ = (*counts)[2] + (*counts)[3];
    const std::uint64_t gone = gone_ + evicted;
    gone_ = gone - std::min(refaults_, gone);
    return RefaultCounts{core::Pages(std::max<std::uint64_t>(gone, 1)), {&refaults_, 1}, evictions_};
}

}  // namespace tmm::os
