// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupDir: a directory of cgroup v2 whose sub-cgroups are contributions. It owns a descriptor, which it checks once and
// uses for everything after, so that nobody can exchange the directory. It uses the caller's permissions only.
// Not thread-safe.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "maketransparent/placement.hpp"

namespace tmm {

class CgroupDir {
public:
    // Whether an open directory belongs to cgroup v2. Tests pass a check of their own.
    using FilesystemCheck = bool (*)(int fd);
    static bool is_cgroup2(int fd);

    // Opens a directory.
    // path: absolute, below root. create: make a missing last component, with cpu.idle set.
    // Errors: ENOENT, EINVAL if it is not in cgroup v2, EACCES, EPERM or EROFS for no permission.
    static Result<CgroupDir> open(const RootDir& root, const std::string& path, bool create, FilesystemCheck check = is_cgroup2);

    // Enables the memory controller for this directory and its children, as far as the kernel and the permissions allow.
    // Failures are ignored; counts_memory_of() tells the outcome.
    void enable_memory_controller() const;

    // Marks the directory in the kernel if its name makes it transparent. Failures are ignored: tmmd marks it, too.
    void mark_if_slice() const;

    // Makes and marks an empty child, named after the contribution and numbered if the name is taken.
    // Errors: EBUSY if a thousand children have that name; those of mkdir(2) and set_mark().
    [[nodiscard]] Result<RootDir> new_child(const std::string& name) const;

    // Whether the kernel counts the memory of a child separately from the owner's.
    [[nodiscard]] bool counts_memory_of(const RootDir& child) const;

    // Removes the children that maketransparent made and that have no process any more. Failures are ignored.
    void remove_empty_children() const;

    // Lists the transparent children that have processes, including units of systemd. Error: the directory cannot be read.
    [[nodiscard]] Result<std::vector<Contribution>> list() const;

    [[nodiscard]] std::string name() const { return dir_.name_of(""); }

private:
    CgroupDir(RootDir dir, FilesystemCheck check) : dir_(std::move(dir)), check_(check) {}

    // Sets cpu.idle, as transparent.slice does: the cgroup gets the processor when no sibling wants it.
    // Without the cpu controller it has no effect.
    void set_cpu_idle() const;

    RootDir dir_;
    FilesystemCheck check_;
};

// Moves a process into a cgroup.
// pid: 0 for the caller. Errors: those of cgroup.procs, such as EACCES, EPERM, EOPNOTSUPP or ESRCH; the text names the remedy.
Result<void> move_process(const RootDir& cgroup, pid_t pid);

// The ids of all processes in a cgroup and below it, sorted. Leaves out cgroups that vanish meanwhile.
std::vector<pid_t> processes_of(const RootDir& cgroup);

}  // namespace tmm
