// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/opaque_processes.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

namespace tmm::os {

namespace {

// Returns the path in the line "0::/path" of /proc/PID/cgroup; empty if there is none.
std::string path_in(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = next_line(text);
        if (line.starts_with("0::"))
            return std::string(line.substr(3));
    }
    return {};
}

}  // namespace

bool has_ended(int code) {
    return code == ENOENT || code == ESRCH;
}

bool is_refusal(int code) {
    return code == EACCES || code == EPERM;
}

Result<std::vector<OpaqueProcess>> opaque_processes(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    auto names = root.list_dirs("proc");
    if (!names)
        return std::move(names).error();
    std::erase_if(*names, [](const std::string& name) { return !parse_uint(name); });
    std::vector<OpaqueProcess> processes;
    for (std::size_t i = 0; i < std::min(names->size(), max_processes); ++i) {
        const auto text = root.read_file("proc/" + (*names)[i] + "/cgroup");
        if (!text && !has_ended(text.error().code()))
            return text.error();
        std::string cgroup = text ? path_in(*text) : std::string();
        if (text && !is_below(cgroup, transparent_cgroups))
            processes.push_back({(*names)[i], std::move(cgroup)});
    }
    return processes;
}

}  // namespace tmm::os
