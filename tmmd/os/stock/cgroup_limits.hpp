// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupLimits: enforces limits on a kernel without TMM by settings of cgroup v2. CgroupProtector protects opaque cgroups.
// Contributions get memory.high where there is swap, and memory.max without, where memory.high would make them crawl. That limit
// kills, so each contribution gets memory.oom.group, too: it dies as a whole or not at all. Where swap is in memory they get
// memory.swap.max besides, unless they may have nothing, and are to leave memory. A contribution that has used it up has no way
// out of memory. If it grew, the kernel would kill, perhaps the owner's programs; memory.high makes it wait. HeldKnobs gives all
// of them back. Called from one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/protection/cgroup_protector.hpp"
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
    enum class Swap { none, disk, memory };

    CgroupLimits(const RootDir& root, CgroupProtector protector) : root_(&root), protector_(std::move(protector)), knobs_(root) {}
    [[nodiscard]] Result<Swap> swap() const;
    [[nodiscard]] Result<core::MemoryUsage> usage_with(const std::vector<core::ContributedPages>& contributed) const;
    // All memory that the limits of a cgroup count.
    [[nodiscard]] core::Pages charged_pages(const std::string& cgroup) const;
    Result<void> enforce();
    void fence(const core::MemoryUsage& usage, const std::vector<core::ContributedPages>& contributed,
               core::Pages transparent_limit, Swap swap);

    const RootDir* root_;
    CgroupProtector protector_;
    HeldKnobs knobs_;
    std::vector<std::string> transparent_cgroups_;
    std::optional<Limits> limits_;
};

}  // namespace tmm::os
