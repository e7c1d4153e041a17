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
        "[Sampling]\nEpoch=2s\nSampleShift=5\n"
        "[Policy]\nObjective=paper\nBreakEven=10h\nBeta=1.1\nMinOpaque=0.2\nMargin=0.03\n"
        "[Owner]\nMaxBytes=2G\nMaxPercent=40\nOnlyWhenIdle=yes\nOnlyOnMains=yes\nQuietHours=22:00-07:00\nIdleAfter=10min\n"
        "[Pressure]\nMaxStall=0.2\n");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->epoch, std::chrono::seconds(2));
    EXPECT_EQ(config->sample_shift, 5U);
    EXPECT_EQ(config->policy.objective, core::Objective::paper);
    EXPECT_EQ(config->policy.keep.break_even, core::Seconds(36000));
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, 1.1);
    EXPECT_DOUBLE_EQ(config->policy.min_opaque, 0.2);
    EXPECT_DOUBLE_EQ(config->policy.margin, 0.03);
    EXPECT_EQ(config->giving.caps.max_bytes, Bytes(2ULL << 30));
    EXPECT_EQ(config->giving.caps.max_percent, 40);
    EXPECT_TRUE(config->giving.caps.only_when_idle);
    EXPECT_TRUE(config->giving.caps.only_on_mains);
    EXPECT_EQ(config->giving.caps.quiet_hours, (core::QuietHours{22 * 60, 7 * 60}));
    EXPECT_EQ(config->giving.idle_after, core::Seconds(600));
    EXPECT_EQ(config->giving.pressure.max_stall, 0.2);
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
              "t.conf:2: Objective: 'speed' is neither reuse nor paper");
    EXPECT_EQ(config_of("[Owner]\nQuietHours = at night\n").error().message(),
              "t.conf:2: QuietHours: 'at night' is no part of a day; write it like 22:00-07:00");
    EXPECT_EQ(config_of("[Owner]\nIdleAfter = 1s\n").error().message(),
              "t.conf:2: IdleAfter: '1s' is not in the range 1min to 24h");
    EXPECT_EQ(config_of("[Pressure]\nMaxStall = 0\n").error().message(),
              "t.conf:2: MaxStall: '0' is not in the range 0.01 to 1, or none");
    EXPECT_EQ(config_of("[Pressure]\nMaxStall = none\n")->giving.pressure.max_stall, std::nullopt);
    EXPECT_EQ(config_of("[Sampling]\nSampleShift = 13\n").error().message(),
              "t.conf:2: SampleShift: '13' is not in the range 0 to 12, or auto");
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
    EXPECT_EQ(entries->size(), 14U) << "the file shows every key";
    const auto config = make_config(*entries);
    ASSERT_TRUE(config) << config.error().message();
    const Config defaults;
    EXPECT_EQ(config->epoch, defaults.epoch);
    EXPECT_EQ(config->sample_shift, defaults.sample_shift);
    EXPECT_EQ(config->policy.objective, defaults.policy.objective);
    EXPECT_EQ(config->policy.keep.break_even, defaults.policy.keep.break_even);
    EXPECT_DOUBLE_EQ(config->policy.margin, defaults.policy.margin);
    EXPECT_DOUBLE_EQ(config->policy.min_opaque, defaults.policy.min_opaque);
    EXPECT_DOUBLE_EQ(config->policy.rule.beta, defaults.policy.rule.beta);
    EXPECT_EQ(config->giving.caps, defaults.giving.caps);
    EXPECT_EQ(config->giving.idle_after, defaults.giving.idle_after);
    EXPECT_EQ(config->giving.pressure.max_stall, defaults.giving.pressure.max_stall);
}

}  // namespace
}  // namespace tmm::config
