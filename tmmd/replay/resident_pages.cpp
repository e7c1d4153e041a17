// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/resident_pages.hpp"

namespace tmm::replay {

std::optional<core::Pages> ResidentPages::use(core::PageKey key, core::Pages weight) {
    const auto [entry, is_new] = pages_.try_emplace(key);
    Page& page = entry->second;
    std::optional<core::Pages> distance;
    if (page.resident) {
        newest_first_.splice(newest_first_.begin(), newest_first_, page.place);
        resident_ -= page.weight;
    } else {
        newest_first_.push_front(key);
        if (!is_new)
            distance = evicted_ - page.evicted_at;
    }
    page.place = newest_first_.begin();
    page.weight = weight;
    page.resident = true;
    resident_ += weight;
    shrink();
    return distance;
}

void ResidentPages::forget(core::PageKey key) {
    const auto entry = pages_.find(key);
    if (entry == pages_.end())
        return;
    if (entry->second.resident) {
        newest_first_.erase(entry->second.place);
        resident_ -= entry->second.weight;
    }
    pages_.erase(entry);
}

void ResidentPages::set_limit(core::Pages limit) {
    limit_ = limit;
    shrink();
}

bool ResidentPages::is_resident(core::PageKey key) const {
    const auto entry = pages_.find(key);
    return entry != pages_.end() && entry->second.resident;
}

void ResidentPages::shrink() {
    while (resident_ > limit_) {
        Page& oldest = pages_.at(newest_first_.back());
        gone_.push_back(newest_first_.back());
        newest_first_.pop_back();
        oldest.resident = false;
        resident_ -= oldest.weight;
        evicted_ += oldest.weight;
        evicted_now_ += oldest.weight;
        oldest.evicted_at = evicted_;
    }
}

}  // namespace tmm::replay
