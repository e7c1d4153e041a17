// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ResidentPages: follows which pages are resident under a limit, and counts evictions as the kernel does. OwnerModel knows exact
// positions; the policy sees what the kernel tells: pages that are gone, evictions, and refault distances. Pure; not thread-safe.
#pragma once

#include <list>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tmmd/core/pages.hpp"

namespace tmm::replay {

class ResidentPages {
public:
    explicit ResidentPages(core::Pages limit) : limit_(limit) {}

    // Makes a page of this weight the most recent. Returns its refault distance if it had been evicted.
    std::optional<core::Pages> use(core::PageKey page, core::Pages weight);
    // The page was freed.
    void forget(core::PageKey page);
    // Evicts the oldest pages beyond the limit.
    void set_limit(core::Pages limit);

    [[nodiscard]] bool is_resident(core::PageKey page) const;
    [[nodiscard]] core::Pages resident() const { return resident_; }
    // Return the evicted pages since the last call: their keys, and their number.
    std::vector<core::PageKey> take_gone() { return std::exchange(gone_, {}); }
    core::Pages take_evicted() { return std::exchange(evicted_now_, core::Pages(0)); }

private:
    struct Page {
        std::list<core::PageKey>::iterator place;  // if resident
        core::Pages weight{0};
        bool resident = false;
        core::Pages evicted_at{0};  // evictions before this page's end, if not
    };
    void shrink();

    core::Pages limit_;
    core::Pages resident_{0};
    core::Pages evicted_{0};
    core::Pages evicted_now_{0};
    std::list<core::PageKey> newest_first_;
    std::unordered_map<core::PageKey, Page> pages_;
    std::vector<core::PageKey> gone_;
};

}  // namespace tmm::replay
