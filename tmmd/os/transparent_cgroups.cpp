// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/transparent_cgroups.hpp"

#include <fcntl.h>
#include <sys/xattr.h>

#include <array>
#include <cerrno>
#include <string_view>

#include "base/units.hpp"

namespace tmm::os {

namespace {

bool has_class_attribute(const RootDir& root, const std::string& cgroup) {
    const auto fd = root.open_file(cgroup, O_RDONLY | O_DIRECTORY);
    if (!fd)
        return false;
    std::array<char, 32> value{};
    const ssize_t size = ::fgetxattr(fd->get(), "user.tmm.class", value.data(), value.size());
    return size > 0 && std::string_view(value.data(), static_cast<std::size_t>(size)) == "transparent";
}

void collect(const RootDir& root, const std::string& cgroup, std::vector<std::string>& found) {
    const auto children = root.list_dirs(cgroup);
    if (!children)
        return;
    for (const std::string& name : *children) {
        const std::string child = cgroup + "/" + name;
        if (name == "transparent.slice" || has_class_attribute(root, child))
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
