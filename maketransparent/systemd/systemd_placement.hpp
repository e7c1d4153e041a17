// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SystemdPlacement: contributions are transient scopes in transparent.slice. Released processes move to a scope in app.slice
// (the user's manager) or system.slice (the system's). Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "maketransparent/cgroup/cgroup_mount.hpp"
#include "maketransparent/placement.hpp"
#include "maketransparent/systemd/systemd_manager.hpp"

namespace tmm {

class SystemdPlacement : public Placement {
public:
    // root: "/", must outlive this. system: use the system's manager. runtime_dir: $XDG_RUNTIME_DIR, may be empty.
    SystemdPlacement(const RootDir& root, CgroupMount mount, bool system, std::string runtime_dir)
        : root_(root), mount_(std::move(mount)), system_(system), runtime_dir_(std::move(runtime_dir)) {}

    Result<PlacementResult> contribute(const std::string& name, const std::vector<pid_t>& pids) override;
    Result<PlacementResult> release(const std::string& name, const std::vector<pid_t>& pids) override;
    Result<std::vector<Contribution>> list() override;
    [[nodiscard]] std::string describe(const std::string& name) const override;

private:
    [[nodiscard]] Result<SystemdManager> connect() const;
    Result<PlacementResult> place(SystemdManager& manager, const std::string& name, const std::string& slice,
                                  const std::vector<pid_t>& pids);
    [[nodiscard]] std::string cgroup_of(pid_t pid) const;
    void mark_in_kernel(PlacementResult& placed, const std::string& cgroup) const;

    const RootDir& root_;
    CgroupMount mount_;
    bool system_;
    std::string runtime_dir_;
};

}  // namespace tmm
