// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_order.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace tmm::core {
namespace {

TEST(ReadBackOrder, ProcessesThatFetchPagesComeFirst) {
    std::vector<ProcessUse> processes{{.pid = 1, .faults = 0, .ticks = 900, .started = 10},
                                      {.pid = 2, .faults = 5, .ticks = 1, .started = 20},
                                      {.pid = 3, .faults = 0, .ticks = 0, .started = 30},
                                      {.pid = 4, .faults = 0, .ticks = 0, .started = 40},
                                      {.pid = 5, .faults = 0, .ticks = 950, .started = 5}};
    put_most_recent_first(processes);
    std::vector<std::int32_t> pids;
    for (const ProcessUse& one : processes)
        pids.push_back(one.pid);
    EXPECT_EQ(pids, (std::vector<std::int32_t>{2, 5, 1, 4, 3}));
}

TEST(ReadBackOrder, MappingsInUseComeFirst) {
    std::vector<MappingUse> mappings{{.begin = 1, .resident = Bytes(0), .referenced = Bytes(0)},
                                     {.begin = 2, .resident = Bytes(100), .referenced = Bytes(0)},
                                     {.begin = 3, .resident = Bytes(1000), .referenced = Bytes(500)},
                                     {.begin = 4, .resident = Bytes(10), .referenced = Bytes(10)},
                                     {.begin = 5, .resident = Bytes(50), .referenced = Bytes(0)}};
    put_most_recent_first(mappings);
    std::vector<std::uint64_t> begins;
    for (const MappingUse& one : mappings)
        begins.push_back(one.begin);
    EXPECT_EQ(begins, (std::vector<std::uint64_t>{4, 3, 2, 5, 1}));
}

}  // namespace
}  // namespace tmm::core
