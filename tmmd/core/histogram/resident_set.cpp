// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/histogram/resident_set.hpp"

#include <algorithm>

namespace tmm::core {

EpochSample ResidentSet::update(std::vector<ScannedPage> scan) {
    const auto by_key = [](const ScannedPage& left, const ScannedPage& right) { return left.key < right.key; };
    // Most scans are in order already; sorting costs as much as all the rest.
    if (!std::is_sorted(scan.begin(), scan.end(), by_key))
        std::sort(scan.begin(), scan.end(), by_key);
    EpochSample sample;
    std::vector<PageKey> now_resident;
    now_resident.reserve(scan.size());
    auto before = resident_.begin();
    for (const ScannedPage& page : scan) {
        for (; before != resident_.end() && *before < page.key; ++before)
            sample.gone.push_back(*before);
        const bool was_there = before != resident_.end() && *before == page.key;
        if (was_there)
            ++before;
        // Bringing a page in is a use, so a new page counts as referenced even without its reference bit.
        if (page.referenced || !was_there)
            sample.referenced.push_back({page.key, page.weight, page.backing});
        now_resident.push_back(page.key);
    }
    sample.gone.insert(sample.gone.end(), before, resident_.end());
    resident_ = std::move(now_resident);
    return sample;
}

}  // namespace tmm::core
