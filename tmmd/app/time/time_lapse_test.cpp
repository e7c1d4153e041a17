// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/time/time_lapse.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "tmmd/core/policy/policy.hpp"

namespace tmm::app {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;

core::Moment machine_at(nanoseconds time) {
    return {.awake = core::AwakeTime(time),
            .elapsed = core::ElapsedTime(time + hours(8)),
            .wall = core::WallTime(std::chrono::floor<std::chrono::microseconds>(time) + hours(500'000)),
            .local_minute = 754};
}

TEST(TimeLapse, AFactorOfOneIsTheMachinesTime) {
    const core::Moment machine = machine_at(minutes(3));
    const core::Moment moment = TimeLapse().at(machine);
    EXPECT_EQ(moment.awake, machine.awake);
    EXPECT_EQ(moment.elapsed, machine.elapsed);
}

TEST(TimeLapse, BothClocksRunFasterAndTheWallClockDoesNot) {
    const TimeLapse lapse(30);
    const core::Moment before = lapse.at(machine_at(minutes(3)));
    const core::Moment after = lapse.at(machine_at(minutes(3) + seconds(2)));
    EXPECT_EQ(after.awake - before.awake, minutes(1));
    EXPECT_EQ(after.elapsed - before.elapsed, minutes(1));
    EXPECT_EQ(after.wall - before.wall, seconds(2));
    EXPECT_EQ(after.local_minute, 754U);
}

TEST(TimeLapse, AnotherFactorNeitherJumpsNorGoesBack) {
    TimeLapse lapse(1000);
    nanoseconds machine = hours(30);
    core::Moment last = lapse.at(machine_at(machine));
    for (const std::int64_t factor : {1, 7, 1, 1000, 30, 1}) {
        lapse.rebase(factor, machine_at(machine));
        EXPECT_EQ(lapse.factor(), factor);
        const core::Moment at_once = lapse.at(machine_at(machine));
        EXPECT_EQ(at_once.awake, last.awake);
        EXPECT_EQ(at_once.elapsed, last.elapsed);
        for (const nanoseconds step : {nanoseconds(1), nanoseconds(999'999'999), nanoseconds(minutes(7))}) {
            machine += step;
            const core::Moment now = lapse.at(machine_at(machine));
            EXPECT_EQ(now.awake - last.awake, step * factor);
            EXPECT_EQ(now.elapsed - last.elapsed, step * factor);
            last = now;
        }
    }
}

TEST(TimeLapse, AHundredDaysAreInRange) {
    const TimeLapse lapse(TimeLapse::max_factor);
    EXPECT_EQ(lapse.at(machine_at(hours(2400))).awake.time_since_epoch(), hours(2'400'000));
}

// A day at a machine: two sets of memory for two hours, one of them for 20 hours, then both.
struct Day {
    static constexpr minutes epoch{1};
    static constexpr int nr_epochs = 24 * 60;
    static constexpr core::PageKey set = 300;
    static constexpr std::uint32_t weight = 64;

    static core::EpochSample sample(int number) {
        const bool both = number < 120 || number >= 22 * 60;
        core::EpochSample sample;
        for (core::PageKey page = 0; page < (both ? 2 * set : set); ++page) {
            if (number == 0 || (page + static_cast<core::PageKey>(number)) % 3 == 0)
                sample.referenced.push_back({page, weight});
        }
        return sample;
    }
};

// Lives through the day in machine's time / factor, with `clock` for the policy. From the epoch `ends` on, both are the
// machine's.
std::vector<std::uint64_t> limits(TimeLapse clock, std::int64_t factor, int ends = Day::nr_epochs) {
    core::Policy policy(core::PolicyParameters(), core::Pages(65536));
    const core::MemoryUsage usage{core::Pages(65536), core::Pages(40000), core::Pages(1000)};
    std::vector<std::uint64_t> limits;
    std::optional<core::AwakeTime> last;
    nanoseconds machine = hours(1);
    for (int number = 0; number < Day::nr_epochs; ++number) {
        if (number == ends)
            clock.rebase(1, machine_at(machine));
        machine += number < ends ? nanoseconds(Day::epoch) / factor : nanoseconds(Day::epoch);
        const core::AwakeTime now = clock.at(machine_at(machine)).awake;
        core::EpochSample sample = Day::sample(number);
        sample.attended = last ? core::Seconds(now - *last) : core::Seconds(0);
        last = now;
        limits.push_back(policy.step(sample, usage, now).opaque_limit.count());
    }
    return limits;
}

TEST(TimeLapse, ThePolicyDecidesAsInRealTime) {
    const auto real = limits(TimeLapse(), 1);
    EXPECT_LT(real[21 * 60], real[60]) << "the day must make the policy give up the other set";
    EXPECT_EQ(limits(TimeLapse(30), 30), real);
    EXPECT_EQ(limits(TimeLapse(TimeLapse::max_factor), TimeLapse::max_factor), real);
    EXPECT_NE(limits(TimeLapse(), 30), real) << "a short day is another day";
}

TEST(TimeLapse, ItsEndForgetsNothing) {
    const auto real = limits(TimeLapse(), 1);
    for (const int ends : {1, 90, 12 * 60, 23 * 60})
        EXPECT_EQ(limits(TimeLapse(30), 30, ends), real) << ends;
}

}  // namespace
}  // namespace tmm::app
