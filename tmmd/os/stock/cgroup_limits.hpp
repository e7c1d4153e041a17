// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupLimits: enforces limits on a kernel without TMM by settings of cgroup v2. CgroupProtector protects opaque cgroups, and
// ContributionFence bounds contributions. HeldKnobs gives all settings back. Called from one thread.
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

namespace tmm::os {

class CgroupLimits : public LimitSink {
public:
    // root must outlive it. It changes nothing before the first write(). Error: no cgroup v2 with a memory controller; ENOTSUP:
    // it is mounted without memory_recursiveprot.
    static Result<CgroupLimits> open(const RootDir& root);

    Result<void> write(const Limits& limits) override;
    Result<core::MemoryUsage> usage() override;
    Result<void> follow(const std::vector<std::string>& transparent_cgroups) override;
    Result<void> protect_first(const std::vector<core::CgroupKeeps>& kept) override;
    [[nodiscard]] std::string problem() const override { return knobs_.problem(); }

private:
    CgroupLimits(const RootDir& root, CgroupProtector protector)
        : root_(&root), protector_(std::move(protector)), fence_(root), knobs_(root) {}
    [[nodiscard]] Result<core::MemoryUsage> usage_with(const std::vector<core::ContributedPages>& contributed) const;
    Result<void> enforce();

    const RootDir* root_;
    CgroupProtector protector_;
    ContributionFence fence_;
    HeldKnobs knobs_;
    std::vector<std::string> transparent_cgroups_;
    std::optional<Limits> limits_;
};

}  // namespace tmm::os
