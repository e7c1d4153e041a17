// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/peer_user.hpp"

#include <cstdint>
#include <limits>
#include <string>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/contribution.hpp"

namespace tmm::os {

std::string_view path_in(std::string_view text) {
    constexpr std::string_view v2 = "0::";
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with(v2))
            return line.substr(v2.size());
    }
    return {};
}

std::optional<uid_t> session_user(std::string_view cgroup) {
    constexpr std::string_view before = "/user.slice/user-";
    constexpr std::string_view after = ".slice";
    if (!cgroup.starts_with(before))
        return std::nullopt;
    const std::string_view rest = cgroup.substr(before.size());
    const std::string_view name = rest.substr(0, rest.find('/'));
    if (!name.ends_with(after))
        return std::nullopt;
    const auto user = parse_uint(name.substr(0, name.size() - after.size()));
    if (!user || *user > std::numeric_limits<uid_t>::max())
        return std::nullopt;
    return static_cast<uid_t>(*user);
}

std::optional<uid_t> user_of_peer(const RootDir& root, pid_t process, uid_t user) {
    const std::string folder = "proc/" + std::to_string(process);
    const auto cgroup = root.read_file(folder + "/cgroup");
    const auto status = root.read_file(folder + "/status");
    // Its number may be another process's by now.
    if (!cgroup || !status || parse_only_user(*status) != user)
        return std::nullopt;
    return session_user(path_in(*cgroup)).value_or(user);
}

Bytes memory_of_peer(const RootDir& root, pid_t process) {
    const auto status = root.read_file("proc/" + std::to_string(process) + "/status");
    const auto resident = status ? parse_meminfo_bytes(*status, "VmRSS") : Result<std::uint64_t>(status.error());
    return Bytes(resident ? *resident : 0);
}

}  // namespace tmm::os
