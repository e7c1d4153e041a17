// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/policy/policy.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "tmmd/core/policy/test_parameters.hpp"

namespace tmm::core {
namespace {

using std::chrono::seconds;

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

    Decision idle(seconds length = seconds(1)) { return step({}, length); }

    // A second of the epoch that goes on.
    Decision poll() {
        EpochSample sample;
        sample.scanned = false;
        return step(sample);
    }

    // Ends an epoch in which pages return that were evicted distance evictions ago.
    Decision refault(Pages pages, Pages distance, seconds length = seconds(1), bool scanned = true) {
        EpochSample sample;
        sample.scanned = scanned;
        sample.refaults.push_back({distance, distance, pages});
        return step(sample, length);
    }

    [[nodiscard]] const Policy& policy() const { return policy_; }
    void set_parameters(const PolicyParameters& parameters) { policy_.set_parameters(parameters); }

    MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(5000)};

private:
    // The owner is there.
    Decision step(EpochSample sample, seconds length = seconds(1)) {
        sample.attended = length;
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

constexpr int period = 600;

TEST(Policy, ProtectsAllOpaqueMemoryBeforeTheMachineWasUsed) {
    Machine machine;
    const Decision decision = work_for(machine, 5, 3000, 600);
    EXPECT_EQ(decision.kind, DecisionKind::learning) << "no page was used again";
    EXPECT_EQ(decision.opaque_limit, Pages(10000));
    EXPECT_EQ(decision.transparent_limit, Pages(0));
    EXPECT_EQ(decision.reason, Reason());
    EXPECT_EQ(work_for(machine, 5, 3000, 600).kind, DecisionKind::measured);
    Policy nobody({}, installed);
    AwakeTime now{};
    for (int second = 0; second < 1000; ++second)
        EXPECT_EQ(nobody.step({}, machine.usage, now += seconds(1)).kind, DecisionKind::learning);
}

// The paper's noise ends at 10 % of memory, but an owner may need less than that.
TEST(Policy, AnOwnerOfLittleMemoryIsAnOwner) {
    Machine machine;
    const Decision decision = work_for(machine, 5, 100, 50);
    EXPECT_FALSE(decision.busy);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    Policy nobody({}, installed);
    EpochSample sample;
    for (PageKey key = 0; key < 50; ++key)
        sample.referenced.push_back({key, 1});
    for (int second = 1; second < 5; ++second)
        EXPECT_EQ(nobody.step(sample, machine.usage, AwakeTime(seconds(second))).kind, DecisionKind::learning);
}

TEST(Policy, KeepsWhatItKnows) {
    Machine machine;
    const Decision decision = work_for(machine, 20, 1200, 600);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    EXPECT_EQ(decision.reason.need, Pages(1200));
    EXPECT_EQ(decision.opaque_wanted, Pages(1200 + 500)) << "and the margin of 5 %";
    EXPECT_EQ(decision.opaque_limit, decision.opaque_wanted);
    EXPECT_EQ(decision.transparent_limit, Pages(10000 - 1700));
    EXPECT_EQ(decision.reason.code, ReasonCode::measured);
    EXPECT_EQ(decision.reason.total, Pages(10000));
    EXPECT_EQ(decision.reason.opaque_limit, decision.opaque_limit);
    EXPECT_EQ(decision.reason.allowed, decision.transparent_limit);
    EXPECT_FALSE(decision.reason.expected_misses_per_s.has_value()) << "there is no histogram yet";
    EXPECT_FALSE(decision.expected_slowdown.has_value());
}

TEST(Policy, TellsTheMemoryThatItKeeps) {
    Machine machine;
    machine.work(3000, 600);
    EXPECT_TRUE(machine.policy().kept_by_cgroup().empty()) << "nothing is known yet";
    const Decision decision = work_for(machine, 100, 3000, 600);
    EXPECT_EQ(machine.policy().kept_by_cgroup(), (std::vector<CgroupKeeps>{{unknown_cgroup, Pages(3000), Seconds(4)}}));
    const Pages margin = decision.opaque_limit - Pages(3000);
    ASSERT_EQ(machine.policy().protected_by_cgroup().size(), 1U);
    EXPECT_EQ(machine.policy().protected_by_cgroup()[0].pages, Pages(3000 + margin.count() * 3 / 4));
    EXPECT_EQ(decision.reason.need, Pages(3000));
    machine.usage.opaque = Pages(12'000);
    EXPECT_EQ(machine.poll().transparent_limit, Pages(0));
    EXPECT_TRUE(machine.policy().kept_by_cgroup().empty()) << "nothing is given, so the kernel's order is as good";
    Machine paper(by_paper());
    ASSERT_EQ(work_for(paper, period + 1, 3000, 600).kind, DecisionKind::measured);
    EXPECT_TRUE(paper.policy().kept_by_cgroup().empty()) << "the paper's rule knows no pages";
}

TEST(Policy, FollowsGrowthBetweenScans) {
    Machine machine;
    const Decision before = work_for(machine, 20, 3000, 600);
    machine.usage.opaque = Pages(5000);
    EXPECT_TRUE(machine.policy().outgrown(machine.usage, Pages(0)));
    EXPECT_EQ(machine.poll().opaque_limit, before.opaque_limit + Pages(2000)) << "with room for as much again";
    EXPECT_EQ(machine.poll().opaque_limit, before.opaque_limit + Pages(1000)) << "it has not grown further";
    EXPECT_FALSE(machine.policy().outgrown(machine.usage, Pages(100))) << "a fiftieth of the margin";
    EXPECT_TRUE(machine.policy().outgrown(machine.usage, Pages(200))) << "evicted pages came, too";
}

TEST(Policy, ExpectsMissesByTheHistogramWhateverTheObjective) {
    Machine machine;
    work_for(machine, period, 3000, 600);
    EXPECT_FALSE(machine.poll().expected_misses_per_s.has_value());
    const Decision decision = machine.work(3000, 600);
    ASSERT_TRUE(decision.expected_misses_per_s.has_value());
    EXPECT_EQ(*decision.expected_misses_per_s, 0) << "the loop is kept";
    EXPECT_EQ(decision.expected_slowdown, 0);
    EXPECT_EQ(decision.reason.expected_misses_per_s, decision.expected_misses_per_s);
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
    for (const PolicyParameters& parameters : {PolicyParameters(), by_paper()}) {
        Machine machine(parameters);
        const Decision before = work_for(machine, 2 * period + 1, 3000, 600);
        ASSERT_EQ(before.kind, DecisionKind::measured);
        Decision after = before;
        for (int second = 0; second < 3600; ++second)
            after = machine.idle();
        EXPECT_EQ(after.opaque_limit, before.opaque_limit);
    }
}

TEST(Policy, KeepsTheMinimumForOpaqueApplications) {
    for (const PolicyParameters& parameters : {PolicyParameters(), by_paper()}) {
        Machine machine(parameters);
        work_for(machine, period + 1, 1100, 600);
        machine.usage.total = Pages(40000);  // memory was added: a tenth of it is now more than the applications need
        EXPECT_EQ(machine.idle().opaque_limit, Pages(4000));
    }
}

TEST(Policy, NoiseNeverTakesThePapersMinimum) {
    PolicyParameters parameters = by_paper();
    parameters.min_opaque = 0.01;
    Machine machine(parameters);
    const Decision decision = work_for(machine, period + 1, 1100, 600);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    EXPECT_GE(decision.opaque_limit, Pages(1000)) << "accesses less deep are ignored";
}

TEST(PaperPolicy, LearnsForAPeriod) {
    Machine machine(by_paper());
    const Decision learning = work_for(machine, period, 3000, 600);
    EXPECT_EQ(learning.kind, DecisionKind::learning);
    EXPECT_EQ(learning.opaque_limit, Pages(10000));
    const Decision decision = machine.work(3000, 600);
    EXPECT_EQ(decision.kind, DecisionKind::measured);
    // The loop, an epoch's uncertainty at the most, and no margin.
    EXPECT_GE(decision.opaque_limit, Pages(3000));
    EXPECT_LE(decision.opaque_limit, Pages(3000 + 600));
    EXPECT_EQ(decision.opaque_limit, decision.reason.need);
    EXPECT_EQ(decision.opaque_wanted, decision.reason.need);
}

TEST(PaperPolicy, MissesBeyondTheGoalCorrectTheLimitAtTheEndOfTheEpoch) {
    Machine machine(by_paper());
    const Decision before = work_for(machine, period + 1, 3000, 600);
    machine.usage.opaque = before.opaque_limit;
    const Decision polled = machine.refault(Pages(500), Pages(2000), seconds(1), false);
    EXPECT_EQ(polled.kind, DecisionKind::measured) << "the epoch goes on: its accesses are not known";
    EXPECT_EQ(polled.refaults_per_s, 500);
    EXPECT_EQ(polled.opaque_limit, before.opaque_limit);
    const Decision after = machine.work(3000, 600);
    EXPECT_EQ(after.kind, DecisionKind::corrected);
    EXPECT_EQ(after.reason.code, ReasonCode::corrected);
    EXPECT_EQ(after.refaults_per_s, 0) << "of its own second";
    EXPECT_GE(after.opaque_limit, before.opaque_limit + Pages(2000));
}

TEST(PaperPolicy, MissesAreMeasuredAgainstThoseWithAllMemory) {
    Machine machine(by_paper());
    machine.usage.opaque = Pages(4000);
    work_for(machine, period - 1, 3000, 600);
    machine.refault(Pages(36000), Pages(9000));  // a tenth of the period's accesses are deeper than memory
    machine.work(3000, 600);
    EXPECT_EQ(machine.refault(Pages(60), Pages(9000), seconds(1), false).kind, DecisionKind::measured);
    EXPECT_EQ(machine.work(3000, 600).kind, DecisionKind::measured) << "60 of 660 are less than 1.05 times a tenth";
    machine.refault(Pages(90), Pages(9000), seconds(1), false);
    EXPECT_EQ(machine.work(3000, 600).kind, DecisionKind::corrected) << "90 of 690 are more";
}

TEST(PaperPolicy, NoGoalIsViolatedByReuse) {
    Machine machine;
    work_for(machine, period + 1, 3000, 600);
    EXPECT_EQ(machine.refault(Pages(5000), Pages(2000)).kind, DecisionKind::measured);
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
    Machine machine(by_paper());
    const Decision before = work_for(machine, period + 1, 3000, 600);
    machine.usage.total = Pages(100'000);  // ten times as much
    const Decision after = machine.idle();
    EXPECT_EQ(after.opaque_limit, Pages(10'000)) << "the old need, or a tenth of the present memory";
    EXPECT_GE(after.opaque_limit, before.opaque_limit);
    Decision wide;
    for (int epoch = 0; epoch < 60; ++epoch)
        wide = machine.work(60'000, 6000, seconds(30));  // a loop too long for a histogram of the old machine
    EXPECT_GE(wide.opaque_limit, Pages(60'000));
}

TEST(Policy, ANewSourceKeepsWhatWasLearnedAndForgetsThePages) {
    Policy policy(by_paper(), installed);
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
    AwakeTime now{};
    EpochSample sample;
    for (PageKey key = 0; key < 3000; ++key)
        sample.referenced.push_back({key, 1});
    Decision before;
    for (int second = 0; second <= period; ++second)  // the first starts the clock, the last ends the first period
        before = policy.step(sample, usage, now += seconds(1));
    ASSERT_EQ(before.kind, DecisionKind::measured);
    const auto learned = policy.histogram().shares().of(Backing::anonymous).buckets();
    policy.restart_sampling();
    // The same keys are new pages now. Taken for the old ones, they would count a whole loop of accesses.
    for (int second = 0; second < period; ++second)
        policy.step(second == 0 ? sample : EpochSample{}, usage, now += seconds(1));
    EXPECT_EQ(policy.histogram().shares().of(Backing::anonymous).buckets(), learned);
}

TEST(Policy, NewParametersKeepWhatWasLearned) {
    Policy policy({}, installed);
    PolicyParameters wide;
    wide.margin = 0.5;
    EpochSample sample;
    MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(5000)};
    AwakeTime now{};
    PageKey next = 0;
    Decision decision;
    for (int second = 0; second < 40; ++second) {
        sample.referenced.clear();
        sample.attended = Seconds(1);
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

TEST(Policy, AnotherObjectiveDecidesAtOnce) {
    Machine machine(by_paper());
    work_for(machine, 20, 3000, 600);
    machine.set_parameters({});
    EXPECT_EQ(machine.poll().opaque_limit, Pages(3000 + 500)) << "before the next scan";
}

// Ten minutes of a loop of 3000 pages, 600 a second, on swap of the given latency, by applications that are active for a share of
// the time.
Decision loop_with_latency(Policy& policy, Seconds latency, double active, AwakeTime& now) {
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(5000)};
    PageKey next = 0;
    Decision decision;
    for (int second = 0; second <= period; ++second) {
        EpochSample sample;
        for (int i = 0; i < 600; ++i, next = (next + 1) % 3000)
            sample.referenced.push_back({next, 1});
        sample.active = Seconds(active);
        sample.attended = Seconds(1);
        sample.reads[static_cast<std::size_t>(Store::swap_zram)] = {100, 100 * latency};
        decision = policy.step(sample, usage, now += seconds(1));
    }
    return decision;
}

PolicyParameters give_too_much() {
    PolicyParameters parameters;
    parameters.keep.break_even = Seconds(0.1);  // no page is used so often
    parameters.margin = 0;
    return parameters;
}

TEST(Policy, TheExpectedSlowdownIsWaitingOverActivity) {
    Policy policy(give_too_much(), installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.0001), 0.5, now);
    EXPECT_EQ(decision.opaque_limit, Pages(1000)) << "the minimum";
    ASSERT_TRUE(decision.expected_misses_per_s.has_value());
    EXPECT_NEAR(*decision.expected_misses_per_s, 600, 5) << "the loop is longer";
    EXPECT_NEAR(decision.expected_slowdown.value_or(0), 600 * 0.0001 / 0.5, 0.002);
}

TEST(Policy, ExpectedSlowdownIsAtMostAllOfTheTime) {
    Policy policy(give_too_much(), installed);
    AwakeTime now{};
    const Decision decision = loop_with_latency(policy, Seconds(0.0025), 0.1, now);
    EXPECT_GT(decision.expected_misses_per_s.value_or(0), 500) << "more than a second of waiting in each second";
    EXPECT_DOUBLE_EQ(decision.expected_slowdown.value_or(0), 1);
}

TEST(Policy, RefaultsCountForTheirBacking) {
    Policy policy(by_paper(), installed);
    AwakeTime now{};
    loop_with_latency(policy, Seconds(0.0025), 1, now);
    EpochSample sample;
    sample.refaults.push_back({Pages(2000), Pages(3000), Pages(400)});
    sample.anonymous_refaults = 0.25;
    const Decision decision =
        policy.step(sample, {.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)}, now += seconds(1));
    ASSERT_EQ(decision.kind, DecisionKind::corrected);
    const double anonymous = policy.histogram().shares().of(Backing::anonymous).misses(Pages(5000));
    EXPECT_GT(anonymous, 0);
    EXPECT_NEAR(policy.histogram().shares().of(Backing::file).misses(Pages(5000)), 3 * anonymous, 1e-9);
}

TEST(Policy, AnEpochThatWasInterruptedCountsAsTheLongest) {
    Machine machine;
    machine.usage.opaque = work_for(machine, 40, 3000, 600).opaque_limit;
    const Decision decision = machine.refault(Pages(6000), Pages(2000), std::chrono::hours(10));
    EXPECT_DOUBLE_EQ(decision.refaults_per_s, 20) << "in five minutes";
}

TEST(Policy, AClockThatGoesBackIsNoTime) {
    Policy policy(by_paper(), installed);
    AwakeTime now{};
    const Decision before = loop_with_latency(policy, Seconds(0.0025), 1, now);
    EpochSample sample;
    sample.refaults.push_back({Pages(2000), Pages(2000), Pages(400)});
    const Decision after =
        policy.step(sample, {.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)}, now - seconds(30));
    EXPECT_EQ(after.kind, DecisionKind::measured);
    EXPECT_EQ(after.opaque_limit, before.opaque_limit);
}

TEST(Policy, TimesWithoutSenseCountAsNone) {
    for (const double nonsense :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), -5.0, 1e300}) {
        Policy policy({}, installed);
        Policy other({}, installed);
        AwakeTime now{};
        Decision last;
        for (int second = 0; second <= period; ++second) {
            EpochSample sample;
            for (PageKey key = 0; key < 60; ++key)
                sample.referenced.push_back({key, 50});
            sample.attended = Seconds(1);
            EpochSample none = sample;
            if (second % 10 == 0) {
                sample.attended = sample.idle_before = sample.active = Seconds(nonsense);
                sample.left = Seconds(nonsense);
                none.attended = Seconds(0);
            }
            const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
            last = policy.step(sample, usage, now += seconds(1));
            EXPECT_EQ(last.opaque_limit, other.step(none, usage, now).opaque_limit);
        }
        EXPECT_EQ(last.reason.need, Pages(3000));
        EXPECT_EQ(policy.save_state(), other.save_state());
        EXPECT_TRUE(other.restore_state(policy.save_state()));
    }
}

TEST(Policy, RefaultsOfNobodyKnowsWhatAreAnonymous) {
    Policy policy({}, installed);
    EpochSample sample;
    sample.refaults.push_back({Pages(10), Pages(10), Pages(100)});
    sample.anonymous_refaults = std::numeric_limits<double>::quiet_NaN();
    const MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};
    for (int second = 0; second <= period; ++second)
        policy.step(sample, usage, AwakeTime(seconds(second)));
    EXPECT_GT(policy.histogram().shares().of(Backing::anonymous).accesses(), 0);
    EXPECT_EQ(policy.histogram().shares().of(Backing::file).accesses(), 0);
}

}  // namespace
}  // namespace tmm::core
