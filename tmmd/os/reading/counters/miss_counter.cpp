// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/miss_counter.hpp"

namespace tmm::os {

Result<std::uint64_t> MissCounter::read_delta(const std::vector<std::string>& transparent_cgroups) {
    auto faults = delta_.read_delta(transparent_cgroups);
    if (!faults)
        return std::move(faults).error();
    return (*faults)[0];
}

}  // namespace tmm::os
