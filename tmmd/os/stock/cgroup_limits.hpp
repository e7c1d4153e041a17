// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// CgroupLimits: enforces limits on a kernel without TMM by settings of cgroup v2 (core/protection). Opaque cgroups get memory.min
// with the multi-gen LRU, which reclaims from memory.low as if there were none, and memory.low with the classic LRU, where nobody
// is killed for it. Contributions get memory.high where swap is on a disk, memory.swap.max where it is in memory, and memory.max
// without swap, where memory.high would make them crawl. SavedKnobs gives all of them back. Called from one thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/root_dir.hpp"
#include "tmmd/core/protection/protection.hpp"
#include "tmmd/os/limit_sink.hpp"
#include "tmmd/os/stock/saved_knobs.hpp"

namespace tmm::os {

class CgroupLimits : public LimitSink {
public:
    // root must outlive it. It changes nothing before the first write(). Error: no cgroup v2 with a memory controller; ENOTSUP:
    // it is mounted without memory_recursiveprot.
    static Result<CgroupLimits> open(const RootDir& root);

    CgroupLimits(CgroupLimits&&) = default;
    CgroupLimits& operator=(CgroupLimits&&) = delete;
    // Restores all settings.
    ~CgroupLimits() override;

    Result<void> write(const Limits& limits) override;
    Result<core::MemoryUsage> usage() override;
    Result<void> follow(const std::vector<std::string>& transparent_cgroups) override;
    [[nodiscard]] std::string problem() const override;

private:
    enum class Swap { none, disk, memory };

    explicit CgroupLimits(const RootDir& root) : root_(&root), knobs_(root) {}
    [[nodiscard]] bool has_multi_gen_lru() const;
    [[nodiscard]] Result<Swap> swap() const;
    [[nodiscard]] core::Pages lru_pages(const std::string& cgroup) const;
    Result<void> enforce();
    void set(const std::string& path, core::Pages pages, std::vector<KnobValue>& values);
    void reset(const std::string& path, std::vector<KnobValue>& values);
    void add_protections(const core::MemoryUsage& usage, core::Pages opaque_limit, const std::vector<core::CgroupUsage>& cgroups,
                         std::vector<KnobValue>& values);
    void add_fences(const core::MemoryUsage& usage, core::Pages transparent_limit, Swap swap, std::vector<KnobValue>& values);

    const RootDir* root_;
    SavedKnobs knobs_;
    std::vector<std::string> transparent_cgroups_;
    std::optional<Limits> limits_;
    std::map<std::string, core::Pages> in_force_;  // by path
};

}  // namespace tmm::os
