// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/page_index.hpp"

#include <bit>

#include "tmmd/core/histogram/spatial_sampling.hpp"

namespace tmm::core {

namespace {

constexpr std::size_t min_table = 1024;

}  // namespace

PageIndex::PageIndex() : table_(min_table) {}

std::size_t PageIndex::home_of(PageKey key) const {
    // Uses the upper bits: the lower ones of sampled keys are alike.
    return static_cast<std::size_t>(mixed(key) >> (64 - std::countr_zero(table_.size())));
}

PageIndex::Entry* PageIndex::find(PageKey key) {
    for (std::size_t place = home_of(key); table_[place].weight != 0; place = next(place)) {
        if (table_[place].key == key)
            return &table_[place];
    }
    return nullptr;
}

void PageIndex::insert(const Entry& entry) {
    if (3 * (size_ + 1) > 2 * table_.size())
        grow();
    std::size_t place = home_of(entry.key);
    while (table_[place].weight != 0)
        place = next(place);
    table_[place] = entry;
    ++size_;
}

void PageIndex::erase(Entry* entry) {
    auto hole = static_cast<std::size_t>(entry - table_.data());
    // Entries after the hole move up as far as they may, so that no search ends at the hole.
    for (std::size_t place = next(hole); table_[place].weight != 0; place = next(place)) {
        const std::size_t mask = table_.size() - 1;
        const std::size_t from_home = (place - home_of(table_[place].key)) & mask;
        const std::size_t from_hole = (place - hole) & mask;
        if (from_home < from_hole)
            continue;
        table_[hole] = table_[place];
        hole = place;
    }
    table_[hole] = Entry();
    --size_;
}

void PageIndex::grow() {
    std::vector<Entry> old(2 * table_.size());
    old.swap(table_);
    size_ = 0;
    for (const Entry& entry : old) {
        if (entry.weight != 0)
            insert(entry);
    }
}

}  // namespace tmm::core
