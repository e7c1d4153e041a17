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
class Walk {
public:
    Walk(const RootDir& root, const PagesByCgroup& kept) : root_(root), kept_(kept) {}

    // Returns the need of the cgroup and all below.
    core::Pages add(const std::string& cgroup) {
        const auto dir = root_.subdir_without_links(cgroup);
        struct stat status {};
        if (!dir || ::fstat(dir->fd(), &status) != 0)
            return core::Pages(0);
        core::Pages pages{0};
        if (const auto own = kept_.find(status.st_ino); own != kept_.end())
            pages = own->second;
        const std::size_t room = max_cgroups_with_needs - std::min(max_cgroups_with_needs, ++visited_);
        for (const std::string& name : list_children(*dir, room)) {
            if (visited_ < max_cgroups_with_needs)
                pages += add(cgroup + "/" + name);
        }
        const auto text = dir->read_file("memory.current");
        const auto bytes = text ? parse_uint(*text) : Result<std::uint64_t>(text.error());
        if (bytes)
            needs[cgroup] = {pages, core::to_pages(Bytes(*bytes), page_bytes())};
        return pages;
    }

    core::CgroupNeeds needs;

private:
    const RootDir& root_;
    const PagesByCgroup& kept_;
    std::size_t visited_ = 0;
};

}  // namespace

core::CgroupNeeds read_cgroup_needs(const RootDir& root, std::span<const core::CgroupKeeps> kept) {
    PagesByCgroup pages;
    for (const core::CgroupKeeps& one : kept)
        pages[one.cgroup] += one.pages;
    Walk walk(root, pages);
    walk.add(cgroup_mount);
    walk.needs.erase(cgroup_mount);
    return std::move(walk.needs);
}

}  // namespace tmm::os
