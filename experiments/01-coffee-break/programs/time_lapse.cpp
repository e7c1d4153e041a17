// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "time_lapse.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "base/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::coffee {

namespace {

// The minima of keys (tmmd.conf(5)); other times may become 1 ms.
struct MinTime {
    std::string_view key;
    double ms;
};
constexpr std::array<MinTime, 14> min_times{{{"MinEpoch", 1000},
                                             {"MaxEpoch", 1000},
                                             {"MaxIdleEpoch", 1000},
                                             {"AgeingPeriod", 1000},
                                             {"LearningPeriod", 1000},
                                             {"MaxLearning", 1000},
                                             {"SavePeriod", 10000},
                                             {"MinBreak", 10000},
                                             {"FirstInteraction", 100},
                                             {"Window", 1000},
                                             {"BreakEven", 60000},
                                             {"IdleAfter", 60000},
                                             {"MinHold", 60000},
                                             {"MaxHold", 60000}}};

constexpr std::array<std::string_view, 2> counts_a_second{"NoiseRate", "MissFloor"};
// A scan takes the time that it takes, but there are `factor` times as many in a second.
constexpr std::array<std::string_view, 3> processor_shares{"CpuLearning", "CpuActive", "CpuIdle"};

template <typename Names>
bool contains(const Names& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

double min_ms(std::string_view key) {
    const auto* found = std::find_if(min_times.begin(), min_times.end(), [&](const auto& time) { return time.key == key; });
    return found == min_times.end() ? 1 : found->ms;
}

std::string entry(std::string_view key, const std::string& value, bool bounded) {
    return (bounded ? "# the nearest bound\n" : "") + std::string(key) + '=' + value + '\n';
}

// Returns the key's line; empty if no time is in its value.
Result<std::string> lapsed(std::string_view key, std::string_view value, double factor) {
    if (contains(counts_a_second, key) || contains(processor_shares, key)) {
        const auto number = parse_double(value);
        if (!number)
            return number.error();
        const double wanted = *number * factor;
        const bool bounded = contains(processor_shares, key) && wanted > 1;
        return entry(key, format_fixed(bounded ? 1 : wanted, 6), bounded);
    }
    const auto time = parse_duration(value);
    // A number without a unit, a word or a share is no time.
    if (!time || time->count() == 0)
        return std::string();
    const double wanted_ms = std::chrono::duration<double, std::milli>(*time).count() / factor;
    const bool bounded = wanted_ms < min_ms(key);
    return entry(key, format_fixed(bounded ? min_ms(key) : wanted_ms, 6) + "ms", bounded);
}

}  // namespace

Result<std::string> time_lapse_conf(std::string_view shipped, double factor) {
    if (!(factor >= 1))
        return Error(EINVAL, "a time-lapse has a factor of at least 1");
    std::string conf = "# tmmd's defaults in a time-lapse: a second stands for " + format_fixed(factor, 0) + "\n";
    while (!shipped.empty()) {
        const std::size_t end = std::min(shipped.find('\n'), shipped.size());
        const std::string_view line = trim(shipped.substr(0, end));
        shipped.remove_prefix(std::min(end + 1, shipped.size()));
        if (line.starts_with('[')) {
            conf += std::string(line) + '\n';
            continue;
        }
        // A comment in words has a blank after the '#'.
        const std::size_t equals = line.find('=');
        if (!line.starts_with('#') || equals == std::string_view::npos ||
            line.substr(0, equals).find(' ') != std::string_view::npos)
            continue;
        const std::string_view key = line.substr(1, equals - 1);
        auto changed = lapsed(key, line.substr(equals + 1), factor);
        if (!changed)
            return std::move(changed.error()).with_context(std::string(key));
        conf += *changed;
    }
    return conf;
}

}  // namespace tmm::coffee
