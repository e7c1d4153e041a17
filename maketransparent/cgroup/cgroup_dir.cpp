// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/cgroup_dir.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <cerrno>

#include "base/cgroups/transparent_class.hpp"
#include "base/units.hpp"
#include "maketransparent/cgroup/cgroup_class.hpp"
#include "maketransparent/options.hpp"
#include "maketransparent/process/names.hpp"

namespace tmm {

namespace {

constexpr int max_children_per_name = 1000;

Error not_cgroup2(const std::string& path) {
    return {EINVAL,
            path +
                " is no cgroup v2 directory: give one below the mount of cgroup v2, usually /sys/fs/cgroup. On a system that "
                "uses cgroup v1, start with systemd.unified_cgroup_hierarchy=1 first"};
}

// Explains a failed mkdir(2) in a cgroup.
Error cannot_create(int errno_code, const std::string& path) {
    Error error = Error::from_errno(errno_code, "cannot create the cgroup " + path);
    if (errno_code != EACCES && errno_code != EPERM && errno_code != EROFS)
        return error;
    return {errno_code, error.message() +
                            ". The directory above it is not delegated to you: use systemd instead (omit --cgroup), "
                            "or let root delegate one, see DELEGATION in maketransparent(1)"};
}

void collect_processes(const RootDir& cgroup, std::vector<pid_t>& pids) {
    if (const auto text = cgroup.read_file("cgroup.procs")) {
        std::string_view rest = *text;
        while (!rest.empty()) {
            const auto end = rest.find('\n');
            if (const auto pid = parse_pid(rest.substr(0, end)))
                pids.push_back(*pid);
            rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        }
    }
    const auto children = cgroup.list_dirs("");
    if (!children)
        return;
    for (const std::string& name : *children) {
        if (const auto child = cgroup.subdir(name))
            collect_processes(*child, pids);
    }
}

}  // namespace

bool CgroupDir::is_cgroup2(int fd) {
    struct statfs info {};
    return ::fstatfs(fd, &info) == 0 && info.f_type == CGROUP2_SUPER_MAGIC;
}

Result<CgroupDir> CgroupDir::open(const RootDir& root, const std::string& path, bool create, FilesystemCheck check) {
    auto dir = root.subdir(path);
    bool is_new = false;
    if (!dir && dir.error().code() == ENOENT && create) {
        const std::string trimmed = path.substr(0, path.find_last_not_of('/') + 1);
        const auto slash = trimmed.find_last_of('/');
        auto parent = root.subdir(slash == std::string::npos ? "" : trimmed.substr(0, slash));
        if (!parent)
            return std::move(parent).error();
        if (!check(parent->fd()))
            return not_cgroup2(parent->name_of(""));
        const std::string last = slash == std::string::npos ? trimmed : trimmed.substr(slash + 1);
        is_new = ::mkdirat(parent->fd(), last.c_str(), 0755) == 0;
        if (!is_new && errno != EEXIST)
            return cannot_create(errno, path);
        dir = parent->subdir(last);
    }
    if (!dir)
        return std::move(dir).error();
    if (!check(dir->fd()))
        return not_cgroup2(path);
    CgroupDir opened(std::move(*dir), check);
    if (is_new)
        opened.set_cpu_idle();
    return opened;
}

void CgroupDir::set_cpu_idle() const {
    static_cast<void>(dir_.write_file("cpu.idle", "1"));
}

void CgroupDir::enable_memory_controller() const {
    // These writes may fail without harm, for lack of permission or because an inner cgroup has processes.
    if (!has_memory_controller(dir_)) {
        if (const auto parent = dir_.subdir(".."); parent && check_(parent->fd()))
            static_cast<void>(parent->write_file("cgroup.subtree_control", "+memory"));
    }
    if (has_memory_controller(dir_))
        static_cast<void>(dir_.write_file("cgroup.subtree_control", "+memory"));
}

void CgroupDir::mark_if_slice() const {
    if (in_transparent_slice(name()))
        set_kernel_mark(dir_);
}

Result<RootDir> CgroupDir::new_child(const std::string& name) const {
    for (int attempt = 1; attempt <= max_children_per_name; ++attempt) {
        const std::string child_name = cgroup_name(name, attempt);
        if (::mkdirat(dir_.fd(), child_name.c_str(), 0755) < 0) {
            if (errno == EEXIST)
                continue;
            return cannot_create(errno, dir_.name_of(child_name));
        }
        auto child = dir_.subdir(child_name);
        if (!child)
            return child;
        if (auto marked = set_mark(*child); !marked) {
            ::unlinkat(dir_.fd(), child_name.c_str(), AT_REMOVEDIR);
            return std::move(marked).error();
        }
        return child;
    }
    return Error(EBUSY, dir_.name_of("") + " holds too many contributions named " + name + ": choose another name with -n");
}

bool CgroupDir::counts_memory_of(const RootDir& child) const {
    return has_memory_controller(child) || (in_transparent_slice(name()) && has_memory_controller(dir_));
}

void CgroupDir::remove_empty_children() const {
    const auto names = dir_.list_dirs("");
    if (!names)
        return;
    for (const std::string& name : *names) {
        const auto child = dir_.subdir(name);
        // Only cgroups made by maketransparent bear the attribute. The kernel refuses (EBUSY) while one has processes, so no
        // check is needed first.
        if (child && has_transparent_attribute(*child))
            ::unlinkat(dir_.fd(), name.c_str(), AT_REMOVEDIR);
    }
}

Result<std::vector<Contribution>> CgroupDir::list() const {
    const auto names = dir_.list_dirs("");
    if (!names)
        return names.error();
    std::vector<Contribution> contributions;
    for (const std::string& name : *names) {
        const auto child = dir_.subdir(name);
        if (!child || !(in_transparent_slice(child->name_of("")) || has_mark(*child)))
            continue;
        Contribution contribution;
        contribution.pids = processes_of(*child);
        if (contribution.pids.empty())
            continue;
        contribution.name = contribution_name(name);
        contribution.cgroup = child->name_of("");
        contribution.foreign = is_foreign_unit(name);
        if (const auto text = child->read_file("memory.current")) {
            if (const auto bytes = parse_uint(*text))
                contribution.memory_bytes = *bytes;
        }
        contributions.push_back(std::move(contribution));
    }
    return contributions;
}

Result<void> move_process(const RootDir& cgroup, pid_t pid) {
    auto moved = cgroup.write_file("cgroup.procs", std::to_string(pid));
    if (moved)
        return moved;
    const std::string process = pid == 0 ? "this process" : "process " + std::to_string(pid);
    const std::string context = "cannot move " + process + " to " + cgroup.name_of("");
    switch (const int code = moved.error().code()) {
        case EACCES:
        case EPERM:
            return Error(
                code,
                Error::from_errno(code, context).message() +
                    ". The kernel asks for write permission on the cgroup.procs of the closest cgroup above both the old and "
                    "the new place: use systemd instead (omit --cgroup), or see DELEGATION in maketransparent(1)");
        case EOPNOTSUPP:
            return Error(code, context + ": that part of the tree is threaded (see cgroup.type)");
        case ESRCH:
            return Error(code, context + ": it has ended");
        default:
            return Error::from_errno(code, context);
    }
}

std::vector<pid_t> processes_of(const RootDir& cgroup) {
    std::vector<pid_t> pids;
    collect_processes(cgroup, pids);
    std::sort(pids.begin(), pids.end());
    return pids;
}

}  // namespace tmm
