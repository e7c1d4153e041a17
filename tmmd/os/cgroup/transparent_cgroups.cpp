// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/transparent_cgroups.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>

#include "base/bounds/user_budget.hpp"
#include "base/cgroups/exceptions.hpp"
#include "base/cgroups/transparent_class.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"

namespace tmm::os {

namespace {

struct CloseDir {
    void operator()(DIR* stream) const { ::closedir(stream); }
};

class Search {
public:
    explicit Search(std::size_t max_per_user) : seen_(max_per_user, 4) {}

    // Searches below a cgroup. A child of a root-owned directory counts for its own owner, any other for the user who owns the
    // directory.
    void below(const OpenCgroup& cgroup, bool counts) {
        // Comes first, so that many neighbours cannot hide it.
        if (cgroup.dir().exists(transparent_slice))
            look_at(cgroup, std::string(transparent_slice), counts);
        for (const std::string& name : cgroup.children(seen_.left(cgroup.user()) + 1)) {
            if (name != transparent_slice)
                look_at(cgroup, name, counts);
        }
    }
    MarkedCgroups take_found() {
        std::sort(found_.transparent.begin(), found_.transparent.end());
        std::sort(found_.uncounted.begin(), found_.uncounted.end());
        return std::move(found_);
    }

private:
    // counts: no cgroup above is marked as uncounted.
    void look_at(const OpenCgroup& parent, const std::string& name, bool counts) {
        const auto child = seen_.left(parent.user()) > 0 ? parent.child(name) : std::nullopt;
        if (!child || !seen_.take(child->user()))
            return;
        const bool whole_session = is_whole_session(name);
        if (name == transparent_slice || (!whole_session && has_transparent_attribute(child->dir()))) {
            if (child->user() == 0 || transparent_.take(child->user()))
                found_.transparent.push_back(child->path());
            return;
        }
        counts = counts && (whole_session || !has_exception(child->dir(), Exception::never_count));
        struct stat status {};
        if (!counts && ::fstat(child->dir().fd(), &status) == 0)
            found_.uncounted.push_back(status.st_ino);
        below(*child, counts);
    }

    UserBudget seen_;
    UserBudget transparent_{max_transparent_per_user};
    MarkedCgroups found_;
};

}  // namespace

uid_t user_of(const RootDir& root, const std::string& cgroup) {
    for (std::size_t end = std::string_view(cgroup_mount).size(); end < cgroup.size();) {
        end = std::min(cgroup.find('/', end + 1), cgroup.size());
        struct stat status {};
        if (::fstatat(root.fd(), cgroup.substr(0, end).c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_uid != 0)
            return status.st_uid;
    }
    return 0;
}

uid_t user_of(const RootDir& dir, uid_t above) {
    struct stat status {};
    return above == 0 && ::fstat(dir.fd(), &status) == 0 ? status.st_uid : above;
}

std::vector<std::string> list_children(const RootDir& dir, std::size_t max) {
    std::vector<std::string> names;
    const std::unique_ptr<DIR, CloseDir> stream(::fdopendir(::openat(dir.fd(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)));
    while (const dirent* entry = stream && names.size() < max ? ::readdir(stream.get()) : nullptr) {
        const std::string_view name(entry->d_name);
        if (entry->d_type == DT_DIR && name != "." && name != "..")
            names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

Result<MarkedCgroups> find_marked_cgroups(const RootDir& root, std::size_t max_per_user) {
    if (!root.exists(std::string(cgroup_mount) + "/cgroup.controllers"))
        return Error(
            ENOENT, root.name_of(cgroup_mount) + " is not a cgroup v2 file system: boot with systemd.unified_cgroup_hierarchy=1");
    Search search(max_per_user);
    if (const auto top = OpenCgroup::open(root, cgroup_mount))
        search.below(*top, true);
    return search.take_found();
}

Result<std::vector<std::string>> find_transparent_cgroups(const RootDir& root, std::size_t max_per_user) {
    auto found = find_marked_cgroups(root, max_per_user);
    if (!found)
        return std::move(found).error();
    return std::move(found->transparent);
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
