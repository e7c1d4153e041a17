// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/ctl/processes.hpp"

#include <libproc2/pids.h>

#include <array>
#include <cerrno>
#include <memory>

#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::ctl {

namespace {

enum Item { pid, user, command, resident_kib, cgroups, item_count };

// In place of PIDS_VAL(), which takes four arguments in libproc2 4.0.2 and three in later versions.
const auto& value_of(const pids_stack& stack, Item item) {
    return stack.head[item].result;
}

// Returns the path in cgroup v2 among the lines of /proc/PID/cgroup; empty if there is none.
std::string_view cgroup_of(char** lines) {
    for (; lines != nullptr && *lines != nullptr; ++lines) {
        const std::string_view line = *lines;
        if (line.starts_with("0::"))
            return line.substr(3);
    }
    return {};
}

struct Unref {
    void operator()(pids_info* info) const { ::procps_pids_unref(&info); }
};

}  // namespace

Result<std::vector<Process>> read_processes(const RootDir& root) {
    // Without cgroup v2 there are no contributions.
    const auto transparent = os::find_transparent_cgroups(root);
    std::array<pids_item, item_count> items{PIDS_ID_PID, PIDS_ID_EUID, PIDS_CMD, PIDS_MEM_RES, PIDS_CGROUP_V};
    pids_info* opened = nullptr;
    if (const int error = ::procps_pids_new(&opened, items.data(), item_count); error < 0)
        return Error::from_errno(-error, "processes");
    const std::unique_ptr<pids_info, Unref> info(opened);
    const pids_fetch* fetched = ::procps_pids_reap(info.get(), PIDS_FETCH_TASKS_ONLY);
    if (fetched == nullptr)
        return Error::from_errno(errno, "processes");
    std::vector<Process> processes;
    for (int i = 0; i < fetched->counts->total; ++i) {
        const pids_stack& stack = *fetched->stacks[i];
        if (value_of(stack, resident_kib).ul_int == 0)
            continue;
        Process process;
        process.pid = static_cast<std::uint32_t>(value_of(stack, pid).s_int);
        process.user = value_of(stack, user).u_int;
        process.command = value_of(stack, command).str;
        process.memory_bytes = std::uint64_t{value_of(stack, resident_kib).ul_int} * 1024;
        process.transparent = transparent && os::is_below(cgroup_of(value_of(stack, cgroups).strv), *transparent);
        processes.push_back(std::move(process));
    }
    return processes;
}

}  // namespace tmm::ctl
