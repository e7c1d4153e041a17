// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.hpp"

#include <gtest/gtest.h>

namespace tmm::soft_memory {
namespace {

using Numbers = std::vector<std::uint32_t>;

TEST(Trace, NumbersTheKeysInTheirOrder) {
    const Trace trace = parse_twitter("# time, object, size, next\n0, 99, 10, 2\n0, 13053225291711363978, 20, 5\n1, 99, 30, 7\n");
    EXPECT_EQ(trace.uses, (Numbers{0, 1, 0}));
    EXPECT_EQ(trace.unit_bytes, (Numbers{640, 1280}));
}

TEST(Trace, TakesBlocksAsTheyAre) {
    const Trace trace = parse_cloud_physics("version,time,op,size,lbn\n1,5633898,2a,512,42932745\n1,5633898,28,4096,42932745");
    EXPECT_EQ(trace.uses, (Numbers{0, 0}));
    EXPECT_EQ(trace.unit_bytes, Numbers{512});
}

TEST(Trace, LeavesOutDamagedLines) {
    for (const char* csv :
         {"", "\n\n", "1", "1,2", "1,2,", "1,x,3", "1,2,0", "1,2,99999999999", "1,-2,3", "1,,3", "1,99999999999999999999999,3"})
        EXPECT_TRUE(parse_twitter(csv).uses.empty()) << csv;
}

}  // namespace
}  // namespace tmm::soft_memory
