// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "miss_curve.hpp"

#include <numeric>

namespace tmm::desk {

void MissCurve::touch(PageIndex page) {
    if (const auto place = stack_.touch(page, 1))
        ++touches_at_[place->above.count()];
}

std::vector<MissCurve::Step> MissCurve::steps() const {
    std::uint64_t misses = std::accumulate(touches_at_.begin(), touches_at_.end(), std::uint64_t{0});
    std::vector<Step> steps{{0, misses}};
    for (PageIndex distance = 0; distance < touches_at_.size(); ++distance) {
        if (touches_at_[distance] == 0)
            continue;
        misses -= touches_at_[distance];
        steps.push_back({distance + 1, misses});
    }
    return steps;
}

}  // namespace tmm::desk
