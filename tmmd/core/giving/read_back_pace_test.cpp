// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/read_back_pace.hpp"

#include <gtest/gtest.h>

namespace tmm::core {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

class ReadBackPaceTest : public testing::Test {
protected:
    ReadBackPaceTest() {
        signs_.waited = Seconds(0);
        signs_.room = Pages(100'000);
    }
    // Whatever may be read is read.
    Pages look_after(milliseconds time) {
        const Pages pages = pace_.step(signs_, now_ += time);
        if (pages > Pages(0))
            pace_.issue(pages, now_);
        return pages;
    }
    // Lets the head start pass.
    void settle() {
        for (int i = 0; i <= 20; ++i)
            first_ = look_after(milliseconds(50));
    }
    // The disk works on a step for so long; then comes the next one.
    Pages step_that_takes(milliseconds time) {
        signs_.disk_busy = true;
        EXPECT_EQ(look_after(milliseconds(1)), Pages(0));
        signs_.disk_busy = false;
        return look_after(time - milliseconds(1));
    }

    ReadBackPace pace_{Pages(256)};
    ReadBackSigns signs_;
    AwakeTime now_{hours(1)};
    Pages first_{0};
};

TEST_F(ReadBackPaceTest, TheOwnerHasAHeadStart) {
    for (int i = 0; i < 20; ++i)
        EXPECT_EQ(look_after(milliseconds(50)), Pages(0));
    EXPECT_EQ(look_after(milliseconds(50)), Pages(64));
}

TEST_F(ReadBackPaceTest, NothingIsReadWhileProgramsWait) {
    settle();
    *signs_.waited += Seconds(0.006);
    EXPECT_EQ(look_after(milliseconds(50)), Pages(0)) << "12 % of 50 ms";
    EXPECT_EQ(look_after(milliseconds(49)), Pages(0)) << "no look yet";
    EXPECT_GT(look_after(milliseconds(1)), Pages(0)) << "nobody waited";
    *signs_.waited += Seconds(0.005);
    EXPECT_GT(look_after(milliseconds(50)), Pages(0)) << "10 % are no stall";
}

TEST_F(ReadBackPaceTest, WithoutAMeasureOfWaitingNothingIsRead) {
    settle();
    signs_.waited.reset();
    EXPECT_EQ(look_after(milliseconds(50)), Pages(0));
    signs_.waited = Seconds(0);
    EXPECT_EQ(look_after(milliseconds(50)), Pages(0)) << "the first look tells nothing";
    EXPECT_GT(look_after(milliseconds(50)), Pages(0));
}

TEST_F(ReadBackPaceTest, ABusyDiskIsLeftAlone) {
    settle();
    signs_.disk_busy = true;
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(look_after(milliseconds(50)), Pages(0));
}

TEST_F(ReadBackPaceTest, StepsFitTheDisk) {
    settle();
    EXPECT_EQ(first_, Pages(64));
    EXPECT_EQ(step_that_takes(milliseconds(24)), Pages(128));
    EXPECT_EQ(step_that_takes(milliseconds(10)), Pages(256));
    EXPECT_EQ(step_that_takes(milliseconds(10)), Pages(256)) << "the largest step";
    EXPECT_EQ(step_that_takes(milliseconds(40)), Pages(256)) << "as long as it should";
    for (const std::uint64_t pages : {128, 64, 32, 16, 16})
        EXPECT_EQ(step_that_takes(milliseconds(51)), Pages(pages));
}

TEST_F(ReadBackPaceTest, OnlyWholeStepsTellOfAFastDisk) {
    settle();
    pace_.issue(Pages(63), now_);
    EXPECT_EQ(step_that_takes(milliseconds(5)), Pages(64));
    for (int i = 0; i < 10; ++i)
        EXPECT_EQ(pace_.step(signs_, now_ += milliseconds(10)), Pages(128)) << "nothing was read since";
    pace_.issue(Pages(5), now_);
    EXPECT_EQ(step_that_takes(milliseconds(51)), Pages(64)) << "but a small one tells of a slow disk";
}

TEST_F(ReadBackPaceTest, FullMemoryIsNotReadInto) {
    settle();
    signs_.room = Pages(63);
    EXPECT_EQ(look_after(milliseconds(30)), Pages(0));
    signs_.room = Pages(64);
    EXPECT_EQ(look_after(milliseconds(30)), Pages(64));
}

}  // namespace
}  // namespace tmm::core
