// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/cgroup_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>

#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/protection/contributed_memory.hpp"

namespace tmm::os {

namespace {

bool has_one_below(const std::string& cgroup, const std::vector<std::string>& transparent_cgroups) {
    return std::any_of(transparent_cgroups.begin(), transparent_cgroups.end(),
                       [&](const std::string& one) { return one.starts_with(cgroup + "/"); });
}

std::vector<core::CgroupUsage> read_children(const RootDir& root, const std::string& cgroup,
                                             const std::vector<std::string>& transparent_cgroups);

std::optional<core::CgroupUsage> read_cgroup(const RootDir& root, const std::string& cgroup,
                                             const std::vector<std::string>& transparent_cgroups) {
    const auto text = root.read_file(cgroup + "/memory.current");
    const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
    if (!bytes)
        return std::nullopt;
    core::CgroupUsage usage;
    usage.path = cgroup;
    usage.usage = core::to_pages(Bytes(*bytes), page_bytes());
    usage.transparent = std::binary_search(transparent_cgroups.begin(), transparent_cgroups.end(), cgroup);
    if (!usage.transparent && has_one_below(cgroup, transparent_cgroups))
        usage.children = read_children(root, cgroup, transparent_cgroups);
    return usage;
}

std::vector<core::CgroupUsage> read_children(const RootDir& root, const std::string& cgroup,
                                             const std::vector<std::string>& transparent_cgroups) {
    std::vector<core::CgroupUsage> children;
    const auto dir = root.subdir_without_links(cgroup);
    if (!dir)
        return children;
    for (const std::string& name : list_children(*dir, max_neighbours)) {
        if (auto child = read_cgroup(root, cgroup + "/" + name, transparent_cgroups))
            children.push_back(*std::move(child));
    }
    return children;
}

}  // namespace

Result<std::vector<core::CgroupUsage>> read_cgroup_usages(const RootDir& root,
                                                          const std::vector<std::string>& transparent_cgroups) {
    auto usages = read_children(root, cgroup_mount, transparent_cgroups);
    if (usages.empty())
        return Error(ENODEV, root.name_of(cgroup_mount) +
                                 " has no cgroup with the memory controller: boot with systemd.unified_cgroup_hierarchy=1, and "
                                 "without cgroup_disable=memory");
    return usages;
}

void read_lists(const RootDir& root, std::vector<core::CgroupUsage>& cgroups) {
    for (core::CgroupUsage& cgroup : cgroups) {
        read_lists(root, cgroup.children);
        if (cgroup.transparent || !cgroup.children.empty())
            continue;
        const std::vector<core::ContributedPages> lists = read_contributed(root, {cgroup.path});
        cgroup.file = lists.front().file;
        cgroup.anonymous = lists.front().anonymous;
    }
}

}  // namespace tmm::os
