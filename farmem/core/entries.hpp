// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Entries: contents that left their spaces, counted by the pages that refer to them. Pure; called from one thread.
#pragma once

#include <cstdint>
#include <vector>

#include "farmem/core/page.hpp"

namespace tmm::far {

struct Entry {
    std::uint32_t nr_pages = 0;  // that refer to it; 0: the entry is free
    SlotId slot = no_slot;       // that has its content
    bool is_stored = false;      // the store has this version
    bool has_record = false;     // the store has, or is being given, some version
    Version version = 0;
    std::array<std::uint64_t, 2> hash{};
};

class Entries {
public:
    [[nodiscard]] Entry& at(EntryId id) { return entries_[id]; }
    [[nodiscard]] const Entry& at(EntryId id) const { return entries_[id]; }

    // Returns an entry with one page.
    EntryId add() {
        EntryId id = static_cast<EntryId>(entries_.size());
        if (free_.empty()) {
            entries_.emplace_back();
        } else {
            id = free_.back();
            free_.pop_back();
            entries_[id] = Entry();
        }
        entries_[id].nr_pages = 1;
        return id;
    }
    // The entry has no page left.
    void free(EntryId id) { free_.push_back(id); }

    [[nodiscard]] std::size_t size() const { return entries_.size() - free_.size(); }

private:
    std::vector<Entry> entries_;
    std::vector<EntryId> free_;
};

}  // namespace tmm::far
