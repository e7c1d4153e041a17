// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OpaqueDelta: computes the opaque class's share of counters that only rise: the machine's increase less that of the transparent
// cgroups. It reads N counters together. Not thread-safe; no errors of its own.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tmm::os {

template <std::size_t N>
class OpaqueDelta {
public:
    using Counters = std::array<std::uint64_t, N>;
    using Changes = std::array<std::int64_t, N>;

    static Counters at_least_zero(const Changes& changes) {
        Counters counts{};
        for (std::size_t i = 0; i < N; ++i)
            counts[i] = static_cast<std::uint64_t>(std::max<std::int64_t>(changes[i], 0));
        return counts;
    }

    // Returns opaque counts since the last call; zeros at the first. machine: the machine's counters now. read_cgroup(path):
    // those of a transparent cgroup as std::optional<Counters>, nothing if it vanished or has none. No cgroup may lie inside
    // another. A new cgroup counts from its start. The last counts of a vanished one are counted as opaque.
    template <typename ReadCgroup>
    Counters read_delta(const Counters& machine, const std::vector<std::string>& transparent_cgroups, ReadCgroup read_cgroup) {
        return at_least_zero(read_change(machine, transparent_cgroups, std::move(read_cgroup)));
    }

    // The same, but below zero where the cgroups counted more than the machine: the files are not read at the same instant, and
    // what the kernel shows of a cgroup lags behind.
    template <typename ReadCgroup>
    Changes read_change(const Counters& machine, const std::vector<std::string>& transparent_cgroups, ReadCgroup read_cgroup) {
        std::map<std::string, Counters> cgroups;
        Counters transparent_new{};
        for (const std::string& path : transparent_cgroups) {
            const std::optional<Counters> now = read_cgroup(path);
            if (!now)
                continue;
            const auto known = cgroups_.find(path);
            const Counters before = known == cgroups_.end() ? Counters{} : known->second;
            for (std::size_t i = 0; i < N; ++i)
                // Fewer than before: another cgroup has the name now.
                transparent_new[i] += (*now)[i] >= before[i] ? (*now)[i] - before[i] : (*now)[i];
            cgroups.emplace(path, *now);
        }
        Changes opaque_new{};
        if (machine_) {
            for (std::size_t i = 0; i < N; ++i)
                opaque_new[i] = bounded(machine[i] - std::min(machine[i], (*machine_)[i])) - bounded(transparent_new[i]);
        }
        machine_ = machine;
        cgroups_ = std::move(cgroups);
        return opaque_new;
    }

private:
    static std::int64_t bounded(std::uint64_t count) {
        constexpr auto most = std::numeric_limits<std::int64_t>::max();
        return static_cast<std::int64_t>(std::min(count, static_cast<std::uint64_t>(most)));
    }

    std::optional<Counters> machine_;  // nothing before the first call
    std::map<std::string, Counters> cgroups_;
};

}  // namespace tmm::os
