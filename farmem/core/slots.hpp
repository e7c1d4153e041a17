// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slots: the pages of local memory that the pager shares with a program's hand. One is free, ordered (the hand moves a page into
// it), dirty (its content is nowhere else: the write list), writing (the store is given it), filling (the store gives it) or
// clean (the store has it, too). Clean slots are taken again, oldest first. Pure; called from one thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "farmem/core/page.hpp"
#include "farmem/core/wish.hpp"

namespace tmm::far {

struct Slot {
    // failed: the store did not take it, and is asked again later.
    enum class State : std::uint8_t { free, ordered, dirty, writing, failed, filling, clean };

    State state = State::free;
    std::uint32_t turn = 0;  // which of its places in a queue counts
    EntryId entry = no_entry;
    Version version = 0;
    SpaceId orderer = 0;           // ordered: whose hand fills it
    std::optional<Origin> origin;  // filling, clean: who asked for the page, which nobody has used so far
    std::vector<PageId> claims;    // ordered: whose content it will be; more than one after a fork
};

class Slots {
public:
    explicit Slots(std::uint32_t nr_slots);

    [[nodiscard]] Slot& at(SlotId id) { return slots_[id]; }
    [[nodiscard]] const Slot& at(SlotId id) const { return slots_[id]; }

    // Returns a free slot, or else the oldest clean one, which still has its entry; no_slot if there is neither.
    SlotId take();
    // Returns the oldest clean slot, or no_slot.
    SlotId take_clean();
    // Returns the oldest dirty slot, or no_slot.
    SlotId oldest_dirty();
    // Makes failed slots dirty.
    void retry();

    void set(SlotId id, Slot::State state);

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(slots_.size()); }
    [[nodiscard]] std::uint32_t count(Slot::State state) const { return counts_[static_cast<std::size_t>(state)]; }
    // Slots whose content is nowhere else.
    [[nodiscard]] std::uint32_t nr_unwritten() const {
        return count(Slot::State::ordered) + count(Slot::State::dirty) + count(Slot::State::writing) + count(Slot::State::failed);
    }

private:
    struct Place {
        SlotId id;
        std::uint32_t turn;
    };
    SlotId pop(std::deque<Place>& queue, Slot::State state);
    void push(std::deque<Place>& queue, SlotId id);

    std::vector<Slot> slots_;
    std::vector<SlotId> free_;
    std::deque<Place> dirty_;
    std::deque<Place> failed_;
    std::deque<Place> clean_;
    std::array<std::uint32_t, 7> counts_{};
};

}  // namespace tmm::far
