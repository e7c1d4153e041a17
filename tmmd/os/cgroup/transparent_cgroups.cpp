// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "base/transparent_class.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

uid_t owner_of(const RootDir& dir) {
    struct stat status {};
    return ::fstat(dir.fd(), &status) == 0 ? status.st_uid : 0;
}

class Search {
public:
    Search(const RootDir& root, std::size_t max_per_user) : root_(root), max_per_user_(max_per_user) {}

    // Searches below a cgroup. A child of a root-owned directory counts for its own owner, any other for the user who owns the
    // directory.
    void below(const std::string& cgroup, uid_t owner) {
        const auto children = root_.list_dirs(cgroup);
        if (!children)
            return;
        for (const std::string& name : *children) {
            const std::string child = cgroup + "/" + name;
            if (owner != 0 && seen_[owner] >= max_per_user_)
                return;
            const auto dir = root_.subdir(child);
            if (!dir)
                continue;
            const uid_t child_owner = owner != 0 ? owner : owner_of(*dir);
            if (seen_[child_owner]++ >= max_per_user_)
                continue;
            if (name == transparent_slice || has_transparent_attribute(*dir))
                found_.push_back(child);
            else
                below(child, child_owner);
        }
    }
    std::vector<std::string> take_found() { return std::move(found_); }

private:
    const RootDir& root_;
    std::size_t max_per_user_;
    std::map<uid_t, std::size_t> seen_;
    std::vector<std::string> found_;
};

}  // namespace

Result<std::vector<std::string>> find_transparent_cgroups(const RootDir& root, std::size_t max_per_user) {
    if (!root.exists(std::string(cgroup_mount) + "/cgroup.controllers"))
        return Error(
            ENOENT, root.name_of(cgroup_mount) + " is not a cgroup v2 file system: boot with systemd.unified_cgroup_hierarchy=1");
    Search search(root, max_per_user);
    search.below(cgroup_mount, 0);
    return search.take_found();
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
