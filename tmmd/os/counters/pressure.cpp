// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/counters/pressure.hpp"

#include <algorithm>
#include <cerrno>

#include "base/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

// A user may make as many cgroups as memory allows; those above the bound count as without stall.
constexpr std::size_t max_cgroups = 256;

void collect(const RootDir& root, const std::string& cgroup, const std::vector<std::string>& transparent,
             std::vector<std::string>& found) {
    const auto children = root.list_dirs(cgroup);
    if (!children)
        return;
    for (const std::string& name : *children) {
        const std::string child = cgroup + "/" + name;
        const auto holds = [&](const std::string& top) { return top == child || top.starts_with(child + "/"); };
        const bool mixed = std::any_of(transparent.begin(), transparent.end(), holds);
        if (!mixed && found.size() < max_cgroups)
            found.push_back(child);
        else if (mixed && std::find(transparent.begin(), transparent.end(), child) == transparent.end())
            collect(root, child, transparent, found);
    }
}

std::uint64_t rise(std::optional<std::uint64_t>& counter, std::uint64_t now) {
    const std::uint64_t before = counter.value_or(now);
    counter = now;
    return now - std::min(now, before);
}

}  // namespace

std::vector<std::string> opaque_cgroups(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    std::vector<std::string> found;
    collect(root, cgroup_mount, transparent_cgroups, found);
    return found;
}

// Returns nothing if the kernel does not count.
std::optional<std::uint64_t> OpaquePressure::new_stall_us(const std::vector<std::string>& transparent_cgroups) {
    const auto read = [](PersistentFile& file) -> std::optional<std::uint64_t> {
        const auto text = file.read();
        const auto us = text ? parse_pressure_us(*text, "some") : Result<std::uint64_t>(text.error());
        return us ? std::optional(*us) : std::nullopt;
    };
    const auto machine_now = read(machine_);
    if (!machine_now)
        return std::nullopt;
    const std::uint64_t machine = rise(machine_us_, *machine_now);

    const std::vector<std::string> cgroups = opaque_cgroups(root_, transparent_cgroups);
    std::erase_if(cgroups_, [&](const auto& entry) { return !std::binary_search(cgroups.begin(), cgroups.end(), entry.first); });
    std::uint64_t sum = 0;
    bool counted = false;
    for (const std::string& cgroup : cgroups) {
        Counted& known =
            cgroups_.try_emplace(cgroup, Counted{PersistentFile(root_, cgroup + "/memory.pressure"), {}}).first->second;
        if (const auto us = read(known.file)) {
            sum += rise(known.us, *us);
            counted = true;
        }
    }
    return counted ? std::min(sum, machine) : machine;
}

std::optional<double> OpaquePressure::share(const std::vector<std::string>& transparent_cgroups, core::AwakeTime now) {
    if (readings_.empty() || now - readings_.back().time >= min_interval) {
        const auto stall = new_stall_us(transparent_cgroups);
        if (!stall) {
            readings_.clear();
            machine_us_.reset();
            return std::nullopt;
        }
        const std::uint64_t before = readings_.empty() ? 0 : readings_.back().stalled_us;
        readings_.push_back({now, readings_.empty() ? 0 : before + *stall});
        // The second oldest still covers the window.
        while (readings_.size() > 2 && now - readings_[1].time >= window)
            readings_.pop_front();
    }
    const core::Seconds seen = readings_.back().time - readings_.front().time;
    if (seen.count() <= 0)
        return std::nullopt;
    const auto stalled_us = static_cast<double>(readings_.back().stalled_us - readings_.front().stalled_us);
    return std::min(stalled_us / 1e6 / seen.count(), 1.0);
}

}  // namespace tmm::os
