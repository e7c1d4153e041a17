// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/cgroup_processes.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"

namespace tmm::os {

namespace {

// In cgroup.procs, with its line end.
constexpr std::size_t max_pid_bytes = 12;

void collect(const OpenCgroup& cgroup, std::size_t max_processes, std::vector<pid_t>& pids, std::size_t& cgroups_left) {
    if (cgroups_left == 0)
        return;
    --cgroups_left;
    const auto text = cgroup.dir().read_file("cgroup.procs", max_pid_bytes * max_processes);
    for (std::string_view rest = text ? *text : std::string_view(); !rest.empty() && pids.size() < max_processes;) {
        const auto pid = parse_uint(next_line(rest));
        // 0 stands for a process of another pid namespace.
        if (pid && *pid > 0 && *pid <= static_cast<std::uint64_t>(std::numeric_limits<pid_t>::max()))
            pids.push_back(static_cast<pid_t>(*pid));
    }
    for (const std::string& name : cgroup.children(cgroups_left)) {
        if (cgroups_left == 0)
            return;
        if (const auto child = cgroup.child(name))
            collect(*child, max_processes, pids, cgroups_left);
    }
}

}  // namespace

std::vector<pid_t> processes_below(const RootDir& cgroup, std::size_t max_processes, std::size_t max_cgroups) {
    std::vector<pid_t> pids;
    if (const auto top = OpenCgroup::open(cgroup, "."))
        collect(*top, max_processes, pids, max_cgroups);
    return pids;
}

}  // namespace tmm::os
