// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include "tmmd/core/policy/policy.hpp"
#include "tmmd/core/policy/test_parameters.hpp"

namespace tmm::core {
namespace {

constexpr MemoryUsage usage{.total = Pages(10000), .opaque = Pages(4000), .transparent = Pages(0)};

// Some seconds of a loop, with refaults, reads and activity.
Decision work(Policy& policy, AwakeTime& now, int seconds_of_work) {
    PageKey next = 0;
    Decision decision;
    for (int second = 0; second < seconds_of_work; ++second) {
        EpochSample sample;
        for (int i = 0; i < 600; ++i, next = (next + 1) % 3000)
            sample.referenced.push_back({next, 1, next % 3 == 0 ? Backing::file : Backing::anonymous});
        sample.refaults.push_back({Pages(100), Pages(200), Pages(3)});
        sample.anonymous_refaults = 0.5;
        sample.active = Seconds(0.5);
        sample.reads = {StoreReads{10, Seconds(0.01)}, {}, StoreReads{20, Seconds(0.04)}};
        decision = policy.step(sample, usage, now += std::chrono::seconds(1));
    }
    return decision;
}

std::string learned_state() {
    Policy policy(by_paper(), installed);
    AwakeTime now{};
    work(policy, now, 700);
    return policy.save_state();
}

TEST(PolicyState, RestoredPolicyDecidesTheSame) {
    Policy policy(by_paper(), installed);
    AwakeTime now{};
    const Decision before = work(policy, now, 700);
    Policy other(by_paper(), installed);
    const auto restored = other.restore_state(policy.save_state());
    ASSERT_TRUE(restored) << restored.error().message();
    EXPECT_NEAR(other.histogram().accesses_per_s(), policy.histogram().accesses_per_s(), 1e-6);
    EXPECT_NEAR(other.histogram().active_share(), policy.histogram().active_share(), 1e-9);
    AwakeTime later{};
    const Decision after = other.step({}, usage, later += std::chrono::seconds(1));
    EXPECT_EQ(after.kind, DecisionKind::measured) << "the restored policy does not learn again";
    EXPECT_EQ(after.opaque_limit, before.opaque_limit);
    EXPECT_EQ(other.latency().usual(), policy.latency().usual());
}

TEST(PolicyState, KeepsWhatReuseTaught) {
    Policy policy({}, installed);
    AwakeTime now{};
    EpochSample sample;
    sample.attended = std::chrono::seconds(1);
    for (PageKey key = 0; key < 100; ++key)
        sample.referenced.push_back({key, 1, key % 3 == 0 ? Backing::file : Backing::anonymous});
    for (int second = 0; second < 100; ++second)
        policy.step(sample, usage, now += std::chrono::seconds(1));
    ASSERT_GT(policy.reuse().time().attended.count(), 90);
    Policy other({}, installed);
    ASSERT_TRUE(other.restore_state(policy.save_state()));
    EXPECT_EQ(other.reuse().time(), policy.reuse().time());
    EXPECT_EQ(other.reuse().worth(), policy.reuse().worth());
    AwakeTime later{};
    EXPECT_EQ(other.step(sample, usage, later += std::chrono::seconds(1)).kind, DecisionKind::measured)
        << "the first scan is enough";
}

TEST(PolicyState, RefusesAnotherVersion) {
    const std::string good = learned_state();
    const auto first_line = good.find('\n') + 1;
    for (const char* version : {"version: 4\n", "version: 6\n", "version:\n"}) {
        const auto restored = Policy({}, installed).restore_state(version + good.substr(first_line));
        ASSERT_FALSE(restored);
        EXPECT_EQ(restored.error().message(), "'version' is of another tmmd");
    }
    EXPECT_EQ(Policy({}, installed).restore_state(good.substr(first_line)).error().message(), "no line 'version'");
}

TEST(PolicyState, MemoryOfAnotherSizeKeepsTheCurve) {
    Policy policy({}, installed);
    ASSERT_TRUE(policy.restore_state(learned_state()));
    Policy bigger({}, 4 * installed);
    ASSERT_TRUE(bigger.restore_state(learned_state()));
    for (const Pages size : {Pages(0), Pages(1000), Pages(2000), Pages(3600), Pages(8000)})
        EXPECT_NEAR(bigger.histogram().misses_per_s(size), policy.histogram().misses_per_s(size), 0.02 * 600) << size;
}

TEST(PolicyState, ANewPolicyHasLearnedNothing) {
    Policy policy({}, installed);
    Policy other({}, installed);
    ASSERT_TRUE(other.restore_state(policy.save_state()));
    AwakeTime now{};
    EXPECT_EQ(other.step({}, usage, now += std::chrono::seconds(1)).kind, DecisionKind::learning);
    other.set_parameters(by_paper());
    EXPECT_EQ(other.step({}, usage, now += std::chrono::seconds(1)).kind, DecisionKind::learning);
}

TEST(PolicyState, WhateverIsWrongChangesNothing) {
    const std::string good = learned_state();
    const auto with = [&](std::string_view old_text, std::string_view new_text) {
        std::string text = good;
        const auto place = text.find(old_text);
        EXPECT_NE(place, std::string::npos) << old_text;
        return text.replace(place, old_text.size(), new_text);
    };
    Policy policy({}, installed);
    const std::string untouched = policy.save_state();
    std::vector<std::string> bad{"",
                                 "nonsense",
                                 "nonsense\n",
                                 ":\n",
                                 good + "strange: 1\n",
                                 good + good,
                                 good.substr(0, good.size() - 1),
                                 good.substr(0, good.find("latency file:")),
                                 with("buckets: 2048 10", "buckets: 0 10"),
                                 with("buckets: 2048 10", "buckets: 2048 0"),
                                 with("buckets: 2048 10", "buckets: 1e300 10"),
                                 with("buckets: 2048 10", "buckets: 2048 1e300"),
                                 with("buckets: 2048 10", "buckets: 10 10"),
                                 with("buckets: 2048 10", "buckets: 2048 10 5"),
                                 with("buckets: 2048 10", "buckets: 2048  10"),
                                 with("reuse:", "reuse: -1"),
                                 with("reuse:", "reuse: nan"),
                                 with("reuse:", "reuse: inf"),
                                 with("reuse:", "reuse: one"),
                                 with("reuse:", "reuse:1")};
    bad.push_back("x:");
    for (int i = 0; i < 70000; ++i)
        bad.back() += " 1";
    bad.back() += '\n';
    for (const std::string& text : bad) {
        const auto restored = policy.restore_state(text);
        EXPECT_FALSE(restored) << text.substr(0, 60);
        EXPECT_TRUE(policy.save_state() == untouched);
    }
    EXPECT_NE(policy.restore_state(with("reuse:", "reuse: one")).error().message().find("'one' is not a number"),
              std::string::npos);
}

}  // namespace
}  // namespace tmm::core
