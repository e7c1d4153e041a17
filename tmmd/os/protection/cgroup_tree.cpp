// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/cgroup_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <map>
#include <optional>
#include <utility>

#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"
#include "tmmd/os/protection/contributed_memory.hpp"

namespace tmm::os {

namespace {

// Root makes the cgroups of all services, and nobody else makes any beside them.
constexpr std::size_t root_factor = 8;

bool has_one_below(const std::string& cgroup, const std::vector<std::string>& transparent_cgroups) {
    return std::any_of(transparent_cgroups.begin(), transparent_cgroups.end(),
                       [&](const std::string& one) { return one.starts_with(cgroup + "/"); });
}

// Walks the cgroups on the way to contributions.
class TreeWalk {
public:
    TreeWalk(const RootDir& root, const std::vector<std::string>& transparent_cgroups)
        : root_(root), transparent_cgroups_(transparent_cgroups) {}

    // above: the user of the directory above. Nothing: there are none, or more than the user's bounds allow.
    std::vector<core::CgroupUsage> children_of(const std::string& cgroup, uid_t above) {
        const auto dir = root_.subdir_without_links(cgroup);
        if (!dir)
            return {};
        const uid_t user = user_of(*dir, above);
        const std::size_t factor = user == 0 ? root_factor : 1;
        Left& left = left_.try_emplace(user, Left{factor * max_neighbours, factor * max_path_bytes}).first->second;
        const std::vector<std::string> names = list_children(*dir, left.cgroups + 1);
        std::size_t path_bytes = 0;
        for (const std::string& name : names)
            path_bytes += cgroup.size() + 1 + name.size();
        if (names.size() > left.cgroups || path_bytes > left.path_bytes)
            return {};
        left.cgroups -= names.size();
        left.path_bytes -= path_bytes;
        std::vector<core::CgroupUsage> children;
        for (const std::string& name : names) {
            if (auto child = read(cgroup + "/" + name, user))
                children.push_back(*std::move(child));
        }
        return children;
    }

private:
    struct Left {
        std::size_t cgroups;
        std::size_t path_bytes;
    };

    std::optional<core::CgroupUsage> read(const std::string& cgroup, uid_t above) {
        const auto text = root_.read_file(cgroup + "/memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (!bytes)
            return std::nullopt;
        core::CgroupUsage usage;
        usage.path = cgroup;
        usage.usage = core::to_pages(Bytes(*bytes), page_bytes());
        usage.transparent = std::binary_search(transparent_cgroups_.begin(), transparent_cgroups_.end(), cgroup);
        if (!usage.transparent && has_one_below(cgroup, transparent_cgroups_))
            usage.children = children_of(cgroup, above);
        return usage;
    }

    const RootDir& root_;
    const std::vector<std::string>& transparent_cgroups_;
    std::map<uid_t, Left> left_;
};

}  // namespace

Result<std::vector<core::CgroupUsage>> read_cgroup_usages(const RootDir& root,
                                                          const std::vector<std::string>& transparent_cgroups) {
    auto usages = TreeWalk(root, transparent_cgroups).children_of(cgroup_mount, 0);
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
