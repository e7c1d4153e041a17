// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/counters/smaps.hpp"

#include <gtest/gtest.h>

#include <string>

namespace soft::detail {
namespace {

constexpr const char* two_mappings =
    "7f0000000000-7f0000200000 rw-p 00000000 00:00 0 \n"
    "Size:               2048 kB\n"
    "Rss:                1024 kB\n"
    "AnonHugePages:         0 kB\n"
    "LazyFree:            512 kB\n"
    "VmFlags: rd wr mr mw me ac\n"
    "7f0000200000-7f0000400000 ---p 00000000 00:00 0                  [anon:other]\n"
    "Rss:                  16 kB\n"
    "LazyFree:              4 kB\n";

TEST(Smaps, TheMappingsOfARangeAreAddedUp) {
    const MappedMemory first = parse_smaps(two_mappings, 0x7f0000000000, 0x7f0000200000);
    EXPECT_EQ(first.resident_bytes, 1024U * 1024);
    EXPECT_EQ(first.lazy_free_bytes, 512U * 1024);
    const MappedMemory both = parse_smaps(two_mappings, 0x7f0000000000, 0x7f0000400000);
    EXPECT_EQ(both.resident_bytes, 1040U * 1024);
    EXPECT_EQ(both.lazy_free_bytes, 516U * 1024);
}

TEST(Smaps, OtherMappingsAreNotCounted) {
    EXPECT_EQ(parse_smaps(two_mappings, 0x600000000000, 0x7f0000000000).resident_bytes, 0U);
}

TEST(Smaps, WhatIsNotUnderstoodIsPassedOver) {
    EXPECT_EQ(parse_smaps("", 0, SIZE_MAX).resident_bytes, 0U);
    EXPECT_EQ(parse_smaps("Rss: 5 kB", 0, SIZE_MAX).resident_bytes, 0U);
    EXPECT_EQ(parse_smaps("1000-2000\nRss: many kB\nRss:\nLazyFree: 99999999999999999999999 kB\n\n\n-\n1-\nzz", 0, SIZE_MAX)
                  .resident_bytes,
              0U);
    EXPECT_EQ(parse_smaps(std::string("1000-2000 r\nRss: 3 kB"), 0, SIZE_MAX).resident_bytes, 3U * 1024);
}

}  // namespace
}  // namespace soft::detail
