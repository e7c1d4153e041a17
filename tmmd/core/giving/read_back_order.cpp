// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_order.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace tmm::core {

namespace {

double used_share(const MappingUse& mapping) {
    return mapping.resident > Bytes(0) ? ratio(mapping.referenced, mapping.resident) : -1;
}

}  // namespace

void put_most_recent_first(std::span<ProcessUse> processes) {
    std::ranges::stable_sort(processes, std::greater(),
                             [](const ProcessUse& one) { return std::tuple(one.faults, one.ticks, one.started); });
}

void put_most_recent_first(std::span<MappingUse> mappings) {
    std::ranges::stable_sort(mappings, std::greater(), used_share);
}

}  // namespace tmm::core
