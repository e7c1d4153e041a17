// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/sim/sim_memory.hpp"

#include <cstdlib>

namespace tmm::far {

using State = SimPage::State;

SimMemory::SimMemory(std::uint64_t limit_pages, std::uint32_t quota_pages, const ReservationRules& rules,
                     std::function<void(const SimPage&)> discarded)
    : limit_(limit_pages),
      share_(limit_pages / 8),
      discarded_(std::move(discarded)),
      stays_(rules.stay),
      reservations_(quota_pages, rules) {}

void SimMemory::make_room() {
    while (nr_frames() >= limit_) {
        if (leaving_.size() > 0 && (leaving_.size() >= share_ || local_.size() == 0)) {
            leave(leaving_.pop_front());
        } else if (local_.size() > 0) {
            age_oldest();
        } else if (ready_.size() > 0) {
            discard();
        } else {
            return;  // all frames wait for their pages
        }
    }
}

void SimMemory::age_oldest() {
    SimPage& page = local_.pop_front();
    if (page.extra_turns > 0) {
        --page.extra_turns;
        local_.push_back(page);
    } else {
        page.state = State::leaving;
        leaving_.push_back(page);
    }
}

void SimMemory::leave(SimPage& page) {
    const bool copy_is_right = page.entry != no_entry && !page.is_written;
    const auto evicted = reservations_.evict(page.number, page.entry);
    // The quota of a simulation holds all pages that can be away.
    if (!evicted)
        std::abort();
    if (evicted->has_lost) {
        SimPage& other = at(*evicted->has_lost);
        other.entry = no_entry;
        other.extra_turns = stays_ && other.state == State::local ? turns_without_entry : std::uint8_t{0};
    }
    ++(copy_is_right ? writes_.saved : writes_.written);
    page.entry = evicted->entry;
    page.is_written = false;
    page.state = State::far;
}

void SimMemory::discard() {
    SimPage& page = ready_.pop_front();
    page.state = State::far;
    page.is_prefetch = false;
    discarded_(page);
}

void SimMemory::fetch(SimPage& page, bool is_prefetch) {
    make_room();
    page.state = State::coming;
    page.is_prefetch = is_prefetch;
    ++nr_coming_;
    nr_coming_ahead_ += is_prefetch ? 1 : 0;
}

void SimMemory::touch_first(SimPage& page) {
    make_room();
    page.state = State::local;
    local_.push_back(page);
}

bool SimMemory::has_room_to_prefetch(TimePoint now) {
    if (nr_coming_ahead_ + ready_.size() >= share_ && ready_.size() > 0) {
        const SimPage& oldest = ready_.front();
        // A deadline is a mean: half of all pages are used later.
        const bool has_time = oldest.wish.deadline != TimePoint::max();
        if (!has_time || now - oldest.asked > 2 * (oldest.wish.deadline - oldest.asked))
            discard();
    }
    return nr_coming_ahead_ + ready_.size() < share_;
}

void SimMemory::come_back(SimPage& page) {
    page.state = State::local;
    if (page.entry != no_entry)
        page.entry = reservations_.came_back(page.entry);
    local_.push_back(page);
}

void SimMemory::arrived(SimPage& page) {
    --nr_coming_;
    if (page.is_prefetch) {
        --nr_coming_ahead_;
        page.state = State::ready;
        ready_.push_back(page);
    } else {
        come_back(page);
    }
}

void SimMemory::not_coming(SimPage& page) {
    --nr_coming_;
    nr_coming_ahead_ -= page.is_prefetch ? 1 : 0;
    page.is_prefetch = false;
    page.state = State::far;
}

void SimMemory::needed(SimPage& page) {
    page.is_prefetch = false;
    --nr_coming_ahead_;
}

void SimMemory::use_ready(SimPage& page) {
    ready_.remove(page);
    page.is_prefetch = false;
    come_back(page);
}

void SimMemory::rescue(SimPage& page) {
    leaving_.remove(page);
    page.state = State::local;
    local_.push_back(page);
    reservations_.is_hot(page.entry);
}

}  // namespace tmm::far
