// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Protection: turns the limits of the two classes into settings of cgroups, for kernels that know no classes. The kernel takes no
// memory from a cgroup below its memory.min (on the classic LRU: its memory.low), so it takes contributions' memory instead. A
// setting below the usage leaves the rest of the cgroup to be reclaimed. All functions are pure.
//
// memory.min and memory.low count at face value in a cgroup directly below the mount point. Further down a parent's protection is
// shared out: in proportion to the children's own protected usage, and the rest to all children by their usage, contributions
// included (memory_recursiveprot). So on the way to a contribution its neighbours claim exactly the whole protection of the
// parent. (Documentation/admin-guide/cgroup-v2.rst, "Memory Interface Files"; page_counter_calculate_protection().)
//
// The kernel shares reclaim out among cgroups by their size, not by the age of their pages. So cgroups whose programs need their
// memory (the sampled pages that the policy keeps) are protected first, and those that were left alone last.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

// The memory that a cgroup's programs need, all below included.
struct CgroupNeed {
    Pages pages{0};
    Pages usage{0};  // memory.current when the need was found
};

// By path. All memory of a cgroup that is missing came since.
using CgroupNeeds = std::map<std::string, CgroupNeed>;

// A cgroup directly below the mount point, or with a contribution in its parent.
struct CgroupUsage {
    std::string path;
    Pages usage{0};                     // memory.current, all below included
    bool transparent = false;           // a contribution
    std::vector<CgroupUsage> children;  // only if there is a contribution below
    // Of a cgroup without children, if somebody asked for them. Only files leave memory without swap.
    Pages file{0};
    Pages anonymous{0};
};

// Memory of a cgroup that the kernel shall not take.
struct CgroupProtection {
    std::string path;
    Pages pages{0};
    bool operator==(const CgroupProtection&) const = default;
};

// Memory of a contribution, by the way that it leaves.
struct ContributedPages {
    std::string path;  // of its cgroup
    Pages file{0};
    Pages anonymous{0};    // goes to swap only
    Pages unevictable{0};  // stays

    [[nodiscard]] Pages all() const { return file + anonymous + unevictable; }
};

// The pages that swap can still take.
struct SwapLeft {
    Pages free{0};
    // Of a cgroup with a limit of its swap (memory.swap.max), all below included; by path.
    std::map<std::string, Pages> of_cgroups;
    // Anonymous pages of those with a limit that lie below the cgroups of ContributedPages, which count them, too.
    std::map<std::string, Pages> anonymous_below;
};

// Returns the opaque memory that the kernel must be able to take: the excess over opaque_limit, and as much as min_reclaimable
// needs beyond what is free and what it can take from contributions. Their anonymous pages need free swap, and room in the limit
// of each cgroup on the way up.
Pages reclaimable_opaque(const MemoryUsage& usage, Pages opaque_limit, const std::vector<ContributedPages>& contributed,
                         const SwapLeft& swap);

// Memory that the kernel must be able to take though contributions give nothing more.
struct MustLeave {
    Pages pages{0};  // of opaque cgroups
    Pages swap{0};   // free, and not for contributions' pages
};

// Returns what min_reclaimable needs of opaque memory. Arguments: as of reclaimable_opaque().
MustLeave must_leave(const MemoryUsage& usage, const std::vector<ContributedPages>& contributed, const SwapLeft& swap);

// The memory that protection covers.
enum class Cover {
    all,    // of the kernel that knows no classes, where nothing else keeps it from contributions
    needs,  // only the needs that were found: new pages of any opaque program may take the rest, the oldest first
};

// Returns reclaimable, or as much more as it takes for the wanted memory to be able to leave, or all that can. None: swap takes
// all anonymous memory, so any memory can leave. Otherwise the kernel would have to kill beside protected files: the unprotected
// part has as large a share of anonymous pages as all, provided that no cgroup below claims protection. top: with file and
// anonymous of each. Others: as of protections().
std::optional<Pages> reclaimable_that_leaves(const std::vector<CgroupUsage>& top, Pages reclaimable, const MustLeave& wanted,
                                             Cover cover, const CgroupNeeds& needs = {});

// Returns the protection of each opaque cgroup, parents first. top: the cgroups directly below the mount point. reclaimable:
// stays unprotected. Each cgroup gets its need, or the same share of it if there is too little for all. That
// may be more than it has, since evicted pages of it may come back. With Cover::all a cgroup gets no more than it has, memory
// that came since counts as needed, and the rest goes to all cgroups, in proportion to the need as far as there is usage, then to
// the usage.
std::vector<CgroupProtection> protections(const std::vector<CgroupUsage>& top, Pages reclaimable, Cover cover,
                                          const CgroupNeeds& needs = {});

// Returns the protections of the cgroups with a need that lie below those of protections() without children: the need, or in
// proportion to it all that the parent has. So the kernel gives a parent's protection to the children that need it. The kernel
// gives them less if that is too much, and what they leave to their neighbours. found: by protections(), with the same needs.
std::vector<CgroupProtection> protections_below(const std::vector<CgroupProtection>& found, const CgroupNeeds& needs);

// Returns whether a protection differs by so much from the one in force that it is worth a write: by a 64th, and 1 MiB; or if it
// is twice as much, and 64 KiB more. The first look at a new cgroup may find next to nothing, and many never use 1 MiB; as none
// falls by less, each gets a few writes. page_bytes: the size of a base page.
bool worth_a_write(Pages in_force, Pages wanted, Bytes page_bytes);

// Returns the limits of contributions' memory, one for each usage: they may take what is free but kept, or have their class's
// limit, or as little as programs need to run at all (a hundredth of memory). A contribution beyond keeps what it has, since this
// limit must not make it wait; reclaim takes the excess when the owner needs it. usage: of all memory. kept: of kept_free().
// transparent: the usage of each contribution.
std::vector<Pages> contribution_limits(const MemoryUsage& usage, Pages transparent_limit, Pages kept,
                                       const std::vector<Pages>& transparent);

}  // namespace tmm::core
