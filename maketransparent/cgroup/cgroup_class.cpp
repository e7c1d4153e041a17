// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/cgroup_class.hpp"

#include <cerrno>
#include <string_view>

#include "base/cgroups/transparent_class.hpp"
#include "base/units.hpp"
#include "maketransparent/process/names.hpp"

namespace tmm {

bool has_mark(const RootDir& cgroup) {
    if (has_transparent_attribute(cgroup))
        return true;
    const auto flag = cgroup.read_file("memory.transparent");
    return flag && trim(*flag) == "1";
}

bool set_kernel_mark(const RootDir& cgroup) {
    return cgroup.write_file("memory.transparent", "1").has_value();
}

Result<void> set_mark(const RootDir& cgroup) {
    const std::string path = cgroup.name_of("");
    if (is_whole_session(std::string_view(path).substr(path.rfind('/') + 1)))
        return Error(EINVAL, path + " has a whole session below it: mark the cgroup of one program");
    auto attribute_set = set_transparent_attribute(cgroup);
    const bool flag_set = set_kernel_mark(cgroup);
    if (flag_set || in_transparent_slice(cgroup.name_of("")))
        return {};
    return attribute_set;
}

bool is_transparent(const RootDir& root, const CgroupMount& mount, const std::string& cgroup) {
    if (in_transparent_slice(cgroup))
        return true;
    std::string path = cgroup;
    while (path.size() > 1) {
        const auto dir = root.subdir(mount.dir_of(path));
        if (dir && has_mark(*dir))
            return true;
        path.resize(path.find_last_of('/'));
    }
    return false;
}

bool has_memory_controller(const RootDir& cgroup) {
    const auto controllers = cgroup.read_file("cgroup.controllers");
    if (!controllers)
        return false;
    return (" " + std::string(trim(*controllers)) + " ").find(" memory ") != std::string::npos;
}

std::string no_memory_warning(const RootDir& cgroup) {
    return cgroup.name_of("") +
           " has no memory controller, so its memory counts as the owner's: write +memory to the cgroup.subtree_control of the "
           "cgroups above it, or, where cgroup v1 holds the controller, start the system with systemd.unified_cgroup_hierarchy=1";
}

}  // namespace tmm
