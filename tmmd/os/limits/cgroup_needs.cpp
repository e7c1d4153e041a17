// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/cgroup_needs.hpp"

#include <sys/stat.h>

#include <string>
#include <unordered_map>
#include <utility>

#include "base/bounds/user_budget.hpp"
#include "base/units.hpp"
#include "tmmd/os/cgroup/open_cgroup.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

using PagesByCgroup = std::unordered_map<core::CgroupId, core::Pages>;

// Walks the cgroups and adds up their needs.
class NeedsWalk {
public:
    NeedsWalk(const PagesByCgroup& kept, std::size_t max_per_user) : kept_(kept), budget_(max_per_user, root_factor) {}

    // Returns the need of the cgroup and all below.
    core::CgroupNeed add(const OpenCgroup& cgroup) {
        struct stat status {};
        if (!budget_.take(cgroup.user()) || ::fstat(cgroup.dir().fd(), &status) != 0)
            return {};
        core::CgroupNeed sum;
        if (const auto own = kept_.find(status.st_ino); own != kept_.end())
            sum.pages = own->second;
        for (const std::string& name : cgroup.children(budget_.left(cgroup.user()) + 1)) {
            if (const auto child = cgroup.child(name))
                sum.pages += add(*child).pages;
        }
        const auto text = cgroup.dir().read_file("memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (!bytes)
            return sum;
        sum.usage = core::to_pages(Bytes(*bytes), page_bytes());
        needs_[cgroup.path()] = sum;
        return sum;
    }

    FoundNeeds take_needs() {
        needs_.erase(cgroup_mount);
        return {std::move(needs_), budget_.exceeded()};
    }

private:
    // Root makes the cgroups of all services and containers.
    static constexpr std::size_t root_factor = 4;

    const PagesByCgroup& kept_;
    UserBudget budget_;
    core::CgroupNeeds needs_;
};

}  // namespace

FoundNeeds read_cgroup_needs(const RootDir& root, std::span<const core::CgroupKeeps> kept, std::size_t max_per_user) {
    PagesByCgroup pages;
    for (const core::CgroupKeeps& one : kept)
        pages[one.cgroup] += one.pages;
    NeedsWalk walk(pages, max_per_user);
    if (const auto top = OpenCgroup::open(root, cgroup_mount))
        walk.add(*top);
    return walk.take_needs();
}

}  // namespace tmm::os
