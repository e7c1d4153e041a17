// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/cgroup_tree.hpp"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/limits/contributed_memory.hpp"
#include "tmmd/os/page_size.hpp"

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
    explicit TreeWalk(const std::vector<std::string>& transparent_cgroups) : transparent_cgroups_(transparent_cgroups) {}

    // Nothing: there are none, or more than the user's bounds allow.
    std::vector<core::CgroupUsage> children_of(const OpenCgroup& cgroup) {
        const uid_t user = cgroup.user();
        const std::vector<std::string> names = cgroup.children(neighbours_.left(user) + 1);
        std::size_t bytes = 0;
        for (const std::string& name : names)
            bytes += cgroup.path().size() + 1 + name.size();
        if (bytes > path_bytes_.left(user) || !neighbours_.take(user, names.size()))
            return {};
        path_bytes_.take(user, bytes);
        std::vector<core::CgroupUsage> children;
        for (const std::string& name : names) {
            if (auto child = read(cgroup, name))
                children.push_back(*std::move(child));
        }
        return children;
    }

private:
    std::optional<core::CgroupUsage> read(const OpenCgroup& parent, const std::string& name) {
        const auto text = parent.dir().read_file(name + "/memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (!bytes)
            return std::nullopt;
        core::CgroupUsage usage;
        usage.path = parent.path() + "/" + name;
        usage.usage = core::to_pages(Bytes(*bytes), page_bytes());
        usage.transparent = std::binary_search(transparent_cgroups_.begin(), transparent_cgroups_.end(), usage.path);
        if (!usage.transparent && has_one_below(usage.path, transparent_cgroups_)) {
            if (const auto child = parent.child(name))
                usage.children = children_of(*child);
        }
        return usage;
    }

    const std::vector<std::string>& transparent_cgroups_;
    UserBudget neighbours_{max_neighbours, root_factor};
    UserBudget path_bytes_{max_path_bytes, root_factor};
};

}  // namespace

Result<std::vector<core::CgroupUsage>> read_cgroup_usages(const RootDir& root,
                                                          const std::vector<std::string>& transparent_cgroups) {
    const auto top = OpenCgroup::open(root, cgroup_mount);
    auto usages = top ? TreeWalk(transparent_cgroups).children_of(*top) : std::vector<core::CgroupUsage>();
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
