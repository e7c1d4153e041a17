// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/policy/donation/day_account.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

#include "boinc-adapter/policy/donation/pace.hpp"
#include "boinc-adapter/policy/tasks/test_sizes.hpp"

namespace tmm::boinc {
namespace {

using std::chrono::seconds;

MeasuredTask measured_task(double checkpoint_s, std::uint64_t bytes = 0, const std::string& name = "a") {
    MeasuredTask measured;
    measured.task.id = {"http://project/", name};
    measured.task.is_unfinished = true;
    measured.task.active.emplace();
    measured.task.active->state = ProcessState::executing;
    measured.task.active->checkpoint_cpu = std::chrono::duration<double>(checkpoint_s);
    measured.task.active->current_cpu = std::chrono::duration<double>(checkpoint_s + 7);
    measured.resident_bytes = bytes;
    return measured;
}

MeasuredTask finished(bool is_success, double final_s) {
    MeasuredTask measured = measured_task(0);
    measured.task.is_unfinished = false;
    measured.task.is_success = is_success;
    measured.task.active.reset();
    measured.task.final_cpu = std::chrono::duration<double>(final_s);
    return measured;
}

const std::string monday = "2026-11-23";
const std::string tuesday = "2026-11-24";

TEST(DayAccount, CountsTheTimeThatReachedACheckpointSinceItSawTheTask) {
    DayAccount account;
    account.add(monday, {measured_task(100)}, seconds(0));
    EXPECT_TRUE(account.days().empty());
    account.add(monday, {measured_task(100)}, seconds(2));
    EXPECT_TRUE(account.days().empty());
    account.add(monday, {measured_task(130)}, seconds(4));
    account.add(tuesday, {measured_task(150), measured_task(1000, 0, "b")}, seconds(6));
    ASSERT_EQ(account.days().size(), 2U);
    EXPECT_EQ(account.days()[0], (DayOfWork{monday, 30, 0}));
    EXPECT_EQ(account.days()[1], (DayOfWork{tuesday, 20, 0}));
}

TEST(DayAccount, AFinishedTaskCountsAsAWholeAndAFailedOneNot) {
    DayAccount account;
    account.add(monday, {measured_task(100)}, seconds(0));
    account.add(monday, {finished(true, 160)}, seconds(2));
    account.add(monday, {finished(true, 160)}, seconds(4));
    account.add(monday, {}, seconds(6));
    EXPECT_EQ(account.days().at(0).cpu_seconds, 60);
    DayAccount other;
    other.add(monday, {measured_task(100)}, seconds(0));
    other.add(monday, {finished(false, 160)}, seconds(2));
    EXPECT_TRUE(other.days().empty());
}

TEST(DayAccount, ATaskThatLeavesMemoryCountsNothingTwice) {
    DayAccount account;
    account.add(monday, {measured_task(100)}, seconds(0));
    MeasuredTask gone = measured_task(0);
    gone.task.active.reset();
    account.add(monday, {gone}, seconds(2));
    account.add(monday, {measured_task(110)}, seconds(4));
    EXPECT_EQ(account.days().at(0).cpu_seconds, 10);
}

TEST(DayAccount, CountsMemoryOverTime) {
    DayAccount account;
    account.add(monday, {measured_task(0, 10 << 20)}, seconds(0));
    account.add(monday, {measured_task(0, 10 << 20), measured_task(0, 5 << 20, "b")}, seconds(2));
    EXPECT_EQ(account.days().at(0), (DayOfWork{monday, 0, 30 * static_cast<double>(mib)}));
    // Nobody looked for an hour; and time does not go back.
    account.add(monday, {measured_task(0, 10 << 20)}, seconds(3602));
    EXPECT_EQ(account.days().at(0), (DayOfWork{monday, 0, 330 * static_cast<double>(mib)}));
    account.add(monday, {measured_task(0, 10 << 20)}, seconds(1));
    EXPECT_EQ(account.days().at(0), (DayOfWork{monday, 0, 330 * static_cast<double>(mib)}));
}

TEST(DayAccount, CountsAllOfTheTimeAtRest) {
    DayAccount account;
    Pace pace;
    seconds now(0);
    seconds turned_at(0);
    while (now < seconds(3600)) {
        if (pace.wants_turn(true, {}, now)) {
            account.add(monday, {measured_task(0, 1 << 20)}, now);
            turned_at = now;
        }
        now += pace.interval();
    }
    EXPECT_EQ(account.days().at(0), (DayOfWork{monday, 0, static_cast<double>(turned_at.count()) * static_cast<double>(mib)}));
}

TEST(DayAccount, AnotherClientsTasksCountFromTheirOwnBeginning) {
    DayAccount account;
    account.add(monday, {measured_task(100, 1 << 20)}, seconds(0));
    account.forget_client();
    account.add(monday, {measured_task(500, 1 << 20)}, seconds(2));
    EXPECT_TRUE(account.days().empty());
}

TEST(DayAccount, KeepsTheLastDaysInOrder) {
    DayAccount account;
    const auto work = [&](const std::string& date, int second) {
        account.add(date, {measured_task(second)}, seconds(second));
        account.add(date, {measured_task(second + 0.5)}, seconds(second));
    };
    for (int day = 1; day <= 40; ++day)
        work("2026-01-" + std::string(day < 10 ? "0" : "") + std::to_string(day), day);
    EXPECT_EQ(account.days().size(), DayAccount::max_days);
    EXPECT_EQ(account.days().front().date, "2026-01-10");
    EXPECT_EQ(account.days().back().date, "2026-01-40");
    // A clock that was set back.
    work("2026-01-20", 50);
    EXPECT_EQ(account.days().size(), DayAccount::max_days);
    EXPECT_TRUE(std::ranges::is_sorted(account.days(), {}, &DayOfWork::date));
}

TEST(DaysText, ComesBackAsItWas) {
    const std::vector<DayOfWork> days{{monday, 12.5, 3e12}, {tuesday, 0, 1}};
    EXPECT_EQ(parse_days(format_days(days)).value(), days);
    EXPECT_TRUE(parse_days(format_days({})).value().empty());
}

TEST(DaysText, IsAnErrorIfItIsDamaged) {
    const std::string head = "tmm-boinc days 1\n";
    for (const std::string& text :
         {std::string(), std::string("nonsense\n"), head + "2026-11-23 1\n", head + "2026-11-23 1 2 3\n",
          head + "2026-11-23 -1 2\n", head + "2026-11-23 nan 2\n", head + "2026-11-23 1 inf\n", head + "26-11-23 1 2\n",
          head + "2026-11-23x 1 2\n", head + "2026-11-24 1 2\n2026-11-23 1 2\n", head + "2026-11-23 1 2\n2026-11-23 1 2\n",
          head + "\n"})
        EXPECT_EQ(parse_days(text).error().code(), EINVAL) << text;
    std::string many = head;
    for (int day = 10; day < 42; ++day)
        many += "2026-01-" + std::to_string(day) + " 1 2\n";
    EXPECT_EQ(parse_days(many).error().code(), EINVAL);
}

}  // namespace
}  // namespace tmm::boinc
