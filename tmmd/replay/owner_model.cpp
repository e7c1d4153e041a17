// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/owner_model.hpp"

namespace tmm::replay {

core::LruStack::Place OwnerModel::scaled(core::LruStack::Place place) const {
    place.above = scaled(place.above);
    place.weight <<= shift_;  // at most 2^18 * 2^13
    return place;
}

OwnerModel::Use OwnerModel::use(core::PageKey page, std::uint32_t weight) {
    auto place = stack_.touch(page, weight);
    if (place)
        place = scaled(*place);
    const core::Pages pages = scaled(core::Pages(weight));
    const bool missed_at_limit = at_limit_.touch(place, pages);
    const bool missed_all_memory = all_memory_.touch(place, pages);
    if (!place)
        return {.first = true, .first_in_epoch = true};
    misses_at_limit_ += missed_at_limit ? pages.count() : 0;
    misses_all_memory_ += missed_all_memory ? pages.count() : 0;
    return {.first_in_epoch = !place->since_mark, .evicted = missed_at_limit, .position = place->above};
}

bool OwnerModel::forget(core::PageKey page) {
    const auto place = stack_.remove(page);
    if (!place)
        return false;
    at_limit_.remove(scaled(*place));
    all_memory_.remove(scaled(*place));
    return true;
}

void OwnerModel::end_epoch(core::Pages opaque_limit) {
    at_limit_.resize(opaque_limit);
    stack_.mark();
}

}  // namespace tmm::replay
