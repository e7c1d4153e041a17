// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// EpochPages: counts the pages that were last used in one epoch, by their cgroup and kind. Evicted pages stay in the counts until
// they come back. A plain value; not thread-safe. PageAges has one for each epoch.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tmmd/core/histogram/ages/reuse_table.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::core {

// A page as of its last use.
struct LastUse {
    std::uint32_t epoch = 0;
    PageKind kind = 0;
    CgroupId cgroup = unknown_cgroup;
    std::uint32_t weight = 0;
};

struct EpochPages {
    // The pages of one cgroup.
    struct Share {
        CgroupId cgroup = unknown_cgroup;
        std::array<std::uint32_t, nr_page_kinds> resident{};
        std::array<float, nr_page_kinds> evicted{};

        [[nodiscard]] bool has_resident() const;
        [[nodiscard]] bool empty() const;
        void add(const Share& other);
    };

    ReuseTable::Times end;  // of the epoch
    std::vector<Share> shares;

    // Returns the share of that cgroup, a new one if there is none.
    Share& of(CgroupId cgroup);
    // Takes a resident page away.
    void take(const LastUse& last);
    // Adds the pages of the epoch that follows, and ends when it ends.
    void merge(const EpochPages& next);
    // Drops the shares of cgroups without resident pages. Their evicted pages belong to no cgroup then.
    void disown_evicted();

    // Returns how many there are of each kind, evicted ones included.
    [[nodiscard]] std::array<double, nr_page_kinds> by_kind() const;
    // Returns the number of resident pages.
    [[nodiscard]] std::uint64_t resident() const;
};

}  // namespace tmm::core
