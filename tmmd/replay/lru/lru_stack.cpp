// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/lru/lru_stack.hpp"

#include <algorithm>
#include <utility>

namespace tmm::core {

namespace {

constexpr std::size_t min_slots = 4096;
constexpr std::size_t slots_per_page = 4;    // so that numbering anew costs little for each reference
constexpr std::size_t slots_per_block = 16;  // of 4 bytes each: one line of the processor's cache

}  // namespace

LruStack::LruStack() : weights_(min_slots), tree_(min_slots / slots_per_block + 1) {}

std::optional<LruStack::Place> LruStack::touch(PageKey key, std::uint32_t weight) {
    if (next_slot_ == weights_.size())
        renumber();
    PageIndex::Entry* const entry = entries_.find(key);
    std::optional<Place> place;
    if (entry) {
        const bool is_on_top = entry->slot + 1 == next_slot_;
        if (is_on_top && entry->slot >= mark_ && entry->weight == weight)
            return Place{.above = Pages(0), .weight = weight, .since_mark = true};
        place = place_of(*entry);
        set_weight(entry->slot, 0);
        *entry = {key, next_slot_, weight};
    } else {
        entries_.insert({key, next_slot_, weight});
    }
    set_weight(next_slot_++, weight);
    return place;
}

std::optional<LruStack::Place> LruStack::remove(PageKey key) {
    PageIndex::Entry* const entry = entries_.find(key);
    if (!entry)
        return std::nullopt;
    const Place place = place_of(*entry);
    set_weight(entry->slot, 0);
    entries_.erase(entry);
    return place;
}

LruStack::Place LruStack::place_of(const PageIndex::Entry& entry) const {
    return {.above = pages_ - weight_up_to(entry.slot), .weight = entry.weight, .since_mark = entry.slot >= mark_};
}

Pages LruStack::weight_up_to(std::uint32_t slot) const {
    const std::size_t block = slot / slots_per_block;
    Pages sum(0);
    for (std::size_t in_block = block * slots_per_block; in_block <= slot; ++in_block)
        sum += Pages(weights_[in_block]);
    for (std::size_t index = block; index > 0; index &= index - 1)
        sum += tree_[index];
    return sum;
}

void LruStack::set_weight(std::uint32_t slot, std::uint32_t weight) {
    const Pages change = Pages(weight) - Pages(weights_[slot]);  // may wrap around; the sum wraps it back
    weights_[slot] = weight;
    pages_ += change;
    for (std::size_t index = slot / slots_per_block + 1; index < tree_.size(); index += index & -index)
        tree_[index] += change;
}

void LruStack::renumber() {
    std::vector<PageIndex::Entry*> by_slot(next_slot_, nullptr);
    for (PageIndex::Entry& entry : entries_.table()) {
        if (entry.weight != 0)
            by_slot[entry.slot] = &entry;
    }
    const std::size_t nr_blocks = std::max(min_slots, slots_per_page * entries_.size()) / slots_per_block + 1;
    weights_.assign(nr_blocks * slots_per_block, 0);
    tree_.assign(nr_blocks + 1, Pages(0));
    const std::uint32_t old_mark = std::exchange(mark_, 0);
    next_slot_ = 0;
    for (PageIndex::Entry* entry : by_slot) {
        if (!entry)
            continue;
        mark_ += entry->slot < old_mark ? 1 : 0;
        entry->slot = next_slot_;
        weights_[next_slot_] = entry->weight;
        tree_[next_slot_ / slots_per_block + 1] += Pages(entry->weight);
        ++next_slot_;
    }
    // Each node adds its sum to its parent: this builds the tree in linear time.
    for (std::size_t index = 1; index < tree_.size(); ++index) {
        const std::size_t above = index + (index & -index);
        if (above < tree_.size())
            tree_[above] += tree_[index];
    }
}

}  // namespace tmm::core
