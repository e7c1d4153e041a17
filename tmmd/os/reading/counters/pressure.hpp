// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OpaquePressure: measures the stall, the share of time in which at least one opaque task waited for memory (PSI, "some"). Tasks
// wait for a page to be read back, for reclaim, or for a throttled allocation.
//
// The kernel counts per cgroup, and overlapping times of several cgroups cannot be separated. The measure is therefore the sum
// over the largest cgroups that hold opaque tasks only, at most the machine's own count. It is never too low, but too high if
// several wait at once. Tasks of the root cgroup count only if there is no other cgroup; the kernel's own threads (kswapd) do
// not. Called from one thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/clocks.hpp"
#include "tmmd/core/pages.hpp"
#include "tmmd/os/reading/counters/persistent_file.hpp"

namespace tmm::os {

// Bounds the cgroups on the way to contributions and beside it, which users may make without end. Each user has a bound, so that
// nobody can hide the programs of another. Those beyond count as without stall.
inline constexpr std::size_t max_opaque_per_user = 128;
inline constexpr std::size_t max_opaque_of_root = 1024;

// The largest cgroups with no transparent one in them, below the root directory. transparent_cgroups: the topmost, sorted.
std::vector<std::string> opaque_cgroups(const RootDir& root, const std::vector<std::string>& transparent_cgroups);

// OpaqueWaiting: counts the time in which at least one opaque task waited for memory.
class OpaqueWaiting {
public:
    // If only the machine's waiting can be told, the count has all of it, or what is surely not that of contributions.
    enum class Doubt : std::uint8_t { count, leave_out };

    // root must outlive it.
    OpaqueWaiting(const RootDir& root, Doubt doubt) : root_(root), doubt_(doubt), machine_(root, "proc/pressure/memory") {}

    // Returns the time since the first reading; a cgroup that appears brings no past. transparent_cgroups: the topmost, sorted.
    // Nothing: a kernel without PSI.
    std::optional<std::chrono::microseconds> read(const std::vector<std::string>& transparent_cgroups);

private:
    struct Counted {
        PersistentFile file;
        std::optional<std::uint64_t> us;
    };
    using Counters = std::map<std::string, Counted>;

    std::optional<std::uint64_t> rise_of(Counters& counters, const std::vector<std::string>& cgroups);

    const RootDir& root_;
    Doubt doubt_;
    PersistentFile machine_;
    std::optional<std::uint64_t> machine_us_;
    Counters opaque_;
    Counters transparent_;
    std::chrono::microseconds waited_{0};
};

class OpaquePressure {
public:
    static constexpr core::Seconds window{60};
    // Calls at shorter intervals return the last result.
    static constexpr core::Seconds min_interval{5};

    // root must outlive it.
    explicit OpaquePressure(const RootDir& root) : waiting_(root, OpaqueWaiting::Doubt::count) {}

    // Returns the stall of the last minute, or of the shorter time measured so far, in [0, 1]. transparent_cgroups: the topmost,
    // sorted. Nothing: too early, or a kernel without PSI.
    std::optional<double> share(const std::vector<std::string>& transparent_cgroups, core::AwakeTime now);

private:
    struct Reading {
        core::AwakeTime time{};
        std::chrono::microseconds waited{0};
    };

    OpaqueWaiting waiting_;
    std::deque<Reading> readings_;
};

}  // namespace tmm::os
