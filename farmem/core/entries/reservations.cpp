// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/entries/reservations.hpp"

namespace tmm::far {

Reservations::Reservations(std::uint32_t quota, const ReservationRules& rules) : rules_(rules), entries_(quota) {
    free_.reserve(quota);
    for (EntryId id = quota; id > 0; --id)
        free_.push_back(id - 1);
}

std::optional<Reservations::Evicted> Reservations::evict(PageNumber page, EntryId held) {
    if (held != no_entry) {
        unreserve(held);
        ++counts_.evictions;
        return Evicted{held, {}};
    }
    Evicted evicted;
    if (!free_.empty()) {
        evicted.entry = free_.back();
        free_.pop_back();
    } else {
        const auto [cold, hot] = last_;
        evicted.entry = hot != no_entry ? hot : cold;
        if (evicted.entry == no_entry)
            return {};
        evicted.has_lost = entries_[evicted.entry].page;
        unreserve(evicted.entry);
        ++counts_.cancellations;
    }
    entries_[evicted.entry].page = page;
    ++counts_.evictions;
    ++counts_.allocations;
    return evicted;
}

EntryId Reservations::came_back(EntryId id) {
    if (!rules_.keep) {
        free(id);
        return no_entry;
    }
    reserve(id, false);
    return id;
}

void Reservations::is_hot(EntryId held) {
    if (!rules_.hot || held == no_entry)
        return;
    unreserve(held);
    reserve(held, true);
}

void Reservations::free(EntryId id) {
    if (entries_[id].is_reserved)
        unreserve(id);
    free_.push_back(id);
}

void Reservations::reserve(EntryId id, bool is_hot) {
    Entry& entry = entries_[id];
    EntryId& last = last_[is_hot ? 1 : 0];
    entry.is_reserved = true;
    entry.is_hot = is_hot;
    entry.before = last;
    entry.after = no_entry;
    if (last != no_entry)
        entries_[last].after = id;
    last = id;
    ++nr_reserved_;
}

void Reservations::unreserve(EntryId id) {
    Entry& entry = entries_[id];
    if (entry.before != no_entry)
        entries_[entry.before].after = entry.after;
    (entry.after != no_entry ? entries_[entry.after].before : last_[entry.is_hot ? 1 : 0]) = entry.before;
    entry.is_reserved = false;
    --nr_reserved_;
}

}  // namespace tmm::far
