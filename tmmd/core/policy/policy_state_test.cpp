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

// As the first two versions saved it; the second had more lines.
std::string old_state() {
    std::string text = "buckets: 2048 10\nlearned: 900 0.5\nrates all anonymous: 0 0 20 10\nrates all file: 0 10\n";
    for (int group = 0; group < 8; ++group)
        text += "rates " + std::to_string(group) + " anonymous: 0 0 20 10\nrates " + std::to_string(group) + " file:\n";
    text +=
        "returns: 1\nfirst-interaction anonymous: 0 5\nfirst-interaction file:\nfirst-minute anonymous: 0 5 5\n"
        "first-minute file: 1\n";
    return text + "latency swap-disk: 100 0.25\nlatency swap-zram:\nlatency file:\n";
}

void expect_old_histogram(const Policy& policy) {
    EXPECT_DOUBLE_EQ(policy.histogram().accesses_per_s(), 40);
    EXPECT_DOUBLE_EQ(policy.histogram().misses_per_s(Pages(20)), 30);
    EXPECT_DOUBLE_EQ(policy.histogram().active_share(), 0.5);
    EXPECT_DOUBLE_EQ(policy.latency().usual()[0], 0.0025);
}

TEST(PolicyState, ReadsTheStateOfTheFirstVersion) {
    Policy policy({}, installed);
    const auto restored = policy.restore_state(old_state());
    ASSERT_TRUE(restored) << restored.error().message();
    expect_old_histogram(policy);
    EXPECT_EQ(policy.reuse().time().attended.count(), 0);
}

TEST(PolicyState, ReadsTheStateOfTheSecondVersion) {
    std::string text = "version: 2\n" + old_state() + "reuse: 60\n";
    for (const char* kind : {"anonymous once", "file once", "anonymous again", "file again", "anonymous away", "file away"})
        text += "uses " + std::string(kind) + ": 1 2\nexposure " + kind + ": 300 400\n";
    Policy policy({}, installed);
    const auto restored = policy.restore_state(text);
    ASSERT_TRUE(restored) << restored.error().message();
    expect_old_histogram(policy);
    EXPECT_EQ(policy.reuse().time().attended.count(), 60);
    EXPECT_EQ(policy.reuse().uses()[0][1], 2);
    EXPECT_EQ(policy.reuse().exposure()[3][1], 400);
    // They were in attended time.
    EXPECT_EQ(policy.reuse().time().any.count(), 0);
    EXPECT_EQ(policy.reuse().uses()[4][1], 0);
    EXPECT_EQ(policy.reuse().exposure()[5][1], 0);
}

// They knew one kind of pages that were used while nobody was there.
TEST(PolicyState, ReadsTheStateOfTheThirdAndFourthVersion) {
    for (const char* version : {"3", "4"}) {
        std::string text;
        std::istringstream state(learned_state());
        for (std::string line; std::getline(state, line);) {
            if (line.starts_with("version:"))
                line = "version: " + std::string(version);
            if (const auto place = line.find("away-once:"); place != std::string::npos)
                line.replace(place, std::string::npos, "away: 1 2");
            if (line.find("away-again:") == std::string::npos)
                text += line + '\n';
        }
        Policy policy({}, installed);
        const auto restored = policy.restore_state(text);
        ASSERT_TRUE(restored) << restored.error().message();
        EXPECT_TRUE(policy.histogram().learned());
        EXPECT_GT(policy.reuse().time().any.count(), 0);
        for (const Use use : {Use::away_once, Use::away_again})
            EXPECT_EQ(policy.reuse().uses()[page_kind(Backing::file, use)][1], 0);
    }
}

TEST(PolicyState, RefusesALaterVersion) {
    std::string text = learned_state();
    text.replace(0, text.find('\n'), "version: 6");
    const auto restored = Policy({}, installed).restore_state(text);
    ASSERT_FALSE(restored);
    EXPECT_EQ(restored.error().message(), "'version' is of a later tmmd");
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
                                 old_state().substr(old_state().find("rates all file")),
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
