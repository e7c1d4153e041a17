// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/streams.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

constexpr std::uint64_t window = 32;

bool is_empty(PageRange range) {
    return range.first >= range.last;
}

TEST(StreamsTest, AThreadThatReadsOnGetsAWindowAhead) {
    Streams streams(window);
    EXPECT_TRUE(is_empty(streams.observe(1, 100).ahead));
    EXPECT_TRUE(is_empty(streams.observe(1, 101).ahead));
    const PageRange ahead = streams.observe(1, 102).ahead;
    EXPECT_EQ(ahead.first, 103U);
    EXPECT_EQ(ahead.last, 103 + window);
    EXPECT_TRUE(is_empty(streams.observe(1, 103).ahead)) << "enough is there";
    const PageRange next = streams.observe(1, 103 + window / 2).ahead;
    EXPECT_EQ(next.first, ahead.last);
}

TEST(StreamsTest, JumpsGetNothing) {
    Streams streams(window);
    for (PageNumber page = 0; page < 100'000; page += 977)
        EXPECT_TRUE(is_empty(streams.observe(1, page).ahead));
}

TEST(StreamsTest, ThreadsHaveStreamsOfTheirOwn) {
    Streams streams(window);
    PageRange first;
    PageRange second;
    for (PageNumber page = 0; page < 3; ++page) {
        first = streams.observe(1, page).ahead;
        second = streams.observe(2, 1000 + page).ahead;
    }
    EXPECT_EQ(first.first, 3U);
    EXPECT_EQ(second.first, 1003U);
}

TEST(StreamsTest, WithoutAWindowNothingComesAhead) {
    Streams streams(0);
    for (PageNumber page = 0; page < 100; ++page)
        EXPECT_TRUE(is_empty(streams.observe(1, page).ahead));
}

}  // namespace
}  // namespace tmm::far
