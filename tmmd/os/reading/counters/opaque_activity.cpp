// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/opaque_activity.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/reading/counters/counted_time.hpp"

namespace tmm::os {

namespace {

constexpr const char* root_cpu_stat = "sys/fs/cgroup/cpu.stat";
constexpr const char* proc_stat = "proc/stat";
constexpr std::string_view cpu_time = "usage_usec";

std::uint64_t user_hz() {
    return static_cast<std::uint64_t>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

Result<std::uint64_t> parse_cpu_time_us(std::string_view text, std::uint64_t ticks_per_second) {
    std::string_view line = next_line(text);
    if (next_word(line) != "cpu")
        return Error(EINVAL, "line 1: does not start with 'cpu'");
    // user, nice, system, idle, iowait, irq, softirq. user and nice include the time of guests.
    constexpr std::array is_work{true, true, true, false, false, true, true};
    std::uint64_t ticks = 0;
    for (const bool counts : is_work) {
        const auto number = parse_uint(next_word(line));
        if (!number)
            return Error(EINVAL, "line 1: " + number.error().message());
        if (counts && __builtin_add_overflow(ticks, *number, &ticks))
            return Error(ERANGE, "line 1: the sum is above 2^64 - 1");
    }
    constexpr std::uint64_t us_per_second = 1'000'000;
    const std::uint64_t part_of_second = ticks % ticks_per_second * us_per_second / ticks_per_second;
    std::uint64_t us = 0;
    if (__builtin_mul_overflow(ticks / ticks_per_second, us_per_second, &us) || __builtin_add_overflow(us, part_of_second, &us))
        return Error(ERANGE, "line 1: more than 2^64 - 1 microseconds");
    return us;
}

OpaqueCpu::OpaqueCpu(const RootDir& root)
    : root_(root), machine_path_(root.exists(root_cpu_stat) ? root_cpu_stat : proc_stat), machine_(root, machine_path_) {}

Result<std::uint64_t> OpaqueCpu::machine_us() {
    const auto text = machine_.read();
    if (!text)
        return text.error();
    auto us = machine_path_ == proc_stat ? parse_cpu_time_us(*text, user_hz()) : parse_stat(*text, cpu_time);
    if (!us)
        return std::move(us).error().with_context(root_.name_of(machine_path_));
    return us;
}

Result<std::chrono::nanoseconds> OpaqueCpu::read_delta(const std::vector<std::string>& transparent_cgroups) {
    const auto machine = machine_us();
    if (!machine)
        return machine.error();
    std::erase_if(cgroups_, [&](const auto& entry) {
        return std::find(transparent_cgroups.begin(), transparent_cgroups.end(), entry.first) == transparent_cgroups.end();
    });
    using Counters = OpaqueDelta<1>::Counters;
    const auto [us] =
        delta_.read_delta({*machine}, transparent_cgroups, [&](const std::string& cgroup) -> std::optional<Counters> {
            PersistentFile& file = cgroups_.try_emplace(cgroup, root_, cgroup + "/cpu.stat").first->second;
            const auto text = file.read();
            if (!text)
                return std::nullopt;
            const auto used = parse_stat(*text, cpu_time);
            return used ? std::optional(Counters{*used}) : std::nullopt;
        });
    return counted_time<std::chrono::microseconds>(us);
}

Result<RefaultsByKind> OpaqueRefaults::read_delta(const std::vector<std::string>& transparent_cgroups) {
    const auto refaults = delta_.read_delta(transparent_cgroups);
    if (!refaults)
        return refaults.error();
    return RefaultsByKind{(*refaults)[0], (*refaults)[1]};
}

}  // namespace tmm::os
