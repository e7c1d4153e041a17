// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/transparent_cgroups.hpp"

#include <algorithm>
#include <cerrno>

#include "base/transparent_class.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

bool is_marked(const RootDir& root, const std::string& cgroup) {
    const auto dir = root.subdir(cgroup);
    return dir && has_transparent_attribute(*dir);
}

void collect(const RootDir& root, const std::string& cgroup, std::vector<std::string>& found) {
    const auto children = root.list_dirs(cgroup);
    if (!children)
        return;
    for (const std::string& name : *children) {
        const std::string child = cgroup + "/" + name;
        if (name == transparent_slice || is_marked(root, child))
            found.push_back(child);
        else
            collect(root, child, found);
    }
}

}  // namespace

Result<std::vector<std::string>> find_transparent_cgroups(const RootDir& root) {
    if (!root.exists(std::string(cgroup_mount) + "/cgroup.controllers"))
        return Error(
            ENOENT, root.name_of(cgroup_mount) + " is not a cgroup v2 file system: boot with systemd.unified_cgroup_hierarchy=1");
    std::vector<std::string> found;
    collect(root, cgroup_mount, found);
    return found;
}

bool is_below(std::string_view cgroup, const std::vector<std::string>& transparent) {
    std::string path(cgroup_mount);
    path += cgroup;
    return std::any_of(transparent.begin(), transparent.end(), [&](const std::string& top) {
        return path.starts_with(top) && (path.size() == top.size() || path[top.size()] == '/');
    });
}

MarkResult mark_transparent(const RootDir& root, const std::string& cgroup) {
    const std::string file = cgroup + "/memory.transparent";
    const auto now = root.read_file(file);
    if (!now) {
        const bool vanished = !root.exists(cgroup);
        return {false, vanished ? "" : now.error().message() + " (is the memory controller on in the cgroup above?)"};
    }
    if (trim(*now) == "1")
        return {};
    const auto written = root.write_file(file, "1");
    if (!written)
        return {false, root.exists(cgroup) ? written.error().message() : ""};
    return {true, ""};
}

}  // namespace tmm::os
