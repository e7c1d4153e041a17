// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cachefs/blocks/readahead.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tmm::caches {
namespace {

// Reads block by block; blocks arrive `latency` reads after they were asked for. Returns how many reads waited.
int waits_of(Readahead& readahead, std::uint64_t blocks, std::uint64_t latency) {
    std::uint64_t now = 0;
    std::vector<std::uint64_t> arrives(blocks + 1000, UINT64_MAX);
    int waits = 0;
    for (std::uint64_t block = 0; block < blocks; ++block, ++now) {
        const bool is_late = arrives[block] > now;
        waits += is_late ? 1 : 0;
        if (is_late)
            now = arrives[block] = std::min(arrives[block], now + latency);
        const BlockRange range = readahead.read(block, block, is_late);
        for (std::uint64_t ahead = range.first; ahead < range.first + range.count; ++ahead)
            arrives[ahead] = now + latency;
    }
    return waits;
}

TEST(Readahead, FetchesAheadOfASequentialReader) {
    Readahead readahead(64);
    EXPECT_EQ(readahead.read(0, 0, true), (BlockRange{1, 2}));
    EXPECT_EQ(readahead.read(1, 1, false), (BlockRange{3, 1}));
    EXPECT_EQ(readahead.read(2, 2, false), (BlockRange{4, 1}));
}

TEST(Readahead, DoublesItsDepthUntilTheReaderNoLongerWaits) {
    Readahead fast(64);
    Readahead slow(64);
    EXPECT_LT(waits_of(fast, 1000, 2), 4);
    EXPECT_LE(fast.depth(), 4U);
    // Without readahead, each of the 1000 reads would wait.
    EXPECT_LT(waits_of(slow, 1000, 40), 20);
    EXPECT_EQ(slow.depth(), 64U);
}

TEST(Readahead, NeverExceedsItsBound) {
    Readahead readahead(4);
    waits_of(readahead, 100, 50);
    EXPECT_EQ(readahead.depth(), 4U);
    Readahead none(0);
    EXPECT_EQ(none.read(0, 0, true), BlockRange{});
    EXPECT_EQ(none.read(1, 1, true), BlockRange{});
}

TEST(Readahead, FetchesNoBlockTwiceInASequence) {
    Readahead readahead(32);
    std::set<std::uint64_t> seen;
    for (std::uint64_t block = 0; block < 200; ++block) {
        const BlockRange range = readahead.read(block, block, block % 3 == 0);
        for (std::uint64_t ahead = range.first; ahead < range.first + range.count; ++ahead)
            EXPECT_TRUE(seen.insert(ahead).second) << ahead;
    }
}

TEST(Readahead, AJumpEndsIt) {
    Readahead readahead(64);
    readahead.read(0, 0, true);
    readahead.read(1, 1, true);
    EXPECT_EQ(readahead.read(500, 500, true), BlockRange{});
    EXPECT_EQ(readahead.depth(), 0U);
    EXPECT_EQ(readahead.read(90, 90, true), BlockRange{});
    // It begins anew where the reader goes on.
    EXPECT_EQ(readahead.read(91, 91, true), (BlockRange{92, 2}));
}

TEST(Readahead, RandomReadsFetchNothing) {
    Readahead readahead(64);
    std::uint64_t fetched = 0;
    std::uint64_t block = 12345;
    for (int read = 0; read < 1000; ++read) {
        block = block * 6364136223846793005U + 1442695040888963407U;
        const std::uint64_t place = (block >> 33U) % 1'000'000;
        fetched += readahead.read(place, place, true).count;
    }
    EXPECT_LT(fetched, 10U);
}

TEST(Readahead, ReadsOfAPartOfABlockAndSmallDisorderAreSequential) {
    Readahead readahead(64);
    readahead.read(0, 0, true);
    readahead.read(0, 0, false);
    readahead.read(1, 2, true);
    EXPECT_NE(readahead.depth(), 0U);
    readahead.read(2, 2, false);
    readahead.read(4, 4, false);
    readahead.read(3, 3, false);
    EXPECT_NE(readahead.depth(), 0U);
}

}  // namespace
}  // namespace tmm::caches
