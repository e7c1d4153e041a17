// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupDir: a directory of cgroup v2 whose sub-cgroups are contributions. It is opened and checked once; everything after goes
// through that descriptor, so that nobody can slip another directory under it. It has the caller's permissions and no others.
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
    // Whether an open directory belongs to cgroup v2; tests have their own.
    using FilesystemCheck = bool (*)(int fd);
    static bool is_cgroup2(int fd);

    // path: absolute, below root. create: make the last component if it is missing, last in line for the processor. Error: not
    // there, no cgroup v2, no permission.
    static Result<CgroupDir> open(const RootDir& root, const std::string& path, bool create, FilesystemCheck check = is_cgroup2);

    // Turns the memory controller on for this directory and its children, as far as the kernel and the permissions allow.
    void enable_memory() const;

    // Where the directory's own name makes it transparent, tells the kernel.
    void mark_if_slice() const;

    // Makes and marks an empty child. Error: EBUSY if a thousand children have that name.
    [[nodiscard]] Result<RootDir> new_child(const std::string& name) const;

    // Whether the kernel counts the child's memory apart from the owner's.
    [[nodiscard]] bool counts_memory_of(const RootDir& child) const;

    // Removes the children that the launcher made and that nobody lives in any more.
    void sweep() const;

    // Transparent children that have processes, units of systemd among them.
    [[nodiscard]] Result<std::vector<Contribution>> list() const;

    [[nodiscard]] std::string name() const { return dir_.name_of(""); }

private:
    CgroupDir(RootDir dir, FilesystemCheck check) : dir_(std::move(dir)), check_(check) {}

    // As transparent.slice of systemd does: what is in it runs when nothing beside it wants the processor. Without a cpu
    // controller nothing.
    void yield_processor() const;

    RootDir dir_;
    FilesystemCheck check_;
};

// Writes a process id (0: the caller) to cgroup.procs. The error explains what the kernel refused.
Result<void> move_process(const RootDir& cgroup, pid_t pid);

// The processes of a cgroup and all below it, sorted. Cgroups that vanish meanwhile are left out.
std::vector<pid_t> processes_of(const RootDir& cgroup);

}  // namespace tmm
