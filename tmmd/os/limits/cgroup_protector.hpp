// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupProtector: protects the memory of opaque cgroups by settings of cgroup v2 (core/protection): memory.min with the
// multi-gen LRU, which reclaims from memory.low as if there were none, and memory.low with the classic LRU, where nobody is
// killed for it. Called from one thread.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/limits/held_knobs.hpp"

namespace tmm::os {

class CgroupProtector {
public:
    // root must outlive it. Error: no cgroup v2 with a memory controller; ENOTSUP: it is mounted without memory_recursiveprot.
    static Result<CgroupProtector> open(const RootDir& root);

    // Tells the memory that each cgroup is to keep. If no cgroup is known, all are protected alike.
    void learn_needs(const std::vector<core::CgroupKeeps>& kept);
    [[nodiscard]] bool knows_needs() const { return !needs_.empty(); }
    // Returns whose needs are not all known, for people; empty: nobody's.
    [[nodiscard]] std::string problem() const;

    // Collects the settings: of the opaque cgroups at the top and around contributions, and of those below that need their
    // memory. usage: of all memory. opaque_limit: what is beyond it is not protected; none: evicting frees nothing, so all is.
    // contributed: by read_contributed(), of the topmost transparent cgroups, sorted. Error: the cgroups cannot be read.
    Result<void> protect(const core::MemoryUsage& usage, std::optional<core::Pages> opaque_limit, core::Cover cover,
                         const std::vector<core::ContributedPages>& contributed, HeldKnobs& knobs);

private:
    explicit CgroupProtector(const RootDir& root) : root_(&root) {}

    const RootDir* root_;
    core::CgroupNeeds needs_;
    std::set<uid_t> left_out_;
    bool needs_changed_ = false;
    std::vector<core::CgroupProtection> below_;  // by protections_below(), when the needs changed
};

}  // namespace tmm::os
