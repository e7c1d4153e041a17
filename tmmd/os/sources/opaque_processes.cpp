// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/opaque_processes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/peer_user.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {}  // namespace

bool has_ended(int code) {
    return code == ENOENT || code == ESRCH;
}

bool is_refusal(int code) {
    return code == EACCES || code == EPERM;
}

Result<OpaqueProcesses> opaque_processes(const RootDir& root, const std::vector<std::string>& transparent_cgroups,
                                         std::size_t max_per_user) {
    const auto names = root.list_dirs("proc");
    if (!names)
        return names.error();
    std::vector<std::uint64_t> numbers;
    for (const std::string& name : *names) {
        if (const auto number = parse_uint(name))
            numbers.push_back(*number);
    }
    std::sort(numbers.begin(), numbers.end());
    UserBudget budget(max_per_user, 2);
    std::map<std::string, uid_t> users;  // by cgroup
    OpaqueProcesses processes;
    std::optional<Error> unreadable;
    bool any_read = false;
    for (const std::uint64_t number : numbers) {
        const auto text = root.read_file("proc/" + std::to_string(number) + "/cgroup");
        any_read |= text.has_value();
        if (!text && !has_ended(text.error().code()))
            unreadable = text.error();
        if (!text)
            continue;
        std::string cgroup(path_in(*text));
        if (is_below(cgroup, transparent_cgroups))
            continue;
        const auto user = users.find(cgroup);
        const uid_t of_user = user == users.end() ? users[cgroup] = user_of(root, cgroup_mount + cgroup) : user->second;
        if (budget.take(of_user))
            processes.list.push_back({std::to_string(number), std::move(cgroup), of_user});
    }
    processes.left_out = budget.exceeded();
    if (unreadable && !any_read)
        return *unreadable;
    return processes;
}

}  // namespace tmm::os
