// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reservations: the entries of one program's partition, up to its quota. A page that comes back keeps its entry, so a clean one
// leaves again without a write, and a dirty one without an allocation (Canvas, Wang et al., NSDI'23, 5.1). A full partition
// cancels the reservation of the page that proved hot last, because hot pages stay local; if none is hot, that of the page that
// came back last.
//
// The owner of a page remembers its EntryId. Pure; called from one thread; allocates only when it is made.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "farmem/core/page.hpp"

namespace tmm::far {

struct ReservationRules {
    bool keep = true;  // a page keeps its entry when it comes back
    bool hot = true;   // hot pages lose theirs first
    bool stay = true;  // a page that lost its entry stays local for longer, which is up to the caller
};

struct ReservationCounts {
    std::uint64_t evictions = 0;
    std::uint64_t allocations = 0;    // evictions of a page without an entry
    std::uint64_t cancellations = 0;  // reservations that another page got
};

class Reservations {
public:
    explicit Reservations(std::uint32_t quota, const ReservationRules& rules = {});

    struct Evicted {
        EntryId entry = no_entry;            // that the page has now
        std::optional<PageNumber> has_lost;  // another page, which is local, has no entry from now on
    };
    // The page leaves. held: its entry, or no_entry. Returns none if the partition is full of pages that are away.
    std::optional<Evicted> evict(PageNumber page, EntryId held);

    // The page is local again. Returns its entry, or no_entry if it may not keep it.
    EntryId came_back(EntryId entry);

    // A local page was used when it was about to leave: it is hot. held: its entry, or no_entry.
    void is_hot(EntryId held);

    // The page is gone.
    void free(EntryId entry);

    [[nodiscard]] std::uint32_t quota() const { return static_cast<std::uint32_t>(entries_.size()); }
    [[nodiscard]] std::uint32_t nr_used() const { return quota() - static_cast<std::uint32_t>(free_.size()); }
    [[nodiscard]] std::uint32_t nr_reserved() const { return nr_reserved_; }
    [[nodiscard]] const ReservationCounts& counts() const { return counts_; }

private:
    struct Entry {
        PageNumber page = 0;
        EntryId before = no_entry;  // in its list
        EntryId after = no_entry;
        bool is_reserved = false;  // its page is local
        bool is_hot = false;
    };

    void reserve(EntryId id, bool is_hot);
    void unreserve(EntryId id);

    ReservationRules rules_;
    ReservationCounts counts_;
    std::vector<Entry> entries_;
    std::vector<EntryId> free_;
    std::array<EntryId, 2> last_{no_entry, no_entry};  // of the lists of cold and of hot reservations
    std::uint32_t nr_reserved_ = 0;
};

}  // namespace tmm::far
