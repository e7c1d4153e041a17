// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/config/config.hpp"

#include <array>
#include <cerrno>
#include <cmath>
#include <utility>

#include "base/units.hpp"
#include "tmmd/config/owner_conf.hpp"

namespace tmm::config {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;
using std::chrono::seconds;

Error out_of_range(const IniEntry& entry, const std::string& range) {
    return {EINVAL, entry.where() + ": '" + entry.value + "' is not in the range " + range};
}

Result<double> number_between(const IniEntry& entry, double min, double max, const std::string& range) {
    auto number = parse_double(entry.value);
    if (!number)
        return std::move(number).error().with_context(entry.where());
    if (*number < min || *number > max)
        return out_of_range(entry, range);
    return number;
}

Result<nanoseconds> time_between(const IniEntry& entry, nanoseconds min, nanoseconds max, const std::string& range) {
    auto time = parse_duration(entry.value);
    if (!time)
        return std::move(time).error().with_context(entry.where());
    if (*time < min || *time > max)
        return out_of_range(entry, range);
    return time;
}

template <typename Parsed, typename Target>
Result<void> store(Parsed&& parsed, Target& target) {
    if (!parsed)
        return parsed.error();
    target = *parsed;
    return {};
}

Result<void> set_sample_shift(const IniEntry& entry, Config& config) {
    if (entry.value == "auto") {
        config.sample_shift.reset();
        return {};
    }
    const auto shift = parse_uint(entry.value);
    if (!shift || *shift > 12)
        return out_of_range(entry, "0 to 12, or auto");
    config.sample_shift = static_cast<std::uint32_t>(*shift);
    return {};
}

Result<void> set_epoch(const IniEntry& entry, Config& config) {
    if (entry.value == "auto") {
        config.epoch.reset();
        return {};
    }
    return store(time_between(entry, milliseconds(100), minutes(1), "100ms to 1min, or auto"), config.epoch);
}

Result<void> set_objective(const IniEntry& entry, Config& config) {
    constexpr std::array<std::pair<std::string_view, core::Objective>, 4> objectives{{
        {"reuse", core::Objective::reuse},
        {"paper", core::Objective::paper},
        {"beta", core::Objective::beta},
        {"stall", core::Objective::stall},
    }};
    for (const auto& [name, objective] : objectives) {
        if (entry.value == name) {
            config.policy.objective = objective;
            return {};
        }
    }
    return Error(EINVAL, entry.where() + ": '" + entry.value + "' is none of reuse, paper, beta, stall");
}

// One goal for both objectives: with 1.05, five per cent more misses, or five per cent more time.
Result<void> set_beta(const IniEntry& entry, Config& config) {
    const auto beta = number_between(entry, 1, 10, "1 to 10");
    if (!beta)
        return beta.error();
    config.policy.rule.beta = *beta;
    config.policy.stall_rule.beta = *beta;
    return {};
}

Result<void> set_max_stall(const IniEntry& entry, Config& config) {
    if (entry.value == "none") {
        config.giving.pressure.max_stall.reset();
        return {};
    }
    return store(number_between(entry, 0.01, 1, "0.01 to 1, or none"), config.giving.pressure.max_stall);
}

Result<void> set_administrators_cap(const IniEntry& entry, Config& config) {
    return set_cap(entry, config.giving.caps);
}

// Lists every key with its range; tmmd.conf(5) and tmmd.conf list the same (a test compares them).
struct Key {
    std::string_view section;
    std::string_view name;
    Result<void> (*set)(const IniEntry&, Config&);
};

constexpr std::array<Key, 41> keys{{
    {"Sampling", "Epoch", set_epoch},
    {"Sampling", "SampleShift", set_sample_shift},
    {"Sampling", "MinEpoch",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), minutes(1), "1s to 1min"), config.pace.min_length);
     }},
    {"Sampling", "MaxEpoch",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), minutes(1), "1s to 1min"), config.pace.max_active);
     }},
    {"Sampling", "MaxIdleEpoch",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), minutes(5), "1s to 5min"), config.pace.max_idle);
     }},
    {"Sampling", "Footprint",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.01, 1, "0.01 to 1"), config.pace.footprint);
     }},
    {"Sampling", "CpuLearning",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.0001, 1, "0.0001 to 1"), config.pace.cpu_learning);
     }},
    {"Sampling", "CpuActive",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.0001, 1, "0.0001 to 1"), config.pace.cpu_active);
     }},
    {"Sampling", "CpuIdle",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.00001, 1, "0.00001 to 1"), config.pace.cpu_idle);
     }},
    {"Sampling", "Activity",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.001, 100, "0.001 to 100"), config.pace.activity);
     }},
    {"Histogram", "Alpha",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.0001, 1, "0.0001 to 1"), config.policy.ageing.alpha);
     }},
    {"Histogram", "AgeingPeriod",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), hours(24), "1s to 24h"), config.policy.ageing.period);
     }},
    {"Histogram", "LearningPeriod",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), hours(24), "1s to 24h"), config.policy.ageing.learning_period);
     }},
    {"Histogram", "LearningGrowth",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 100, "0 to 100"), config.policy.ageing.learning_growth);
     }},
    {"Histogram", "MaxLearning",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), hours(24), "1s to 24h"), config.policy.ageing.max_learning);
     }},
    {"Histogram", "NoiseDepth",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 0.9, "0 to 0.9"), config.policy.ageing.noise_depth);
     }},
    {"Histogram", "NoiseRate",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 1e9, "0 to 1e9"), config.policy.ageing.noise_rate_per_s);
     }},
    {"Histogram", "SavePeriod",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(10), hours(24), "10s to 24h"), config.save_period);
     }},
    {"Policy", "Objective", set_objective},
    {"Policy", "Beta", set_beta},
    {"Policy", "MissFloor",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 1e6, "0 to 1e6"), config.policy.rule.miss_floor_per_s);
     }},
    {"Policy", "StallFloor",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 1, "0 to 1"), config.policy.stall_rule.stall_floor);
     }},
    {"Policy", "BreakEven",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, minutes(1), hours(10'000), "1min to 10000h"), config.policy.keep.break_even);
     }},
    {"Policy", "MinOpaque",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.01, 1, "0.01 to 1"), config.policy.min_opaque);
     }},
    {"Policy", "Margin",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 0.5, "0 to 0.5"), config.policy.margin);
     }},
    {"Policy", "Confidence",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 10, "0 to 10"), config.policy.confidence);
     }},
    {"Return", "MinBreak",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(10), hours(24), "10s to 24h"), config.policy.returns.min_break);
     }},
    {"Return", "FirstInteraction",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, milliseconds(100), minutes(1), "100ms to 1min"),
                      config.policy.returns.first_interaction);
     }},
    {"Return", "Window",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, seconds(1), hours(1), "1s to 1h"), config.policy.returns.whole);
     }},
    {"Return", "Weight",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.001, 1, "0.001 to 1"), config.policy.returns.weight);
     }},
    {"Return", "FirstStall",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, milliseconds(1), minutes(1), "1ms to 1min"), config.policy.return_goal.first_stall);
     }},
    {"Return", "WholeStall",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, milliseconds(1), minutes(10), "1ms to 10min"), config.policy.return_goal.whole_stall);
     }},
    {"Owner", "MaxBytes", set_administrators_cap},
    {"Owner", "MaxPercent", set_administrators_cap},
    {"Owner", "OnlyWhenIdle", set_administrators_cap},
    {"Owner", "OnlyOnMains", set_administrators_cap},
    {"Owner", "QuietHours", set_administrators_cap},
    {"Owner", "IdleAfter",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, minutes(1), hours(24), "1min to 24h"), config.giving.idle_after);
     }},
    {"Pressure", "MaxStall", set_max_stall},
    {"Pressure", "MinHold",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, minutes(1), hours(24), "1min to 24h"), config.giving.pressure.min_hold);
     }},
    {"Pressure", "MaxHold",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, minutes(1), hours(24), "1min to 24h"), config.giving.pressure.max_hold);
     }},
}};

Result<void> apply(const IniEntry& entry, Config& config) {
    bool section_known = false;
    for (const Key& key : keys) {
        if (key.section != entry.section)
            continue;
        section_known = true;
        if (key.name == entry.key)
            return key.set(entry, config);
    }
    if (section_known)
        return Error(EINVAL, entry.where() + ": no such key in [" + entry.section + "]; see tmmd.conf(5)");
    return Error(EINVAL, entry.where() + ": no such section [" + entry.section + "]; see tmmd.conf(5)");
}

}  // namespace

Result<Config> make_config(const std::vector<IniEntry>& entries) {
    Config config;
    for (const IniEntry& entry : entries) {
        auto applied = apply(entry, config);
        if (!applied)
            return std::move(applied).error();
    }
    if (config.policy.min_opaque < config.policy.ageing.noise_depth) {
        // Paper, section 2.5: accesses above the noise depth are ignored, so pages up to it must be safe without them.
        return Error(EINVAL, "MinOpaque (" + format_fixed(config.policy.min_opaque, 2) + ") must not be below NoiseDepth (" +
                                 format_fixed(config.policy.ageing.noise_depth, 2) + ")");
    }
    if (config.pace.max_active < config.pace.min_length || config.pace.max_idle < config.pace.min_length)
        return Error(EINVAL, "MaxEpoch and MaxIdleEpoch must not be below MinEpoch");
    if (config.giving.pressure.max_hold < config.giving.pressure.min_hold)
        return Error(EINVAL, "MaxHold must not be below MinHold");
    return config;
}

}  // namespace tmm::config
