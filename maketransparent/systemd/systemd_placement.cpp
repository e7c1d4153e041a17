// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/systemd/systemd_placement.hpp"

#include <unistd.h>

#include <cerrno>
#include <iterator>

#include "base/cgroups/transparent_class.hpp"
#include "maketransparent/cgroup/cgroup_class.hpp"
#include "maketransparent/cgroup/cgroup_dir.hpp"
#include "maketransparent/process/names.hpp"
#include "maketransparent/process/process_info.hpp"

namespace tmm {

namespace {

// A scope may outlive its launcher, so a reused process id can give a name that is taken.
constexpr int max_attempts = 100;

}  // namespace

Result<SystemdManager> SystemdPlacement::connect() const {
    auto manager = SystemdManager::connect(system_, runtime_dir_);
    if (manager)
        return manager;
    const std::string whose = system_ ? "the system's" : "your";
    return Error(
        manager.error().code(),
        "cannot reach " + whose + " systemd (" + manager.error().message() +
            "): log in by a session of systemd-logind, or give a cgroup v2 directory with --cgroup or in maketransparent.conf");
}

std::string SystemdPlacement::cgroup_of(pid_t pid) const {
    const auto text = root_.read_file("proc/" + std::to_string(pid) + "/cgroup");
    if (!text)
        return {};
    auto path = parse_cgroup(*text);
    return path ? std::move(*path) : std::string();
}

// Marks the slice first, so that everything in it inherits the mark. systemd does not know memory.transparent.
void SystemdPlacement::mark_in_kernel(PlacementResult& placed, const std::string& cgroup) const {
    if (const auto slice = root_.subdir(mount_.dir_of(cgroup.substr(0, cgroup.find_last_of('/')))))
        set_kernel_mark(*slice);
    const auto scope = root_.subdir(mount_.dir_of(cgroup));
    if (!scope)
        return;
    set_kernel_mark(*scope);
    if (!has_memory_controller(*scope))
        placed.warnings.push_back(no_memory_warning(*scope));
}

Result<PlacementResult> SystemdPlacement::place(SystemdManager& manager, const std::string& name, const std::string& slice,
                                                const std::vector<pid_t>& pids) {
    std::string scope;
    for (int attempt = 1;; ++attempt) {
        scope = scope_name(name, ::getpid(), attempt);
        auto started = manager.start_scope(scope, slice, "Contribution " + name, pids);
        if (started)
            break;
        if (started.error().code() != EEXIST || attempt == max_attempts)
            return std::move(started).error();
    }
    PlacementResult placed;
    std::string scope_cgroup;
    for (const pid_t pid : pids) {
        const std::string cgroup = cgroup_of(pid);
        if (cgroup.ends_with("/" + scope)) {
            scope_cgroup = cgroup;
            placed.processes.push_back({pid, {}});
        } else {
            placed.processes.push_back(
                {pid, Error(EPERM, "systemd did not move process " + std::to_string(pid) + " to " + scope)});
        }
    }
    if (scope_cgroup.empty())
        return placed;
    placed.cgroup = mount_.dir_of(scope_cgroup);
    if (slice == transparent_slice)
        mark_in_kernel(placed, scope_cgroup);
    return placed;
}

Result<PlacementResult> SystemdPlacement::contribute(const std::string& name, const std::vector<pid_t>& pids) {
    auto manager = connect();
    if (!manager)
        return std::move(manager).error();
    std::vector<pid_t> own = pids;
    for (pid_t& pid : own)
        pid = pid == 0 ? ::getpid() : pid;
    auto placed = place(*manager, name, std::string(transparent_slice), own);
    if (!placed && own.size() > 1) {
        // systemd takes all processes of a scope or none. Give each one a scope, so that the others still move.
        PlacementResult single;
        for (const pid_t pid : own) {
            auto one = place(*manager, name, std::string(transparent_slice), {pid});
            if (!one) {
                single.processes.push_back({pid, std::move(one).error()});
                continue;
            }
            single.cgroup = one->cgroup;
            std::move(one->processes.begin(), one->processes.end(), std::back_inserter(single.processes));
            std::move(one->warnings.begin(), one->warnings.end(), std::back_inserter(single.warnings));
        }
        placed = std::move(single);
    }
    return placed;
}

Result<PlacementResult> SystemdPlacement::release(const std::string& name, const std::vector<pid_t>& pids) {
    auto manager = connect();
    if (!manager)
        return std::move(manager).error();
    return place(*manager, "released-" + name, system_ ? "system.slice" : "app.slice", pids);
}

Result<std::vector<Contribution>> SystemdPlacement::list() {
    auto manager = connect();
    if (!manager)
        return std::move(manager).error();
    auto cgroup = manager->cgroup_of_slice(std::string(transparent_slice));
    if (!cgroup)
        return std::move(cgroup).error();
    if (cgroup->empty())
        return std::vector<Contribution>{};
    auto dir = CgroupDir::open(root_, mount_.dir_of(*cgroup), false);
    if (!dir && dir.error().code() == ENOENT)
        return std::vector<Contribution>{};
    if (!dir)
        return std::move(dir).error();
    return dir->list();
}

std::string SystemdPlacement::describe(const std::string& name) const {
    return "a new scope " + scope_name(name, ::getpid(), 1) + " in transparent.slice of the " +
           (system_ ? "system's" : "user's") + " systemd";
}

}  // namespace tmm
