// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/stock/cgroup_needs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/units.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {

namespace {

constexpr const char* cgroups_path = "proc/kpagecgroup";

// Frames that one read may span.
constexpr std::size_t max_span = 128;

using PagesByInode = std::unordered_map<std::uint64_t, core::Pages>;

// Adds frames of one span to the cgroups that they are charged to. words: of the span.
void add_span(std::span<const Frame> frames, std::span<const std::uint64_t> words, PagesByInode& pages) {
    for (const Frame& frame : frames) {
        const std::uint64_t index = frame.pfn - frames.front().pfn;
        if (index < words.size())
            pages[words[index]] += frame.weight;
    }
}

Result<PagesByInode> read_charges(const RootDir& root, std::vector<Frame> frames) {
    const auto file = root.open_file(cgroups_path, O_RDONLY);
    if (!file)
        return file.error();
    std::sort(frames.begin(), frames.end(), [](const Frame& left, const Frame& right) { return left.pfn < right.pfn; });
    PagesByInode pages;
    std::array<std::uint64_t, max_span> words{};
    for (auto first = frames.begin(); first != frames.end();) {
        const auto end =
            std::find_if(first, frames.end(), [&](const Frame& frame) { return frame.pfn - first->pfn >= max_span; });
        const std::size_t bytes = (std::prev(end)->pfn - first->pfn + 1) * sizeof words[0];
        const ssize_t got = ::pread(file->get(), words.data(), bytes, static_cast<off_t>(first->pfn * sizeof words[0]));
        if (got < 0 && errno != ENXIO)  // memory was removed
            return Error::from_errno(errno, root.name_of(cgroups_path));
        const auto nr_words = static_cast<std::size_t>(std::max<ssize_t>(got, 0)) / sizeof words[0];
        add_span({first, end}, std::span(words).first(nr_words), pages);
        first = end;
    }
    return pages;
}

// Walks the cgroups and adds up their needs.
class Walk {
public:
    Walk(const RootDir& root, const PagesByInode& charges) : root_(root), charges_(charges) {}

    // Returns the need of the cgroup and all below.
    core::Pages add(const std::string& cgroup) {
        const auto dir = root_.subdir_without_links(cgroup);
        struct stat status {};
        if (!dir || ::fstat(dir->fd(), &status) != 0)
            return core::Pages(0);
        core::Pages pages{0};
        if (const auto own = charges_.find(status.st_ino); own != charges_.end())
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
    const PagesByInode& charges_;
    std::size_t visited_ = 0;
};

}  // namespace

Result<core::CgroupNeeds> read_cgroup_needs(const RootDir& root, std::vector<Frame> needed) {
    const auto charges = read_charges(root, std::move(needed));
    if (!charges)
        return charges.error();
    Walk walk(root, *charges);
    walk.add(cgroup_mount);
    walk.needs.erase(cgroup_mount);
    return std::move(walk.needs);
}

}  // namespace tmm::os
