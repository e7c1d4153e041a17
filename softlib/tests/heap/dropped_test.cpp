// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/segments/dropped.hpp"

#include <gtest/gtest.h>

#include "tests/fake_os.hpp"

namespace soft::detail {
namespace {

class DroppedTest : public testing::Test {
protected:
    FakeOs os;
    SegmentSpace space{os, 600};
    Dropped dropped;

    // A segment of which `bytes` are in use, sealed.
    Segment& segment_with(std::int64_t bytes) {
        Segment& segment = *space.take_span(1, 600);
        segment.live_bytes = bytes;
        space.finish(segment);
        return segment;
    }
    static Word place_in(const Segment& segment) { return make_place(segment.base + 8, current_tag(segment.base)); }
};

TEST_F(DroppedTest, IsSubtractedByFlush) {
    Segment& segment = segment_with(1000);
    dropped.add(space, place_in(segment), 300);
    dropped.add(space, place_in(segment), 40);
    EXPECT_EQ(segment.live_bytes, 1000);
    dropped.flush(space);
    EXPECT_EQ(segment.live_bytes, 660);
    dropped.flush(space);
    EXPECT_EQ(segment.live_bytes, 660);
}

TEST_F(DroppedTest, IsSubtractedWhenItIsMuch) {
    Segment& segment = segment_with(100'000);
    dropped.add(space, place_in(segment), 20'000);
    dropped.add(space, place_in(segment), 20'000);
    EXPECT_EQ(segment.live_bytes, 60'000);
}

TEST_F(DroppedTest, SegmentsThatShareARowLoseNothing) {
    Segment& first = segment_with(1000);
    for (int i = 0; i < 255; ++i) {
        segment_with(0);
    }
    Segment& last = segment_with(1000);
    dropped.add(space, place_in(first), 100);
    dropped.add(space, place_in(last), 200);
    dropped.add(space, place_in(first), 10);
    dropped.flush(space);
    EXPECT_EQ(first.live_bytes, 890);
    EXPECT_EQ(last.live_bytes, 800);
}

TEST_F(DroppedTest, OfAnEarlierUseIsNotSubtractedFromTheNext) {
    Segment& segment = segment_with(1000);
    dropped.add(space, place_in(segment), 100);
    ASSERT_EQ(space.claim_oldest(), &segment);
    space.retire(segment);
    ASSERT_EQ(&segment_with(500), &segment);
    dropped.flush(space);
    EXPECT_EQ(segment.live_bytes, 500);
}

}  // namespace
}  // namespace soft::detail
