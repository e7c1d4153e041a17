// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/lru_stack.hpp"

#include <algorithm>

namespace tmm::core {

namespace {

constexpr std::size_t fewest_slots = 4096;
constexpr std::size_t slots_per_page = 4;    // so that numbering anew costs little for each reference
constexpr std::size_t slots_per_block = 16;  // of 4 bytes: one line of the processor's cache

}  // namespace

LruStack::LruStack() : weights_(fewest_slots), tree_(fewest_slots / slots_per_block + 1) {}

std::optional<LruStack::Place> LruStack::touch(PageKey key, std::uint32_t weight) {
    if (next_slot_ == weights_.size())
        renumber();
    const auto [found, is_new] = entries_.try_emplace(key, Entry{next_slot_, weight});
    Entry& entry = found->second;
    std::optional<Place> place;
    if (!is_new) {
        const bool is_on_top = entry.slot + 1 == next_slot_;
        if (is_on_top && entry.slot >= mark_ && entry.weight == weight)
            return Place{.above = 0, .weight = weight, .since_mark = true};
        place = place_of(entry);
        set_weight(entry.slot, 0);
        entry = {next_slot_, weight};
    }
    set_weight(next_slot_++, weight);
    return place;
}

std::optional<LruStack::Place> LruStack::remove(PageKey key) {
    const auto found = entries_.find(key);
    if (found == entries_.end())
        return std::nullopt;
    const Place place = place_of(found->second);
    set_weight(found->second.slot, 0);
    entries_.erase(found);
    return place;
}

LruStack::Place LruStack::place_of(const Entry& entry) const {
    return {.above = pages_ - weight_up_to(entry.slot), .weight = entry.weight, .since_mark = entry.slot >= mark_};
}

Pages LruStack::weight_up_to(std::uint32_t slot) const {
    const std::size_t block = slot / slots_per_block;
    Pages sum = 0;
    for (std::size_t in_block = block * slots_per_block; in_block <= slot; ++in_block)
        sum += weights_[in_block];
    for (std::size_t index = block; index > 0; index &= index - 1)
        sum += tree_[index];
    return sum;
}

void LruStack::set_weight(std::uint32_t slot, std::uint32_t weight) {
    const Pages change = Pages{weight} - weights_[slot];  // may wrap around, and back with the sum
    weights_[slot] = weight;
    pages_ += change;
    for (std::size_t index = slot / slots_per_block + 1; index < tree_.size(); index += index & -index)
        tree_[index] += change;
}

void LruStack::renumber() {
    std::vector<Entry*> in_order;
    in_order.reserve(entries_.size());
    for (auto& [key, entry] : entries_)
        in_order.push_back(&entry);
    std::sort(in_order.begin(), in_order.end(), [](const Entry* left, const Entry* right) { return left->slot < right->slot; });
    const auto is_before_mark = [&](const Entry* entry) { return entry->slot < mark_; };
    const auto before_mark = std::partition_point(in_order.begin(), in_order.end(), is_before_mark) - in_order.begin();
    const std::size_t nr_blocks = std::max(fewest_slots, slots_per_page * in_order.size()) / slots_per_block + 1;
    weights_.assign(nr_blocks * slots_per_block, 0);
    tree_.assign(nr_blocks + 1, 0);
    next_slot_ = 0;
    for (Entry* entry : in_order) {
        entry->slot = next_slot_;
        weights_[next_slot_] = entry->weight;
        tree_[next_slot_ / slots_per_block + 1] += entry->weight;
        ++next_slot_;
    }
    // Each node passes its sum on to the one above it: the tree in linear time.
    for (std::size_t index = 1; index < tree_.size(); ++index) {
        const std::size_t above = index + (index & -index);
        if (above < tree_.size())
            tree_[above] += tree_[index];
    }
    mark_ = static_cast<std::uint32_t>(before_mark);
}

}  // namespace tmm::core
