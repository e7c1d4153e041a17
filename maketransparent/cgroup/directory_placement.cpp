// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/directory_placement.hpp"

#include <algorithm>
#include <cerrno>

#include "maketransparent/cgroup/cgroup_class.hpp"
#include "maketransparent/process/process_info.hpp"

namespace tmm {

namespace {

// Another maketransparent may remove the new child while it is still empty; then this one makes another child.
constexpr int max_attempts = 100;

bool vanished(const Error& error) {
    return error.code() == ENOENT || error.code() == ENODEV;
}

std::vector<MoveResult> move_all(const RootDir& cgroup, const std::vector<pid_t>& pids) {
    std::vector<MoveResult> processes;
    for (const pid_t pid : pids) {
        auto moved = move_process(cgroup, pid);
        if (moved)
            processes.push_back({pid, {}});
        else
            processes.push_back({pid, std::move(moved).error()});
    }
    return processes;
}

bool none_moved(const std::vector<MoveResult>& processes) {
    return std::all_of(processes.begin(), processes.end(), [](const MoveResult& moved) { return moved.failure.has_value(); });
}

bool all_vanished(const std::vector<MoveResult>& processes) {
    return std::all_of(processes.begin(), processes.end(),
                       [](const MoveResult& moved) { return moved.failure && vanished(*moved.failure); });
}

}  // namespace

Result<PlacementResult> DirectoryPlacement::contribute(const std::string& name, const std::vector<pid_t>& pids) {
    auto dir = CgroupDir::open(root_, path_, true, check_);
    if (!dir)
        return std::move(dir).error();
    dir->enable_memory_controller();
    dir->mark_if_slice();
    dir->remove_empty_children();
    for (int attempt = 0; attempt < max_attempts; ++attempt) {
        auto child = dir->new_child(name);
        if (!child && vanished(child.error()))
            continue;
        if (!child)
            return std::move(child).error();
        PlacementResult placed;
        placed.processes = move_all(*child, pids);
        if (all_vanished(placed.processes))
            continue;
        if (none_moved(placed.processes)) {
            dir->remove_empty_children();
            return placed;
        }
        placed.cgroup = child->name_of("");
        if (!dir->counts_memory_of(*child))
            placed.warnings.push_back(no_memory_warning(*child));
        return placed;
    }
    return Error(EAGAIN, "new cgroups in " + path_ + " vanish at once: something removes them");
}

Result<PlacementResult> DirectoryPlacement::release(const std::string& /*name*/, const std::vector<pid_t>& pids) {
    auto mount = find_cgroup_mount(root_);
    if (!mount)
        return std::move(mount).error();
    auto text = root_.read_file("proc/self/cgroup");
    if (!text)
        return std::move(text).error();
    auto own = parse_cgroup(*text);
    if (!own)
        return std::move(own).error();
    if (is_transparent(root_, *mount, *own))
        return Error(EINVAL,
                     "this shell is a contribution itself, so it cannot take ordinary processes: release from another one");
    auto target = root_.subdir(mount->dir_of(*own));
    if (!target)
        return std::move(target).error();
    PlacementResult placed{target->name_of(""), move_all(*target, pids), {}};
    if (const auto dir = CgroupDir::open(root_, path_, false, check_))
        dir->remove_empty_children();
    return placed;
}

Result<std::vector<Contribution>> DirectoryPlacement::list() {
    auto dir = CgroupDir::open(root_, path_, false, check_);
    if (!dir && dir.error().code() == ENOENT)
        return std::vector<Contribution>{};
    if (!dir)
        return std::move(dir).error();
    dir->remove_empty_children();
    return dir->list();
}

std::string DirectoryPlacement::describe(const std::string& name) const {
    return "a new cgroup " + path_ + (path_.ends_with('/') ? "" : "/") + name;
}

}  // namespace tmm
