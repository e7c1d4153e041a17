// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProtectedClasses: the limits of a kernel with TMM, and protection of the opaque cgroups that need their memory. The kernel
// knows the classes, but shares reclaim out among the cgroups of a class by size. Swap in memory belongs to no class, so there
// ContributionFence bounds contributions, too. Without known needs and such swap it changes no cgroup. Called from one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/protection/cgroup_protector.hpp"
#include "tmmd/os/protection/contribution_fence.hpp"
#include "tmmd/os/protection/held_knobs.hpp"
#include "tmmd/os/tmm/sysfs_limits.hpp"

namespace tmm::os {

class ProtectedClasses : public LimitSink {
public:
    // root must outlive it. Error: as of SysfsLimits::open(). Without a cgroup v2 that can protect it sets limits alone.
    static Result<ProtectedClasses> open(const RootDir& root);

    Result<void> write(const Limits& limits) override;
    Result<core::MemoryUsage> usage() override { return classes_.usage(); }
    Result<void> follow(const std::vector<std::string>& transparent_cgroups) override;
    Result<void> protect_first(const std::vector<core::CgroupKeeps>& kept) override;
    [[nodiscard]] std::string problem() const override { return knobs_.problem(); }

private:
    ProtectedClasses(const RootDir& root, SysfsLimits classes, std::optional<CgroupProtector> protector)
        : root_(&root), classes_(std::move(classes)), protector_(std::move(protector)), fence_(root), knobs_(root) {}
    [[nodiscard]] bool has_to_fence() const;
    Result<void> protect();

    const RootDir* root_;
    SysfsLimits classes_;
    std::optional<CgroupProtector> protector_;
    ContributionFence fence_;
    HeldKnobs knobs_;
    std::vector<std::string> transparent_cgroups_;
    std::optional<Limits> limits_;
};

}  // namespace tmm::os
