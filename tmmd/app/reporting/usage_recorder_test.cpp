// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/reporting/usage_recorder.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/temp_tree.hpp"

namespace tmm::app {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* history_path = "var/lib/tmm/history";

class UsageRecorderTest : public testing::Test {
protected:
    UsageRecorderTest() { tree_.dir("var/lib/tmm"); }

    UsageRecorder make(bool dry_run = false) {
        return {log_, storage::BackgroundSave(storage::StateFile(root_, history_path), std::launch::deferred), dry_run};
    }
    void pass(UsageRecorder& accounts, std::chrono::seconds time, std::chrono::seconds step,
              const std::optional<core::Usage>& usage) {
        for (std::chrono::seconds passed{0}; passed < time; passed += step) {
            now_.awake += step;
            now_.elapsed += step;
            now_.wall += step;
            accounts.tick(usage, stall_, now_);
        }
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    Log log_{"test", LogLevel::error, false};
    std::optional<double> stall_;
    core::Usage usage_{.opaque = 1, .transparent = 10, .free = 2, .opaque_limit = 3, .transparent_limit = 4};
    core::Moment now_{.awake = core::AwakeTime(minutes(1)),
                      .elapsed = core::ElapsedTime(minutes(1)),
                      .wall = core::WallTime(minutes(30'000'000)),
                      .local_minute = 0};
};

TEST_F(UsageRecorderTest, CountsTheTimeBetweenTicks) {
    UsageRecorder accounts = make();
    pass(accounts, seconds(61), seconds(1), usage_);
    EXPECT_DOUBLE_EQ(accounts.history().given_byte_seconds(), 600) << "the first tick only starts the clock";
}

TEST_F(UsageRecorderTest, WhatNobodyKnowsIsAGap) {
    UsageRecorder accounts = make();
    pass(accounts, seconds(60), seconds(1), std::nullopt);
    EXPECT_TRUE(accounts.history().rows(core::Resolution::minutes).empty());
    pass(accounts, seconds(10), seconds(1), usage_);
    EXPECT_DOUBLE_EQ(accounts.history().given_byte_seconds(), 100);
}

TEST_F(UsageRecorderTest, TellsTheStall) {
    UsageRecorder accounts = make();
    EXPECT_TRUE(std::isnan(accounts.stall()));
    pass(accounts, seconds(1), seconds(1), usage_);
    stall_ = 0.1;
    pass(accounts, seconds(10), seconds(10), usage_);
    EXPECT_DOUBLE_EQ(accounts.stall(), 0.1);
    EXPECT_DOUBLE_EQ(accounts.history().rows(core::Resolution::minutes).back().stall, 0.1);
}

TEST_F(UsageRecorderTest, IsSavedEveryHour) {
    UsageRecorder accounts = make();
    pass(accounts, minutes(59), seconds(10), usage_);
    EXPECT_FALSE(root_.exists(history_path));
    pass(accounts, minutes(2), seconds(10), usage_);
    EXPECT_TRUE(root_.exists(history_path));
    UsageRecorder again = make();
    again.restore();
    EXPECT_GT(again.history().given_byte_seconds(), 10.0 * 59 * 60);
}

TEST_F(UsageRecorderTest, ADryRunReadsAndSavesNothing) {
    tree_.file(history_path, "rubbish");
    UsageRecorder accounts = make(true);
    accounts.restore();
    accounts.save();
    EXPECT_EQ(tree_.text(history_path), "rubbish");
}

TEST_F(UsageRecorderTest, FaultsOfAReturnAddUpAndTheNextBeginsAnew) {
    UsageRecorder accounts = make();
    accounts.returned(5, true);
    accounts.returned(2, false);
    EXPECT_EQ(accounts.last_return_faults(), 7U);
    accounts.returned(1, true);
    EXPECT_EQ(accounts.last_return_faults(), 1U);
    pass(accounts, seconds(2), seconds(1), usage_);
    EXPECT_EQ(accounts.history().rows(core::Resolution::minutes).back().faults_after_returns, 8U);
}

}  // namespace
}  // namespace tmm::app
