// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Arrivals: decides which pages that are new in an epoch are evicted ones that came back. Such a page comes back under another
// key, and looks new. A cgroup's pages mostly come back to it. Those that do not, such as the files of a job that runs in a new
// cgroup each night, are looked for in all other cgroups together. A plain value; not thread-safe. PageAges has one.
#pragma once

#include <array>
#include <map>

#include "tmmd/core/pages.hpp"

namespace tmm::core {

class Arrivals {
public:
    // A page is new in this epoch.
    void add_new(const SampledPage& page);
    // So many pages came back.
    void add_returned(const ByBacking& pages);
    // That many of them were last used in that cgroup.
    void add_returned(CgroupId cgroup, Backing backing, double pages);

    // Finds the new pages that came back: all of a cgroup if they are half of them or more.
    void find_returned();
    // Returns whether the new pages of that page's cgroup and backing came back.
    [[nodiscard]] bool are_returned(const SampledPage& page) const;

private:
    struct OfCgroup {
        ByBacking appeared{};
        ByBacking returned{};
        std::array<bool, nr_backings> are_returned{};
    };

    std::map<CgroupId, OfCgroup> cgroups_;
    ByBacking returned_{};
};

}  // namespace tmm::core
