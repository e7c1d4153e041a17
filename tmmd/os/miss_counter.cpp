// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/miss_counter.hpp"

#include <cerrno>

#include "base/units.hpp"

namespace tmm::os {

namespace {

constexpr std::string_view major_faults = "pgmajfault";

}  // namespace

Result<std::uint64_t> parse_stat(std::string_view text, std::string_view name) {
    while (!text.empty()) {
        const auto end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        if (line.size() > name.size() && line.starts_with(name) && line[name.size()] == ' ') {
            auto value = parse_uint(line.substr(name.size() + 1));
            if (!value)
                return std::move(value).error().with_context(std::string(name));
            return value;
        }
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return Error(ENODATA, "no line " + std::string(name));
}

Result<std::uint64_t> MissCounter::count(const std::vector<std::string>& transparent_cgroups) {
    const auto vmstat = root_.read_file("proc/vmstat");
    if (!vmstat)
        return vmstat.error();
    auto machine = parse_stat(*vmstat, major_faults);
    if (!machine)
        return std::move(machine).error().with_context(root_.name_of("proc/vmstat"));

    std::map<std::string, std::uint64_t> cgroup_faults;
    std::uint64_t transparent_new = 0;
    for (const std::string& cgroup : transparent_cgroups) {
        const auto text = root_.read_file(cgroup + "/memory.stat");
        if (!text)
            continue;  // it vanished, or has no memory controller: nothing to subtract
        const auto faults = parse_stat(*text, major_faults);
        if (!faults)
            continue;
        const auto before = cgroup_faults_.find(cgroup);
        const std::uint64_t known = before == cgroup_faults_.end() ? 0 : before->second;
        // Fewer than before: another cgroup under the same name.
        transparent_new += *faults >= known ? *faults - known : *faults;
        cgroup_faults.emplace(cgroup, *faults);
    }
    const std::uint64_t machine_new = *machine >= machine_faults_ ? *machine - machine_faults_ : 0;
    machine_faults_ = *machine;
    cgroup_faults_ = std::move(cgroup_faults);
    if (!started_) {
        started_ = true;
        return std::uint64_t{0};
    }
    // The two files are not read at the same instant.
    return machine_new > transparent_new ? machine_new - transparent_new : 0;
}

}  // namespace tmm::os
