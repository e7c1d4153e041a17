// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/config.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tmm::app {
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
        "[Sampling]\nEpoch=2s\nSampleShift=5\n"
        "[Histogram]\nAlpha=0.1\nAgeingPeriod=5min\nLearningPeriod=10s\nNoiseDepth=0.05\nNoiseRate=20\n"
        "[Policy]\nBeta=1.1\nMissFloor=3\nMinimumOpaque=0.2\nMargin=0.03\n");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->epoch, std::chrono::seconds(2));
    EXPECT_EQ(config->sample_shift, 5U);
    EXPECT_DOUBLE_EQ(config->policy.ageing.alpha, 0.1);
    EXPECT_EQ(config->policy.ageing.period, core::Seconds(300));
    EXPECT_EQ(config->policy.ageing.learning_period, core::Seconds(10));
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_depth, 0.05);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_rate_per_s, 20);
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, 1.1);
    EXPECT_DOUBLE_EQ(config->policy.rule.miss_floor_per_s, 3);
    EXPECT_DOUBLE_EQ(config->policy.minimum_opaque, 0.2);
    EXPECT_DOUBLE_EQ(config->policy.margin, 0.03);
}

TEST(Config, MistakesNameFileLineAndKey) {
    EXPECT_EQ(config_of("[Policy]\nBeta = 0.9\n").error().message(), "t.conf:2: Beta: '0.9' is not in the range 1 to 10");
    EXPECT_EQ(config_of("[Policy]\nBeta = much\n").error().message(), "t.conf:2: Beta: 'much' is not a number");
    EXPECT_EQ(config_of("[Policy]\nGamma = 1\n").error().message(), "t.conf:2: Gamma: no such key in [Policy]; see tmmd.conf(5)");
    EXPECT_EQ(config_of("[Politics]\nBeta = 1\n").error().message(),
              "t.conf:2: Beta: no such section [Politics]; see tmmd.conf(5)");
    EXPECT_EQ(config_of("[Sampling]\nEpoch = 10\n").error().message(),
              "t.conf:2: Epoch: '10' is not a time (a number with ms, s, min or h)");
    EXPECT_EQ(config_of("[Sampling]\nSampleShift = 13\n").error().message(),
              "t.conf:2: SampleShift: '13' is not in the range 0 to 12, or auto");
}

TEST(Config, NoiseMustStayWithinTheMinimum) {
    EXPECT_EQ(config_of("[Histogram]\nNoiseDepth=0.3\n").error().message(),
              "MinimumOpaque (0.10) must not be below NoiseDepth (0.30)");
}

TEST(Config, TheShippedFileIsInOrderAndChangesNothing) {
    const auto entries = parse_ini(shipped_file(), "tmmd.conf");
    ASSERT_TRUE(entries) << entries.error().message();
    EXPECT_TRUE(entries->empty()) << "all of it is commented out";
}

// The commented lines are the defaults: with the comment signs gone they must be valid and change nothing.
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
    EXPECT_EQ(entries->size(), 11U) << "every key is shown";
    const auto config = make_config(*entries);
    ASSERT_TRUE(config) << config.error().message();
    const Config defaults;
    EXPECT_EQ(config->epoch, defaults.epoch);
    EXPECT_EQ(config->sample_shift, defaults.sample_shift);
    EXPECT_DOUBLE_EQ(config->policy.ageing.alpha, defaults.policy.ageing.alpha);
    EXPECT_EQ(config->policy.ageing.period, defaults.policy.ageing.period);
    EXPECT_EQ(config->policy.ageing.learning_period, defaults.policy.ageing.learning_period);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_depth, defaults.policy.ageing.noise_depth);
    EXPECT_DOUBLE_EQ(config->policy.ageing.noise_rate_per_s, defaults.policy.ageing.noise_rate_per_s);
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, defaults.policy.rule.beta);
    EXPECT_DOUBLE_EQ(config->policy.rule.miss_floor_per_s, defaults.policy.rule.miss_floor_per_s);
    EXPECT_DOUBLE_EQ(config->policy.minimum_opaque, defaults.policy.minimum_opaque);
    EXPECT_DOUBLE_EQ(config->policy.margin, defaults.policy.margin);
}

}  // namespace
}  // namespace tmm::app
