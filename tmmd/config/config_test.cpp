// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/config/config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tmm::config {
namespace {

Result<Config> config_of(const std::string& text) {
    return make_config(parse_ini(text, "t.conf").value());
}

std::string shipped_file() {
    std::ostringstream text;
    text << std::ifstream(TMMD_CONF).rdbuf();
    return text.str();
}

TEST(Config, EveryKeyIsRead) {
    const auto config = config_of(
        "[Sampling]\nEpoch=2s\nSampleShift=5\nMinEpoch=2s\nMaxEpoch=20s\nMaxIdleEpoch=90s\nFootprint=0.2\n"
        "CpuLearning=0.02\nCpuActive=0.003\nCpuIdle=0.0004\nActivity=0.06\n"
        "[Histogram]\nAlpha=0.1\nAgeingPeriod=5min\nLearningPeriod=10s\nLearningGrowth=0.2\nMaxLearning=1min\nNoiseDepth=0."
        "05\nNoiseRate=20\nSavePeriod=1h\n"
        "[Policy]\nObjective=stall\nBeta=1.1\nMissFloor=3\nStallFloor=0.002\nMinOpaque=0.2\nMargin=0.03\nConfidence=3\n"
        "[Return]\nMinBreak=1min\nFirstInteraction=3s\nWindow=2min\nWeight=0.5\nFirstStall=200ms\nWholeStall=2s\n"
        "[Owner]\nMaxBytes=2G\nMaxPercent=40\nOnlyWhenIdle=yes\nOnlyOnMains=yes\nQuietHours=22:00-07:00\nIdleAfter=10min\n"
        "[Pressure]\nMaxStall=0.2\nMinHold=2min\nMaxHold=1h\n");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->epoch, std::chrono::seconds(2));
    EXPECT_EQ(config->sample_shift, 5U);
    EXPECT_DOUBLE_EQ(config->policy.ageing.alpha, 0.1);
    EXPECT_EQ(config->policy.ageing.period, core::Seconds(300));
    EXPECT_EQ(config->policy.ageing.learning_period, core::Seconds(10));
    EXPECT_DOUBLE_EQ(config->policy.ageing.learning_growth, 0.2);
    EXPECT_EQ(config->policy.ageing.max_learning, core::Seconds(60));
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_depth, 0.05);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_rate_per_s, 20);
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, 1.1);
    EXPECT_DOUBLE_EQ(config->policy.rule.miss_floor_per_s, 3);
    EXPECT_DOUBLE_EQ(config->policy.min_opaque, 0.2);
    EXPECT_DOUBLE_EQ(config->policy.margin, 0.03);
    EXPECT_EQ(config->pace.min_length, core::Seconds(2));
    EXPECT_EQ(config->pace.max_active, core::Seconds(20));
    EXPECT_EQ(config->pace.max_idle, core::Seconds(90));
    EXPECT_DOUBLE_EQ(config->pace.footprint, 0.2);
    EXPECT_DOUBLE_EQ(config->pace.cpu_learning, 0.02);
    EXPECT_DOUBLE_EQ(config->pace.cpu_active, 0.003);
    EXPECT_DOUBLE_EQ(config->pace.cpu_idle, 0.0004);
    EXPECT_DOUBLE_EQ(config->pace.activity, 0.06);
    EXPECT_EQ(config->save_period, std::chrono::hours(1));
    EXPECT_EQ(config->policy.objective, core::Objective::stall);
    EXPECT_DOUBLE_EQ(config->policy.stall_rule.beta, 1.1) << "one key sets both";
    EXPECT_DOUBLE_EQ(config->policy.stall_rule.stall_floor, 0.002);
    EXPECT_DOUBLE_EQ(config->policy.confidence, 3);
    EXPECT_EQ(config->giving.pressure.max_stall, 0.2);
    EXPECT_EQ(config->giving.pressure.min_hold, core::Seconds(120));
    EXPECT_EQ(config->giving.pressure.max_hold, core::Seconds(3600));
    EXPECT_EQ(config->policy.returns.min_break, core::Seconds(60));
    EXPECT_EQ(config->policy.returns.first_interaction, core::Seconds(3));
    EXPECT_EQ(config->policy.returns.whole, core::Seconds(120));
    EXPECT_DOUBLE_EQ(config->policy.returns.weight, 0.5);
    EXPECT_EQ(config->policy.return_goal.first_stall, core::Seconds(0.2));
    EXPECT_EQ(config->policy.return_goal.whole_stall, core::Seconds(2));
    EXPECT_EQ(config->giving.caps.max_bytes, Bytes(2ULL << 30));
    EXPECT_EQ(config->giving.caps.max_percent, 40);
    EXPECT_TRUE(config->giving.caps.only_when_idle);
    EXPECT_TRUE(config->giving.caps.only_on_mains);
    EXPECT_EQ(config->giving.caps.quiet_hours, (core::QuietHours{22 * 60, 7 * 60}));
    EXPECT_EQ(config->giving.idle_after, core::Seconds(600));
}

TEST(Config, MistakesNameFileLineAndKey) {
    EXPECT_EQ(config_of("[Policy]\nBeta = 0.9\n").error().message(), "t.conf:2: Beta: '0.9' is not in the range 1 to 10");
    EXPECT_EQ(config_of("[Policy]\nBeta = much\n").error().message(), "t.conf:2: Beta: 'much' is not a number");
    EXPECT_EQ(config_of("[Policy]\nGamma = 1\n").error().message(), "t.conf:2: Gamma: no such key in [Policy]; see tmmd.conf(5)");
    EXPECT_EQ(config_of("[Politics]\nBeta = 1\n").error().message(),
              "t.conf:2: Beta: no such section [Politics]; see tmmd.conf(5)");
    EXPECT_EQ(config_of("[Sampling]\nEpoch = 10\n").error().message(),
              "t.conf:2: Epoch: '10' is not a time (a number with ms, s, min or h)");
    EXPECT_EQ(config_of("[Policy]\nObjective = speed\n").error().message(),
              "t.conf:2: Objective: 'speed' is none of reuse, paper, beta, stall");
    EXPECT_EQ(config_of("[Sampling]\nMinEpoch = 20s\n").error().message(),
              "MaxEpoch and MaxIdleEpoch must not be below MinEpoch");
    EXPECT_EQ(config_of("[Owner]\nQuietHours = at night\n").error().message(),
              "t.conf:2: QuietHours: 'at night' is no part of a day; write it like 22:00-07:00");
    EXPECT_EQ(config_of("[Owner]\nIdleAfter = 1s\n").error().message(),
              "t.conf:2: IdleAfter: '1s' is not in the range 1min to 24h");
    EXPECT_EQ(config_of("[Pressure]\nMaxStall = 0\n").error().message(),
              "t.conf:2: MaxStall: '0' is not in the range 0.01 to 1, or none");
    EXPECT_EQ(config_of("[Pressure]\nMaxStall = none\n")->giving.pressure.max_stall, std::nullopt);
    EXPECT_EQ(config_of("[Pressure]\nMinHold = 2h\n").error().message(), "MaxHold must not be below MinHold");
    EXPECT_EQ(config_of("[Sampling]\nSampleShift = 13\n").error().message(),
              "t.conf:2: SampleShift: '13' is not in the range 0 to 12, or auto");
}

TEST(Config, NoiseMustStayWithinTheMinimum) {
    EXPECT_EQ(config_of("[Histogram]\nNoiseDepth=0.3\n").error().message(),
              "MinOpaque (0.10) must not be below NoiseDepth (0.30)");
}

TEST(Config, TheShippedFileIsInOrderAndChangesNothing) {
    const auto entries = parse_ini(shipped_file(), "tmmd.conf");
    ASSERT_TRUE(entries) << entries.error().message();
    EXPECT_TRUE(entries->empty()) << "every line is a comment";
}

// The commented lines are the defaults: without the comment signs they must be valid and change nothing.
TEST(Config, TheShippedFileShowsTheDefaults) {
    std::istringstream lines(shipped_file());
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const bool is_default = line.starts_with('#') && line.size() > 1 && line[1] != ' ';
        if (line.starts_with('[') || is_default)
            text += (is_default ? line.substr(1) : line) + "\n";
    }
    const auto entries = parse_ini(text, "tmmd.conf");
    ASSERT_TRUE(entries) << entries.error().message();
    EXPECT_EQ(entries->size(), 41U) << "the file shows every key";
    const auto config = make_config(*entries);
    ASSERT_TRUE(config) << config.error().message();
    const Config defaults;
    EXPECT_EQ(config->epoch, defaults.epoch);
    EXPECT_EQ(config->sample_shift, defaults.sample_shift);
    EXPECT_DOUBLE_EQ(config->policy.ageing.alpha, defaults.policy.ageing.alpha);
    EXPECT_EQ(config->policy.ageing.period, defaults.policy.ageing.period);
    EXPECT_EQ(config->policy.ageing.learning_period, defaults.policy.ageing.learning_period);
    EXPECT_DOUBLE_EQ(config->policy.ageing.learning_growth, defaults.policy.ageing.learning_growth);
    EXPECT_EQ(config->policy.ageing.max_learning, defaults.policy.ageing.max_learning);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_depth, defaults.policy.ageing.noise_depth);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_rate_per_s, defaults.policy.ageing.noise_rate_per_s);
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, defaults.policy.rule.beta);
    EXPECT_DOUBLE_EQ(config->policy.rule.miss_floor_per_s, defaults.policy.rule.miss_floor_per_s);
    EXPECT_DOUBLE_EQ(config->policy.min_opaque, defaults.policy.min_opaque);
    EXPECT_DOUBLE_EQ(config->policy.margin, defaults.policy.margin);
    EXPECT_EQ(config->pace.min_length, defaults.pace.min_length);
    EXPECT_EQ(config->pace.max_active, defaults.pace.max_active);
    EXPECT_EQ(config->pace.max_idle, defaults.pace.max_idle);
    EXPECT_DOUBLE_EQ(config->pace.footprint, defaults.pace.footprint);
    EXPECT_DOUBLE_EQ(config->pace.cpu_learning, defaults.pace.cpu_learning);
    EXPECT_DOUBLE_EQ(config->pace.cpu_active, defaults.pace.cpu_active);
    EXPECT_DOUBLE_EQ(config->pace.cpu_idle, defaults.pace.cpu_idle);
    EXPECT_DOUBLE_EQ(config->pace.activity, defaults.pace.activity);
    EXPECT_EQ(config->save_period, defaults.save_period);
    EXPECT_EQ(config->policy.objective, defaults.policy.objective);
    EXPECT_DOUBLE_EQ(config->policy.stall_rule.beta, defaults.policy.stall_rule.beta);
    EXPECT_DOUBLE_EQ(config->policy.stall_rule.stall_floor, defaults.policy.stall_rule.stall_floor);
    EXPECT_EQ(config->policy.keep.break_even, defaults.policy.keep.break_even);
    EXPECT_DOUBLE_EQ(config->policy.confidence, defaults.policy.confidence);
    EXPECT_EQ(config->policy.returns.min_break, defaults.policy.returns.min_break);
    EXPECT_EQ(config->policy.returns.first_interaction, defaults.policy.returns.first_interaction);
    EXPECT_EQ(config->policy.returns.whole, defaults.policy.returns.whole);
    EXPECT_DOUBLE_EQ(config->policy.returns.weight, defaults.policy.returns.weight);
    EXPECT_EQ(config->policy.return_goal.first_stall, defaults.policy.return_goal.first_stall);
    EXPECT_EQ(config->policy.return_goal.whole_stall, defaults.policy.return_goal.whole_stall);
    EXPECT_EQ(config->giving.caps, defaults.giving.caps);
    EXPECT_EQ(config->giving.idle_after, defaults.giving.idle_after);
}

}  // namespace
}  // namespace tmm::config
