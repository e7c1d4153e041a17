// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DirectoryPlacement: contributions are sub-cgroups of a directory, without systemd. Released processes move to the cgroup
// of the caller. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "maketransparent/cgroup/cgroup_dir.hpp"
#include "maketransparent/placement.hpp"

namespace tmm {

class DirectoryPlacement : public Placement {
public:
    // root: "/", must outlive this. path: absolute, in cgroup v2. check: as for CgroupDir::open().
    DirectoryPlacement(const RootDir& root, std::string path, CgroupDir::FilesystemCheck check = CgroupDir::is_cgroup2)
        : root_(root), path_(std::move(path)), check_(check) {}

    Result<PlacementResult> contribute(const std::string& name, const std::vector<pid_t>& pids) override;
    Result<PlacementResult> release(const std::string& name, const std::vector<pid_t>& pids) override;
    Result<std::vector<Contribution>> list() override;
    [[nodiscard]] std::string describe(const std::string& name) const override;

private:
    const RootDir& root_;
    std::string path_;
    CgroupDir::FilesystemCheck check_;
};

}  // namespace tmm
