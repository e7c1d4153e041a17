// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/config/config.hpp"

#include <array>
#include <cerrno>
#include <utility>

#include "base/units.hpp"
#include "tmmd/config/owner_conf.hpp"

namespace tmm::config {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::nanoseconds;

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
    if (entry.value == "reuse" || entry.value == "paper") {
        config.policy.objective = entry.value == "paper" ? core::Objective::paper : core::Objective::reuse;
        return {};
    }
    return Error(EINVAL, entry.where() + ": '" + entry.value + "' is neither reuse nor paper");
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

constexpr std::array<Key, 14> keys{{
    {"Sampling", "Epoch", set_epoch},
    {"Sampling", "SampleShift", set_sample_shift},
    {"Policy", "Objective", set_objective},
    {"Policy", "BreakEven",
     [](const IniEntry& entry, Config& config) {
         return store(time_between(entry, minutes(1), hours(10'000), "1min to 10000h"), config.policy.keep.break_even);
     }},
    {"Policy", "Margin",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0, 0.5, "0 to 0.5"), config.policy.margin);
     }},
    {"Policy", "MinOpaque",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 0.01, 1, "0.01 to 1"), config.policy.min_opaque);
     }},
    {"Policy", "Beta",
     [](const IniEntry& entry, Config& config) {
         return store(number_between(entry, 1, 10, "1 to 10"), config.policy.rule.beta);
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
    return config;
}

}  // namespace tmm::config
