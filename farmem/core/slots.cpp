// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/slots.hpp"

namespace tmm::far {

Slots::Slots(std::uint32_t nr_slots) : slots_(nr_slots) {
    for (SlotId id = nr_slots; id > 0; --id)
        free_.push_back(id - 1);
    counts_[static_cast<std::size_t>(Slot::State::free)] = nr_slots;
}

SlotId Slots::pop(std::deque<Place>& queue, Slot::State state) {
    while (!queue.empty()) {
        const Place place = queue.front();
        queue.pop_front();
        if (slots_[place.id].state == state && slots_[place.id].turn == place.turn)
            return place.id;
    }
    return no_slot;
}

void Slots::push(std::deque<Place>& queue, SlotId id) {
    // What stayed behind goes once it is most of it.
    if (queue.size() > 2 * slots_.size())
        std::erase_if(queue, [&](const Place& place) { return slots_[place.id].turn != place.turn; });
    queue.push_back({id, ++slots_[id].turn});
}

SlotId Slots::take() {
    if (free_.empty())
        return take_clean();
    const SlotId id = free_.back();
    free_.pop_back();
    return id;
}

SlotId Slots::take_clean() {
    return pop(clean_, Slot::State::clean);
}

SlotId Slots::oldest_dirty() {
    return pop(dirty_, Slot::State::dirty);
}

void Slots::retry() {
    for (SlotId id = pop(failed_, Slot::State::failed); id != no_slot; id = pop(failed_, Slot::State::failed))
        set(id, Slot::State::dirty);
}

void Slots::set(SlotId id, Slot::State state) {
    Slot& slot = slots_[id];
    --counts_[static_cast<std::size_t>(slot.state)];
    ++counts_[static_cast<std::size_t>(state)];
    slot.state = state;
    ++slot.turn;
    if (state == Slot::State::free) {
        slot.entry = no_entry;
        slot.claims.clear();
        free_.push_back(id);
    } else if (state == Slot::State::dirty) {
        push(dirty_, id);
    } else if (state == Slot::State::failed) {
        push(failed_, id);
    } else if (state == Slot::State::clean) {
        push(clean_, id);
    }
}

}  // namespace tmm::far
