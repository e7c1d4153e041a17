// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/policy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace tmm::core {
namespace {

using std::chrono::seconds;

constexpr Pages installed(10240);  // so a histogram bucket is 10 pages

// The machine of an owner whose program loops over pages.
class Machine {
public:
    explicit Machine(PolicyParameters parameters = {}) : policy_(parameters, installed) {}

    // Ends an epoch in which the loop of length loop moves on by touched pages.
    Decision work(PageKey loop, PageKey touched, seconds length = seconds(1), Seconds idle_before = Seconds(0)) {
        EpochSample sample;
        sample.idle_before = idle_before;
        for (PageKey i = 0; i < touched; ++i) {
            sample.referenced.push_back({next_, 1});
            next_ = (next_ + 1) % loop;
        }
        return step(sample, length);
    }

    Decision idle() { return step({}); }

    // A second of the epoch that goes on.
    Decision poll() {
        EpochSample sample;
        sample.scanned = false;
        return step(sample);
    }

    // Spends one second in which pages return that were evicted distance evictions ago.
    Decision refault(Pages pages, Pages distance) { return refault(pages, distance, distance); }
    // The same, with a distance known by its bounds alone, and a time of any length.
    Decision refault(Pages pages, Pages distance_from, Pages distance_to, seconds length = seconds(1)) {
        EpochSample sample;
        sample.refaults.push_back({distance_from, distance_to, pages});
        return step(sample, length);
    }

    MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(5000)};

private:
    Decision step(const EpochSample& sample, seconds length = seconds(1)) {
        now_ += length;
        return policy_.step(sample, usage, now_);
    }

    Policy policy_;
    PageKey next_ = 0;
    AwakeTime now_{seconds(1000)};
};

Decision work_for(Machine& machine, int seconds_of_work, PageKey loop, PageKey touched) {
    Decision decision;
    for (int second = 0; second < seconds_of_work; ++second)
        decision = machine.work(loop, touched);
    return decision;
}

TEST(Policy, ProtectsAllOpaqueMemoryWhileItLearns) {
    Machine machine;
    const Decision decision = work_for(machine, 5, 3000, 600);
    EXPECT_EQ(decision.kind, DecisionKind::learning);
    EXPECT_EQ(decision.opaque_limit, Pages(10000));
    EXPECT_EQ(decision.transparent_limit, Pages(0));
    EXPECT_EQ(decision.reason, Reason());
    EXPECT_EQ(decision.reason.code, ReasonCode::learning);
}

TEST(Policy, GivesWhatTheWorkingSetLeaves) {
    Machine machine;
    const Decision decision = work_for(machine, 40, 3000, 600);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    // The loop, an epoch's uncertainty at the most, and the margin of 5 %.
    EXPECT_GE(decision.opaque_limit, Pages(3000));
    EXPECT_LE(decision.opaque_limit, Pages(3000 + 600 + 500));
    EXPECT_EQ(decision.opaque_limit + decision.transparent_limit, Pages(10000));
    EXPECT_LE(decision.expected_misses_per_s, 1.0);
    EXPECT_EQ(decision.reason.code, ReasonCode::measured);
    EXPECT_EQ(decision.reason.total, Pages(10000));
    EXPECT_EQ(decision.reason.opaque_limit, decision.opaque_limit);
    EXPECT_EQ(decision.reason.allowed, decision.transparent_limit);
    EXPECT_GE(decision.reason.need, Pages(3000));
    EXPECT_LT(decision.reason.need, decision.opaque_limit) << "the need is the limit without the margin";
    EXPECT_TRUE(decision.reason.expected_misses_per_s.has_value());
    EXPECT_FALSE(decision.reason.expected_slowdown.has_value());
}

TEST(Policy, AReturnIsNoNoiseHoweverLongTheEpochBeforeWas) {
    for (const double idle_before : {0.0, 279.0}) {
        Machine machine;
        work_for(machine, 40, 3000, 600);
        const Decision decision = machine.work(3000, 1500, seconds(280), Seconds(idle_before));
        EXPECT_EQ(decision.busy, idle_before > 0) << "ten a second are noise";
    }
    Machine machine;
    work_for(machine, 40, 3000, 600);
    EXPECT_FALSE(machine.work(3000, 1100, seconds(280), Seconds(279)).busy) << "two minutes of it may be noise";
}

TEST(Policy, AnEpochIsAsLongAsAllPollsSinceItsScan) {
    Machine machine;
    work_for(machine, 40, 3000, 600);
    for (int second = 0; second < 29; ++second)
        machine.poll();
    EXPECT_FALSE(machine.work(3000, 150).busy) << "five a second are noise";
    EXPECT_TRUE(machine.work(3000, 150).busy) << "the next epoch lasted a second";
}

TEST(Policy, ABreakDoesNotMoveTheLimit) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    Decision after = before;
    for (int second = 0; second < 3600; ++second)
        after = machine.idle();
    EXPECT_EQ(after.opaque_limit, before.opaque_limit);
}

TEST(Policy, KeepsTheMinimumForOpaqueApplications) {
    Machine machine;
    work_for(machine, 20, 1100, 600);
    machine.usage.total = Pages(40000);  // memory was added: a tenth of it is now more than the applications need
    EXPECT_EQ(machine.idle().opaque_limit, Pages(4000));
}

TEST(Policy, AvoidableMissesRaiseTheLimitAtOnce) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    machine.usage.opaque = before.opaque_limit;
    Decision after = machine.refault(Pages(500), Pages(2000));
    EXPECT_EQ(after.kind, DecisionKind::corrected);
    EXPECT_DOUBLE_EQ(after.avoidable_misses_per_s, 500);
    EXPECT_GE(after.opaque_limit, before.opaque_limit + Pages(2000));
    EXPECT_EQ(after.reason.code, ReasonCode::corrected);
    EXPECT_DOUBLE_EQ(after.reason.avoidable_misses_per_s, 500);
}

TEST(Policy, MissesThatNoLimitCouldAvoidDoNotMoveIt) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    machine.usage.opaque = Pages(4000);
    const Decision deeper_than_memory = machine.refault(Pages(500), Pages(7000));
    EXPECT_EQ(deeper_than_memory.kind, DecisionKind::measured);
    EXPECT_EQ(deeper_than_memory.avoidable_misses_per_s, 0);
    machine.usage.opaque = Pages(100);
    const Decision within_the_promise = machine.refault(Pages(500), Pages(1000));
    EXPECT_EQ(within_the_promise.avoidable_misses_per_s, 0);
    EXPECT_EQ(within_the_promise.opaque_limit, before.opaque_limit);
}

TEST(Policy, AMissThatMoreMemoryMayHaveAvoidedIsAvoidable) {
    Machine first;
    work_for(first, 40, 3000, 600);
    first.usage.opaque = Pages(4000);
    EXPECT_EQ(first.refault(Pages(500), Pages(2000), Pages(8000)).avoidable_misses_per_s, 500) << "maybe deeper than memory";
    Machine second;
    work_for(second, 40, 3000, 600);
    second.usage.opaque = Pages(1000);
    EXPECT_EQ(second.refault(Pages(500), Pages(1000), Pages(5000)).avoidable_misses_per_s, 500) << "maybe within the need";
}

TEST(Policy, AMissWithinTheMarginIsAvoidable) {
    Machine machine;
    const Pages need = work_for(machine, 40, 3000, 600).reason.need;
    machine.usage.opaque = Pages(1000);
    const Decision at_the_need = machine.refault(Pages(500), need - Pages(1000));
    EXPECT_EQ(at_the_need.avoidable_misses_per_s, 0);
    ASSERT_EQ(at_the_need.reason.need, need);
    const Pages inside = need + Pages(100);
    ASSERT_LT(inside, at_the_need.opaque_limit);
    EXPECT_EQ(machine.refault(Pages(500), inside - Pages(1000)).avoidable_misses_per_s, 500);
}

TEST(Policy, AFewMissesAreWithinTheGoal) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    machine.usage.opaque = before.opaque_limit;
    EXPECT_EQ(machine.refault(Pages(1), Pages(2000)).kind, DecisionKind::measured);
}

TEST(Policy, FollowsAChangeOfMemorySize) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    machine.usage.total = Pages(8000);
    const Decision after = machine.idle();
    EXPECT_LE(after.opaque_limit, before.opaque_limit);
    EXPECT_EQ(after.opaque_limit + after.transparent_limit, Pages(8000));
}

TEST(Policy, FollowsMemoryThatWasPluggedIn) {
    Machine machine;
    const Decision before = work_for(machine, 40, 3000, 600);
    machine.usage.total = Pages(100'000);  // ten times as much
    const Decision after = machine.idle();
    EXPECT_EQ(after.opaque_limit, Pages(10'000)) << "the old need, or a tenth of the present memory";
    EXPECT_GE(after.opaque_limit, before.opaque_limit);
    const Decision wide = work_for(machine, 2000, 60'000, 3000);  // a loop too long for a histogram of the old machine
    EXPECT_GE(wide.opaque_limit, Pages(60'000));
}

// Pages used once have no position in the stack.
TEST(Policy, KeepsWhatWasUsedUntilMoreIsKnown) {
    PolicyParameters parameters;
    parameters.ageing.period = Seconds(100);
    Policy policy(parameters, installed);
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
    AwakeTime now{};
    PageKey rare = 100'000;
    Decision decision;
    const auto work_until = [&](int second_to) {
        for (int second = 0; second < second_to; ++second) {
            EpochSample sample;
            for (PageKey key = 0; key < 1500; ++key)
                sample.referenced.push_back({key, 1});
            if (rare < 100'000 + 3000)
                for (int i = 0; i < 300; ++i)
                    sample.referenced.push_back({rare++, 1});
            decision = policy.step(sample, usage, now += seconds(1));
        }
    };
    work_until(60);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    EXPECT_GE(decision.opaque_limit, Pages(1500 + 2700 + 500));
    EXPECT_EQ(decision.reason.need_from, NeedFrom::all_used);
    work_until(200);
    EXPECT_LT(decision.opaque_limit, Pages(1500 + 2700)) << "most of those pages were never used again";
}

TEST(Policy, ANewSourceKeepsWhatWasLearnedAndForgetsThePages) {
    Policy policy({}, installed);
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
    AwakeTime now{};
    EpochSample sample;
    for (PageKey key = 0; key < 3000; ++key)
        sample.referenced.push_back({key, 1});
    Decision before;
    for (int second = 0; second < 16; ++second)  // the first starts the clock, the last ends the first period
        before = policy.step(sample, usage, now += seconds(1));
    ASSERT_EQ(before.kind, DecisionKind::measured);
    const double learned = policy.rates().accesses();
    policy.restart_sampling();
    // The same keys are new pages now. Taken for the old ones, they would count a whole loop of accesses.
    for (int second = 0; second < 30; ++second)
        policy.step(second == 0 ? sample : EpochSample{}, usage, now += seconds(1));
    EXPECT_EQ(policy.rates().accesses(), learned);
}

TEST(Policy, NewParametersKeepWhatWasLearned) {
    Policy policy({}, installed);
    PolicyParameters wide;
    wide.margin = 0.5;
    EpochSample sample;
    MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
    AwakeTime now{};
    PageKey next = 0;
    Decision decision;
    for (int second = 0; second < 40; ++second) {
        sample.referenced.clear();
        for (int i = 0; i < 600; ++i, next = (next + 1) % 3000)
            sample.referenced.push_back({next, 1});
        decision = policy.step(sample, usage, now += seconds(1));
    }
    const Pages before = decision.opaque_limit;
    policy.set_parameters(wide);
    decision = policy.step({}, usage, now += seconds(1));
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    EXPECT_EQ(decision.opaque_limit, before + Pages(4500));
}

PolicyParameters by_stall() {
    PolicyParameters parameters;
    parameters.objective = Objective::stall;
    parameters.ageing.period = Seconds(20);  // learning ends soon
    return parameters;
}

// 40 seconds of a loop of 3000 pages, 600 a second, on swap of the given latency, by applications that are active for a share of
// the time.
Decision loop_with_latency(Policy& policy, Seconds latency, double active, AwakeTime& now) {
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(5000)};
    PageKey next = 0;
    Decision decision;
    for (int second = 0; second < 40; ++second) {
        EpochSample sample;
        for (int i = 0; i < 600; ++i, next = (next + 1) % 3000)
            sample.referenced.push_back({next, 1});
        sample.active = Seconds(active);
        sample.reads[static_cast<std::size_t>(Store::swap_zram)] = {100, 100 * latency};
        decision = policy.step(sample, usage, now += seconds(1));
    }
    return decision;
}

TEST(Policy, ByStallASlowStoreMustBeSpared) {
    Policy policy(by_stall(), installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.0025), 1, now);
    EXPECT_GE(decision.opaque_limit, Pages(3000)) << "600 misses of 2.5 ms a second are more than 5 %";
    ASSERT_TRUE(decision.reason.expected_slowdown.has_value());
    EXPECT_NEAR(*decision.reason.expected_slowdown, 0, 0.0005);
}

TEST(Policy, ByStallAFastStoreNeedNotBeSpared) {
    Policy policy(by_stall(), installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.000003), 1, now);
    EXPECT_EQ(decision.opaque_limit, Pages(1000)) << "600 misses of 3 us a second are 0.2 %: the minimum is enough";
    EXPECT_NEAR(decision.expected_slowdown, 600 * 0.000003, 0.0004);
}

TEST(Policy, ByStallLittleActivityAllowsLittleWaiting) {
    Policy policy(by_stall(), installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.00001), 0.01, now);
    EXPECT_GE(decision.opaque_limit, Pages(3000)) << "6 ms of waiting for 10 ms of work";
}

TEST(Policy, ByStallTheReturnFromABreakIsSpared) {
    PolicyParameters parameters = by_stall();
    parameters.returns.min_break = Seconds(30);
    Policy policy(parameters, installed);
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(9000), .transparent = Pages(0)};
    AwakeTime now{};
    const auto step = [&](PageKey first, PageKey count) {
        EpochSample sample;
        for (PageKey key = first; key < first + count; ++key)
            sample.referenced.push_back({key, 1});
        sample.active = Seconds(100);  // so much that the steady rule allows all
        return policy.step(sample, usage, now += seconds(1));
    };
    step(0, 6000);
    Decision decision;
    for (int second = 0; second < 100; ++second)
        decision = step(8000, 1500);  // works with something else
    for (int second = 0; second < 60; ++second)
        decision = step(0, 0);
    const Pages before = decision.opaque_limit;
    for (PageKey second = 0; second < 61; ++second)
        decision = step(100 * second, 100);  // returns to deep pages
    EXPECT_EQ(policy.returns().returns(), 1U);
    EXPECT_LT(before, Pages(3000));
    EXPECT_GT(decision.opaque_limit, Pages(6000));
    EXPECT_EQ(decision.reason.need_from, NeedFrom::a_return);
}

// A second in which pages return that were 6000 to 7000 pages deep. anonymous: share of them.
Decision refault_of(Policy& policy, Pages pages, double anonymous, AwakeTime& now) {
    EpochSample sample;
    sample.refaults.push_back({Pages(2000), Pages(3000), pages});
    sample.anonymous_refaults = anonymous;
    return policy.step(sample, {.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)}, now += seconds(1));
}

TEST(Policy, RefaultsCountForTheirBacking) {
    Policy policy({}, installed);
    AwakeTime now{};
    loop_with_latency(policy, Seconds(0.0025), 1, now);
    ASSERT_EQ(refault_of(policy, Pages(400), 0.25, now).kind, DecisionKind::corrected);
    const double anonymous = policy.rates().of(Backing::anonymous).misses(Pages(5000));
    EXPECT_GT(anonymous, 0);
    EXPECT_NEAR(policy.rates().of(Backing::file).misses(Pages(5000)), 3 * anonymous, 1e-9);
}

TEST(Policy, ByStallARefaultCostsTheLatencyOfItsBacking) {
    for (const double anonymous : {0.0, 1.0}) {
        Policy policy(by_stall(), installed);
        AwakeTime now{};
        loop_with_latency(policy, Seconds(0.000003), 1, now);  // files were never read, so they count as slow
        const Decision decision = refault_of(policy, Pages(400), anonymous, now);
        EXPECT_EQ(decision.kind, anonymous > 0 ? DecisionKind::measured : DecisionKind::corrected);
    }
}

TEST(Policy, ExpectedSlowdownIsAtMostAllOfTheTime) {
    PolicyParameters parameters = by_stall();
    parameters.objective = Objective::beta;
    parameters.rule.miss_floor_per_s = 1000;
    Policy policy(parameters, installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.0025), 0.1, now);
    EXPECT_GT(decision.expected_misses_per_s, 500) << "more than a second of waiting in each second";
    EXPECT_DOUBLE_EQ(decision.expected_slowdown, 1);
}

TEST(Policy, LooksBetweenScansWhetherTheGoalIsKept) {
    Policy policy({}, installed);
    AwakeTime now{};
    const Decision before = loop_with_latency(policy, Seconds(0.0025), 1, now);
    const MemoryUsage usage{.total = Pages(10000), .opaque = before.opaque_limit, .transparent = Pages(5000)};
    EpochSample polled;
    polled.scanned = false;
    const Decision quiet = policy.step(polled, usage, now += seconds(1));
    EXPECT_EQ(quiet.kind, DecisionKind::measured);
    polled.refaults.push_back({Pages(2000), Pages(2000), Pages(500)});
    const Decision after = policy.step(polled, usage, now += seconds(1));
    EXPECT_EQ(after.kind, DecisionKind::corrected);
    EXPECT_GE(after.opaque_limit, before.opaque_limit + Pages(2000));
}

TEST(Policy, ASmallSampleWidensTheMargin) {
    PolicyParameters sure;
    sure.confidence = 0;
    PolicyParameters unsure;
    unsure.confidence = 20;
    AwakeTime now{};
    Policy first(sure, installed);
    Policy second(unsure, installed);
    const Decision narrow = loop_with_latency(first, Seconds(0.0025), 1, now);
    const Decision wide = loop_with_latency(second, Seconds(0.0025), 1, now);
    EXPECT_GT(wide.opaque_limit, narrow.opaque_limit);
    EXPECT_GT(wide.reason.uncertainty, Pages(0));
}

// A loop of one sample an epoch, so positions are exact. Four sub-groups have ten samples, four have twenty.
Decision loop_over_unequal_groups(const PolicyParameters& parameters) {
    constexpr std::size_t nr_samples = 4 * 10 + 4 * 20;
    std::array<std::size_t, GroupedHistogram::nr_groups> members{};
    std::vector<PageKey> loop;
    for (PageKey key = 0; loop.size() < nr_samples; ++key) {
        const std::size_t group = GroupedHistogram::group_of(key);
        if (members[group] < (group < 4 ? 10U : 20U)) {
            ++members[group];
            loop.push_back(key);
        }
    }
    Policy policy(parameters, installed);
    AwakeTime now{};
    Decision decision;
    for (std::size_t second = 0; second < 3 * nr_samples; ++second) {
        EpochSample sample;
        sample.referenced.push_back({loop[second % nr_samples], 40});
        const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4800), .transparent = Pages(0)};
        decision = policy.step(sample, usage, now += seconds(1));
    }
    return decision;
}

PolicyParameters with_margin(double margin, double confidence) {
    PolicyParameters parameters;
    parameters.ageing.period = Seconds(15);  // learning ends soon
    parameters.margin = margin;
    parameters.confidence = confidence;
    return parameters;
}

TEST(Policy, UncertaintyIsTheStandardErrorOfTheSubGroups) {
    const Decision decision = loop_over_unequal_groups(with_margin(0, 1));
    ASSERT_EQ(decision.kind, DecisionKind::measured);
    EXPECT_EQ(decision.reason.need, Pages(4770)) << "119 other samples of 40 pages, up to the end of the bucket";
    // Each sub-group estimates 8 * 40 * 9 or 8 * 40 * 19 pages: 1600 from the mean. The variance is 8 * 1600^2 / 7.
    EXPECT_NEAR(decision.reason.uncertainty.as_double(), 1600 / std::sqrt(7), 1);
    EXPECT_NEAR(loop_over_unequal_groups(with_margin(0, 2)).reason.uncertainty.as_double(), 2 * 1600 / std::sqrt(7), 1);
}

TEST(Policy, TheMarginAndTheUncertaintyAreNotAdded) {
    const Decision certain = loop_over_unequal_groups(with_margin(0.10, 1));
    EXPECT_EQ(certain.opaque_limit, Pages(4770 + 1000)) << "the margin covers the uncertainty";
    const Decision uncertain = loop_over_unequal_groups(with_margin(0.05, 1));
    EXPECT_EQ(uncertain.opaque_limit, Pages(4770 + 605)) << "the uncertainty exceeds the margin";
}

TEST(Policy, AnEpochThatWasInterruptedCountsAsTheLongest) {
    Machine machine;
    machine.usage.opaque = work_for(machine, 40, 3000, 600).opaque_limit;
    const Decision decision = machine.refault(Pages(6000), Pages(2000), Pages(2000), std::chrono::hours(10));
    EXPECT_DOUBLE_EQ(decision.avoidable_misses_per_s, 20) << "in five minutes";
    EXPECT_EQ(decision.kind, DecisionKind::corrected);
}

TEST(Policy, AClockThatGoesBackIsNoTime) {
    Policy policy({}, installed);
    AwakeTime now{};
    const Decision before = loop_with_latency(policy, Seconds(0.0025), 1, now);
    const Decision after =
        policy.step({}, {.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)}, now - seconds(30));
    EXPECT_EQ(after.opaque_limit, before.opaque_limit);
}

}  // namespace
}  // namespace tmm::core
