// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/contributed_memory.hpp"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "base/text/proc_text.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/contribution.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

// Returns nothing for "max", as for a file that is not there.
std::optional<core::Pages> read_pages(const RootDir& root, const std::string& path) {
    const auto text = root.read_file(path);
    const auto bytes = text ? parse_uint(trim(*text)) : Result<std::uint64_t>(text.error());
    return bytes ? std::optional(core::to_pages(Bytes(*bytes), page_bytes())) : std::nullopt;
}

}  // namespace

std::vector<core::ContributedPages> read_contributed(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    std::vector<core::ContributedPages> contributed;
    contributed.reserve(transparent_cgroups.size());
    for (const std::string& cgroup : transparent_cgroups) {
        const auto text = root.read_file(cgroup + "/memory.stat");
        const auto pages_of = [&](std::string_view list) {
            const auto bytes = text ? parse_stat(*text, list) : Result<std::uint64_t>(text.error());
            return bytes ? core::to_pages(Bytes(*bytes), page_bytes()) : core::Pages(0);
        };
        contributed.push_back({.path = cgroup,
                               .file = pages_of("inactive_file") + pages_of("active_file"),
                               .anonymous = pages_of("inactive_anon") + pages_of("active_anon"),
                               .unevictable = pages_of("unevictable")});
    }
    return contributed;
}

core::Pages read_contributed_swap(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    core::Pages swapped{0};
    for (const std::string& cgroup : transparent_cgroups)
        swapped += read_pages(root, cgroup + "/memory.swap.current").value_or(core::Pages(0));
    return swapped;
}

core::SwapLeft read_swap_left(const RootDir& root, const std::vector<std::string>& transparent_cgroups) {
    core::SwapLeft left;
    const auto text = root.read_file("proc/meminfo");
    const auto free = text ? parse_meminfo_bytes(*text, "SwapFree") : Result<std::uint64_t>(text.error());
    if (free)
        left.free = core::to_pages(Bytes(*free), page_bytes());
    if (left.free == core::Pages(0))
        return left;  // no limit matters
    const auto read_limit = [&](const std::string& cgroup) {
        const auto max = read_pages(root, cgroup + "/memory.swap.max");
        if (max)
            left.of_cgroups[cgroup] = saturating_sub(*max, read_pages(root, cgroup + "/memory.swap.current").value_or(*max));
        return max.has_value();
    };
    std::set<std::string> seen;
    for (const std::string& top : transparent_cgroups) {
        for (std::string cgroup = top; cgroup.size() > std::string_view(cgroup_mount).size(); cgroup.resize(cgroup.rfind('/'))) {
            if (!seen.insert(cgroup).second)
                break;
            read_limit(cgroup);
        }
    }
    std::vector<std::string> limited;
    for (FoundContribution& one : find_contributions(root, transparent_cgroups, max_set_per_user)) {
        if (!seen.contains(one.cgroup) && read_limit(one.cgroup))
            limited.push_back(std::move(one.cgroup));
    }
    for (const core::ContributedPages& one : read_contributed(root, limited))
        left.anonymous_below[one.path] = one.anonymous;
    return left;
}

}  // namespace tmm::os
