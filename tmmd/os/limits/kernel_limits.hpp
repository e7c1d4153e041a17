// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// KernelLimits: enforces limits on both kinds of kernel. CgroupProtector protects opaque cgroups, ContributionFence bounds
// contributions, and HeldKnobs gives all settings back. Called from one thread.
//
// A kernel with TMM knows the classes and their limits (SysfsLimits). It shares reclaim out among the cgroups of a class by size,
// so those that need their memory are protected as well. Swap in memory belongs to no class, so there contributions have a fence.
// Without known needs and such swap no cgroup changes. On a kernel without TMM, cgroups do all of it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/os/limits/cgroup_protector.hpp"
#include "tmmd/os/limits/contribution_fence.hpp"
#include "tmmd/os/limits/held_knobs.hpp"
#include "tmmd/os/limits/limit_sink.hpp"
#include "tmmd/os/limits/sysfs_limits.hpp"

namespace tmm::os {

class KernelLimits : public LimitSink {
public:
    // root must outlive it. Neither changes anything before the first apply().
    // For a kernel with TMM. Error: as of SysfsLimits::open(). Without a cgroup v2 that can protect it sets limits alone.
    static Result<KernelLimits> open_classes(const RootDir& root);
    // For one without. Error: no cgroup v2 with a memory controller; ENOTSUP: it is mounted without memory_recursiveprot.
    static Result<KernelLimits> open_cgroups(const RootDir& root);

    Result<core::MemoryUsage> usage(const std::vector<std::string>& transparent_cgroups) override;
    Result<void> apply(const core::Wanted& wanted, const std::vector<std::string>& transparent_cgroups) override;
    [[nodiscard]] std::string problem() const override;

private:
    KernelLimits(const RootDir& root, std::optional<SysfsLimits> classes, std::optional<CgroupProtector> protector)
        : root_(&root), classes_(std::move(classes)), protector_(std::move(protector)), fence_(root), knobs_(root) {}
    bool learn_needs(const core::Wanted& wanted);
    Result<void> set_cgroups(const Limits& limits, const std::vector<std::string>& transparent_cgroups, bool changed);

    const RootDir* root_;
    std::optional<SysfsLimits> classes_;
    std::optional<CgroupProtector> protector_;
    ContributionFence fence_;
    HeldKnobs knobs_;
    std::optional<Limits> limits_;                // in force
    std::optional<core::AwakeTime> keeps_since_;  // of the needs
    std::string not_held_;                        // why a kernel with TMM protects no cgroup now
};

}  // namespace tmm::os
