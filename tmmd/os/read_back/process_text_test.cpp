// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/process_text.hpp"

#include <gtest/gtest.h>

namespace tmm::os {
namespace {

// A mapping without swapped pages, a heap, and one that its program gave a name.
constexpr std::string_view smaps =
    "555500000000-555500002000 r-xp 00000000 08:01 42   /usr/bin/a Swap: 9 kB\n"
    "Size:                  8 kB\nRss:                   8 kB\nReferenced:            8 kB\nSwap:                  0 kB\n"
    "555600000000-555600100000 rw-p 00000000 00:00 0    [heap]\n"
    "Size:               1024 kB\nRss:                 512 kB\nReferenced:          128 kB\nSwap:                256 kB\n"
    "SwapPss:             256 kB\nVmFlags: rd wr mr mw me ac sd\n"
    "7f0000000000-7f0000001000 rw-p 00000000 00:00 0    [anon:Rss: 7 kB]\n"
    "Rss:                   0 kB\nReferenced:            0 kB\nSwap:                  4 kB\n";

TEST(SmapsParser, KeepsMappingsWithSwappedPages) {
    SmapsParser parser;
    parser.feed(smaps);
    EXPECT_EQ(parser.found(), 1U);
    const auto found = parser.finish();
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found[0].begin, 0x555600000000U);
    EXPECT_EQ(found[0].end, 0x555600100000U);
    EXPECT_EQ(found[0].resident, Bytes(512 << 10));
    EXPECT_EQ(found[0].referenced, Bytes(128 << 10));
    EXPECT_EQ(found[0].swapped, Bytes(256 << 10));
    EXPECT_EQ(found[1].begin, 0x7f0000000000U);
    EXPECT_EQ(found[1].swapped, Bytes(4 << 10));
}

TEST(SmapsParser, PiecesMayEndAnywhere) {
    for (const std::size_t size : {1, 7, 64}) {
        SmapsParser parser;
        for (std::size_t at = 0; at < smaps.size(); at += size)
            parser.feed(smaps.substr(at, size));
        EXPECT_EQ(parser.finish().size(), 2U) << size;
    }
}

TEST(SmapsParser, NonsenseIsNoMapping) {
    SmapsParser parser;
    parser.feed("Swap: 4 kB\nxyz-5 rw-p\nSwap: 4 kB\n5-4 rw-p\nSwap: 4 kB\n-\nSwap: many\n10000000000000000-2 rw\nSwap: 1 kB\n");
    parser.feed(std::string(1 << 20, 'x'));
    EXPECT_TRUE(parser.finish().empty());
}

TEST(ProcessUse, IsReadBehindANameOfAnyKind) {
    const auto use = parse_process_use(
        7, "7 (a) R 1 1 (b) S 1 7 7 0 -1 4194560 1186 0 33 0 400 25 0 0 20 0 1 0 12345 1234567 89 18446744073709551615 1 1\n");
    ASSERT_TRUE(use);
    EXPECT_EQ(use->pid, 7);
    EXPECT_EQ(use->faults, 33U);
    EXPECT_EQ(use->ticks, 425U);
    EXPECT_EQ(use->started, 12345U);
    EXPECT_FALSE(parse_process_use(7, ""));
    EXPECT_FALSE(parse_process_use(7, "7 (a) S 1 7 7 0 -1 4194560 1186 0 33"));
    EXPECT_FALSE(parse_process_use(7, "7 (a) S 1 7 7 0 -1 4194560 1186 0 x 0 400 25 0 0 20 0 1 0 12345"));
}

TEST(Room, IsWhatZonesHaveAboveTheirHighWatermark) {
    constexpr std::string_view zones =
        "Node 0, zone      DMA\n  per-node stats\n      nr_inactive_anon 5\n  pages free     3840\n        min      66\n"
        "        low      82\n        high     98\n        spanned  4095\n        managed  3840\n        protection: (0, 1907, "
        "7837)\n"
        "Node 0, zone    DMA32\n  pages free     100000\n        high     2000\n        managed  128000\n"
        "        protection: (0, 0, 5930)\n      nr_free_pages 100000\n    cpu: 0\n              count: 100\n"
        "              high:  378\n"
        "Node 0, zone   Normal\n  pages free     5000\n        high     3000\n        managed  124160\n        protection: (0, "
        "0, 0)\n";
    // DMA keeps all; DMA32 has 100000 - 2000 - 5930, Normal 2000; a 128th of 256000 pages stays free.
    EXPECT_EQ(parse_room(zones), core::Pages(92070 + 2000 - 2000));
    EXPECT_EQ(parse_room(""), core::Pages(0));
    EXPECT_EQ(parse_room("Node 0, zone Normal\n  pages free 100\n high 200\n managed 1000\n"), core::Pages(0));
}

TEST(Disks, AreBusyWhileARequestIsUnderWay) {
    EXPECT_FALSE(is_any_disk_busy(""));
    EXPECT_FALSE(
        is_any_disk_busy("   8       0 sda 1 2 3 4 5 6 7 8 0 10 11 0 0 0 0 0 0\n   8       1 sda1 1 2 3 4 5 6 7 8 0 10 11\n"));
    EXPECT_TRUE(
        is_any_disk_busy("   8       0 sda 1 2 3 4 5 6 7 8 0 10 11 0 0 0 0 0 0\n   8       1 sda1 1 2 3 4 5 6 7 8 2 10 11\n"));
}

}  // namespace
}  // namespace tmm::os
