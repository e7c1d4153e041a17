// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/protection/cgroup_needs.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

using PagesByCgroup = std::unordered_map<core::CgroupId, core::Pages>;

// Walks the cgroups and adds up their needs.
class NeedsWalk {
public:
    NeedsWalk(const RootDir& root, const PagesByCgroup& kept, std::size_t max_cgroups)
        : root_(root), kept_(kept), left_(max_cgroups) {}

    // Returns the need of the cgroup and all below. It goes to no child beyond the bound.
    core::CgroupNeed add(const std::string& cgroup) {
        --left_;
        const auto dir = root_.subdir_without_links(cgroup);
        struct stat status {};
        if (!dir || ::fstat(dir->fd(), &status) != 0)
            return {};
        core::CgroupNeed sum;
        if (const auto own = kept_.find(status.st_ino); own != kept_.end())
            sum.pages = own->second;
        core::Pages below{0};
        bool is_whole = true;
        for (const std::string& name : list_children(*dir, left_ + 1)) {
            if (left_ == 0) {
                is_whole = false;
                break;
            }
            const core::CgroupNeed child = add(cgroup + "/" + name);
            sum.pages += child.pages;
            below += child.usage;
        }
        const auto text = dir->read_file("memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (!bytes)
            return sum;
        sum.usage = core::to_pages(Bytes(*bytes), page_bytes());
        // The memory of cgroups that nobody looked at.
        if (!is_whole)
            sum.pages = std::min(sum.pages + saturating_sub(sum.usage, below), std::max(sum.pages, sum.usage));
        needs[cgroup] = sum;
        return sum;
    }

    core::CgroupNeeds needs;

private:
    const RootDir& root_;
    const PagesByCgroup& kept_;
    std::size_t left_;
};

}  // namespace

core::CgroupNeeds read_cgroup_needs(const RootDir& root, std::span<const core::CgroupKeeps> kept, std::size_t max_cgroups) {
    PagesByCgroup pages;
    for (const core::CgroupKeeps& one : kept)
        pages[one.cgroup] += one.pages;
    NeedsWalk walk(root, pages, max_cgroups);
    walk.add(cgroup_mount);
    walk.needs.erase(cgroup_mount);
    return std::move(walk.needs);
}

}  // namespace tmm::os
