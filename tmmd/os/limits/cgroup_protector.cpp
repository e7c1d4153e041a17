// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/cgroup_protector.hpp"

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

#include "base/text/proc_text.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/limits/cgroup_needs.hpp"
#include "tmmd/os/limits/cgroup_tree.hpp"
#include "tmmd/os/limits/contributed_memory.hpp"
#include "tmmd/os/multi_gen_lru.hpp"

namespace tmm::os {

namespace {

// Returns whether a cgroup's protection covers those below it. A missing list of mounts is no reason to stop.
bool shares_protection(const RootDir& root) {
    const auto text = root.read_file("proc/mounts");
    if (!text)
        return true;
    std::string_view rest = *text;
    while (!rest.empty()) {
        std::string_view line = next_line(rest);
        next_word(line);
        const std::string_view place = next_word(line);
        const std::string_view type = next_word(line);
        if (type == "cgroup2" && place.substr(1) == cgroup_mount)
            return next_word(line).find("memory_recursiveprot") != std::string_view::npos;
    }
    return true;
}

}  // namespace

Result<CgroupProtector> CgroupProtector::open(const RootDir& root) {
    auto cgroups = read_cgroup_usages(root, {});
    if (!cgroups)
        return std::move(cgroups).error();
    if (!shares_protection(root))
        return Error(ENOTSUP, root.name_of(cgroup_mount) +
                                  " is mounted without memory_recursiveprot, so that cgroups cannot be protected: mount it as "
                                  "systemd does (mount -o remount,memory_recursiveprot " +
                                  root.name_of(cgroup_mount) + ")");
    return CgroupProtector(root);
}

void CgroupProtector::learn_needs(const std::vector<core::CgroupKeeps>& kept) {
    needs_changed_ = true;
    const bool any_known =
        std::any_of(kept.begin(), kept.end(), [](const core::CgroupKeeps& one) { return one.cgroup != core::unknown_cgroup; });
    auto found = any_known ? read_cgroup_needs(*root_, kept) : FoundNeeds();
    needs_ = std::move(found.needs);
    left_out_ = std::move(found.left_out);
}

std::string CgroupProtector::problem() const {
    if (left_out_.empty())
        return "";
    return "of " + names_of(left_out_) + " only the first " + std::to_string(max_cgroups_with_needs) +
           " cgroups are protected by their needs";
}

Result<void> CgroupProtector::protect(const core::MemoryUsage& usage, std::optional<core::Pages> opaque_limit, core::Cover cover,
                                      const std::vector<core::ContributedPages>& contributed, HeldKnobs& knobs) {
    std::vector<std::string> transparent_cgroups;
    transparent_cgroups.reserve(contributed.size());
    for (const core::ContributedPages& one : contributed)
        transparent_cgroups.push_back(one.path);
    auto cgroups = read_cgroup_usages(*root_, transparent_cgroups);
    if (!cgroups)
        return std::move(cgroups).error();
    const bool may_kill = uses_multi_gen_lru(*root_);
    const std::string knob = may_kill ? "/memory.min" : "/memory.low";
    // A limit that this round writes counts in the next one, a second later.
    const core::SwapLeft swap = read_swap_left(*root_, transparent_cgroups);
    core::Pages reclaimable = opaque_limit ? core::reclaimable_opaque(usage, *opaque_limit, contributed, swap) : core::Pages(0);
    std::optional<core::Pages> that_leaves;
    const core::MustLeave wanted = core::must_leave(usage, contributed, swap);
    if (may_kill && opaque_limit && wanted.pages > core::Pages(0)) {
        read_lists(*root_, *cgroups);
        that_leaves = core::reclaimable_that_leaves(*cgroups, reclaimable, wanted, cover, needs_);
        reclaimable = that_leaves.value_or(reclaimable);
    }
    const std::vector<core::CgroupProtection> top = core::protections(*cgroups, reclaimable, cover, needs_);
    // Those below claim the same until the needs change: what their parents get meanwhile, the kernel shares out.
    if (std::exchange(needs_changed_, false))
        below_ = core::protections_below(top, needs_);
    if (that_leaves)
        below_.clear();  // a claim could cover all files of its parent
    for (const core::CgroupProtection& one : below_)
        knobs.set_at_least(one.path + knob, one.pages);
    for (const core::CgroupProtection& one : top)
        knobs.set_at_least(one.path + knob, one.pages);
    return {};
}

}  // namespace tmm::os
