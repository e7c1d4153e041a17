// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// GenerationTracker: tells from the multi-gen LRU's generations how many pages were used, by the time of their last use before.
// An ageing call reads and clears reference bits: used pages move to the generation that was the youngest until then, and a new
// one begins. So two readings, before and after the call, tell the pages of each older generation that were used. The kernel
// keeps four generations and merges the oldest two for a new one; the tracker therefore knows two groups of pages:
//     recent: used or new in the last epoch        old: last used before it
// It sums up the lists of a cgroup, since the counts of pages have no identity. Pure; not thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "tmmd/core/generations/lru_gen_text.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// What happened to pages of one backing in an epoch. All others of both groups are old from now on.
struct PageFlow {
    Pages used_recent{0};
    Pages used_old{0};
    Pages gone_recent{0};  // evicted or freed
    Pages gone_old{0};
    Pages came{0};      // new, and recent from now on
    Pages came_old{0};  // new, but in an older generation: files that are read ahead or by read(2)

    bool operator==(const PageFlow&) const = default;
    PageFlow& operator+=(const PageFlow& other);
};

// The pages of a cgroup: by their backing, and apart from these the files of ReadTracker. The first two are numbers of Backing.
enum class PageList : std::uint8_t {
    anonymous,
    file,
    read,
};
inline constexpr std::size_t nr_page_lists = 3;
constexpr Backing backing_of(PageList list) {
    return list == PageList::anonymous ? Backing::anonymous : Backing::file;
}

using GenerationFlow = std::array<PageFlow, nr_page_lists>;
// All cgroups that have lists. The pages of any other are gone.
using FlowByCgroup = std::map<CgroupId, GenerationFlow>;

// Returns the flow with uses of old pages as first uses, which have no position: pages went, and as many came.
PageFlow without_old_uses(const PageFlow& flow);

class GenerationTracker {
public:
    // Ends an epoch. before, after: the opaque lists, read before and after the ageing calls. Those after have their cgroups'
    // numbers; a list keeps its first one. In the first epoch all pages came.
    FlowByCgroup end_epoch(std::span<const Generations> before, std::span<const Generations> after);

private:
    struct List {
        std::string cgroup;
        CgroupId id = unknown_cgroup;
        std::uint64_t recent_from = 0;  // generations of the recent pages: from this one ...
        std::uint64_t young_from = 0;   // ... to the one before this, which was the youngest after the last epoch's ageing call
        PagesByBacking recent{};
        PagesByBacking old{};
    };
    using Key = std::pair<std::uint64_t, std::uint64_t>;  // memcg and node

    std::map<Key, List> lists_;
};

}  // namespace tmm::core
