// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/miss_curve.hpp"

#include <gtest/gtest.h>

namespace tmm::replay {
namespace {

TEST(MissCurve, FirstUsesMissAtEverySize) {
    MissCurve curve;
    curve.add_first_uses(10);
    curve.add(core::Pages(4), 3);
    EXPECT_EQ(curve.misses(core::Pages(0)), 13);
    EXPECT_EQ(curve.misses(core::Pages(4)), 13) << "a page with four above it misses in a memory of four";
    EXPECT_EQ(curve.misses(core::Pages(5)), 10);
    EXPECT_EQ(curve.misses(core::Pages(1 << 20)), 10);
}

TEST(MissCurve, StepsWidenWithThePositions) {
    MissCurve curve;
    curve.add(core::Pages(100), 5);
    EXPECT_EQ(curve.step(), core::Pages(1));
    curve.add(core::Pages(MissCurve::nr_steps * 8), 7);
    EXPECT_EQ(curve.step(), core::Pages(16));
    EXPECT_EQ(curve.misses(core::Pages(96)), 12);
    EXPECT_EQ(curve.misses(core::Pages(112)), 7);
    EXPECT_EQ(curve.misses(core::Pages(MissCurve::nr_steps * 8)), 7);
    EXPECT_EQ(curve.misses(core::Pages(MissCurve::nr_steps * 8 + 16)), 0);
}

TEST(MissCurve, DifferenceIsTakenAtTheSizesBothHave) {
    MissCurve left;
    MissCurve right;
    left.add(core::Pages(2), 10);   // misses up to size 2
    right.add(core::Pages(4), 10);  // up to size 4
    const CurveError error = difference(left, right, 100, core::Pages(0), core::Pages(5));
    EXPECT_DOUBLE_EQ(error.largest, 0.1);
    EXPECT_DOUBLE_EQ(error.mean, 2 * 0.1 / 5) << "they differ at the sizes 3 and 4 of 1 to 5";
    EXPECT_EQ(difference(left, right, 100, core::Pages(4), core::Pages(5)).mean, 0);
    EXPECT_EQ(difference(left, right, 100, core::Pages(5), core::Pages(5)).mean, 0) << "the range holds no size";
    right.add(core::Pages(3 * MissCurve::nr_steps), 1);
    EXPECT_DOUBLE_EQ(difference(left, right, 100, core::Pages(0), core::Pages(4)).largest, 0.11)
        << "sizes are multiples of four now";
}

}  // namespace
}  // namespace tmm::replay
