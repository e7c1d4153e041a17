// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "time_lapse.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/ini.hpp"
#include "tmmd/config/config.hpp"
#include "tmmd/replay/replay.hpp"

namespace tmm::coffee {
namespace {

constexpr std::uint64_t factor = 60;
constexpr std::uint64_t minute_us = 60'000'000;
constexpr std::uint64_t hour_us = 60 * minute_us;

std::string shipped_conf() {
    const std::ifstream file(TMMD_CONF);
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

Result<config::Config> config_of(const std::string& text) {
    const auto entries = parse_ini(text, "conf");
    if (!entries)
        return entries.error();
    return config::make_config(*entries);
}

config::Config lapsed_config(double by) {
    const auto text = time_lapse_conf(shipped_conf(), by);
    EXPECT_TRUE(text) << text.error().message();
    auto config = config_of(*text);
    EXPECT_TRUE(config) << config.error().message() << '\n' << *text;
    return *config;
}

// Two hours with two sets of memory, six with one of them, a break of an hour, and an hour with both: a touch every 60 ms. In the
// break an idle desktop touches one page now and then, since tmm-replay takes longer steps through epochs without any touch.
std::vector<trace::Record> half_a_day(std::uint64_t divided_by) {
    constexpr std::uint64_t interval_us = 60'000;
    constexpr std::uint32_t weight = 64;
    constexpr core::PageKey set = 300;
    std::vector<trace::Record> records;
    for (std::uint64_t t_us = 0; t_us < 10 * hour_us; t_us += interval_us) {
        const bool both = t_us < 2 * hour_us || t_us >= 9 * hour_us;
        const bool away = t_us >= 8 * hour_us && t_us < 9 * hour_us;
        const core::PageKey touched = t_us / interval_us;
        if (!away)
            records.push_back({.t_us = t_us / divided_by, .page = touched % (both ? 2 * set : set), .weight = weight});
        else if (touched % 100 == 0)
            records.push_back({.t_us = t_us / divided_by, .page = 2 * set, .weight = weight});
    }
    return records;
}

replay::Outcome outcome_of(std::uint64_t divided_by, const core::PolicyParameters& policy) {
    replay::Replay replay({.epoch_us = minute_us / divided_by, .memory = core::Pages(65536), .policy = policy});
    for (const trace::Record& record : half_a_day(divided_by))
        replay.add(record);
    return std::move(replay).finish();
}

// Limits with the time of the undivided trace.
std::vector<std::pair<std::uint64_t, std::uint64_t>> limits_of(const replay::Outcome& outcome, std::uint64_t divided_by) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> limits;
    for (const auto& limit : outcome.limits)
        limits.emplace_back(limit.t_us * divided_by, limit.opaque_pages.count());
    return limits;
}

TEST(TimeLapse, ThePolicyDecidesTheSameLimits) {
    const auto expected = limits_of(outcome_of(1, config::Config().policy), 1);
    const auto found = limits_of(outcome_of(factor, lapsed_config(factor).policy), factor);
    EXPECT_GT(expected.size(), 5U) << "the trace must make the policy decide";
    EXPECT_EQ(found, expected);
}

TEST(TimeLapse, WithoutItTheSameMinutesDecideOtherwise) {
    const auto expected = limits_of(outcome_of(1, config::Config().policy), 1);
    EXPECT_NE(limits_of(outcome_of(factor, config::Config().policy), factor), expected);
}

TEST(TimeLapse, AFactorOfOneChangesNothing) {
    const auto config = lapsed_config(1);
    const config::Config defaults;
    EXPECT_EQ(config.policy.ageing.period, defaults.policy.ageing.period);
    EXPECT_EQ(config.pace.max_active, defaults.pace.max_active);
    EXPECT_EQ(config.policy.rule.miss_floor_per_s, defaults.policy.rule.miss_floor_per_s);
    EXPECT_EQ(config.giving.pressure.max_hold, defaults.giving.pressure.max_hold);
}

TEST(TimeLapse, IsAValidConfigurationWithAnyFactor) {
    for (const double by : {1.0, 7.0, 30.0, 60.0, 600.0, 1e6})
        lapsed_config(by);
}

TEST(TimeLapse, DividesTimesAndMultipliesRates) {
    const auto conf = time_lapse_conf(
        "# Words of explanation=none.\n[Histogram]\n#Alpha=0.0625\n#AgeingPeriod=10min\n#MinEpoch=1s\n#NoiseRate=10\n"
        "#SampleShift=auto\n[Sampling]\n#CpuActive=0.002\n#CpuLearning=0.01\n",
        200);
    ASSERT_TRUE(conf) << conf.error().message();
    EXPECT_EQ(*conf,
              "# tmmd's defaults in a time-lapse: a second stands for 200\n"
              "[Histogram]\nAgeingPeriod=3000.000000ms\n# the nearest bound\nMinEpoch=1000.000000ms\nNoiseRate=2000.000000\n"
              "[Sampling]\nCpuActive=0.400000\n# the nearest bound\nCpuLearning=1.000000\n");
}

TEST(TimeLapse, RefusesOtherFactorsAndUnreadableRates) {
    EXPECT_FALSE(time_lapse_conf("", 0.5));
    const auto unreadable = time_lapse_conf("#NoiseRate=many\n", 2);
    ASSERT_FALSE(unreadable);
    EXPECT_NE(unreadable.error().message().find("NoiseRate"), std::string::npos) << unreadable.error().message();
}

// A divided time must not be longer than its bound asks for.
TEST(TimeLapse, BoundsAreThoseOfTheKeys) {
    const auto text = *time_lapse_conf(shipped_conf(), 1e9);
    const auto entries = *parse_ini(text, "conf");
    for (const IniEntry& entry : entries) {
        if (!entry.value.ends_with("ms") || entry.value == "1.000000ms")
            continue;
        IniEntry shorter = entry;
        shorter.value = std::to_string(std::stod(entry.value) * 0.99) + "ms";
        EXPECT_FALSE(config::make_config({shorter})) << entry.key << " may be shorter than " << entry.value;
    }
}

}  // namespace
}  // namespace tmm::coffee
