// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SimMemory: the pages of one simulated program, and the order in which they leave its local memory.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>

#include "farmem/core/entries/reservations.hpp"
#include "farmem/core/link/link_scheduler.hpp"
#include "farmem/core/wish.hpp"

namespace tmm::far {

struct SimPage {
    // zero: never touched. coming: asked for. ready: fetched ahead. leaving: local for a while yet.
    enum class State : std::uint8_t { zero, far, coming, ready, local, leaving };

    PageNumber number = 0;
    State state = State::zero;
    bool is_written = false;                  // since it came back
    bool is_prefetch = false;                 // coming or ready: nobody has needed it so far
    EntryId entry = no_entry;                 // of the store
    std::uint8_t extra_turns = 0;             // local: of the FIFO, that it stays longer
    Wish wish;                                // of a prefetch
    TimePoint asked;                          // time of its wish
    RequestId request;                        // coming
    SimPage* next_of_request = nullptr;       // that the same request brings
    std::uint32_t first_waiter = UINT32_MAX;  // thread
    SimPage* before = nullptr;
    SimPage* after = nullptr;
};

// A list of pages, through the pages themselves.
class SimPageList {
public:
    void push_back(SimPage& page) {
        page.before = last_;
        page.after = nullptr;
        (last_ ? last_->after : first_) = &page;
        last_ = &page;
        ++size_;
    }
    void remove(SimPage& page) {
        (page.before ? page.before->after : first_) = page.after;
        (page.after ? page.after->before : last_) = page.before;
        --size_;
    }
    SimPage& pop_front() {
        SimPage& page = *first_;
        remove(page);
        return page;
    }
    [[nodiscard]] const SimPage& front() const { return *first_; }
    [[nodiscard]] std::uint64_t size() const { return size_; }

private:
    SimPage* first_ = nullptr;
    SimPage* last_ = nullptr;
    std::uint64_t size_ = 0;
};

struct SimWrites {
    std::uint64_t written = 0;
    std::uint64_t saved = 0;  // the copy was still right
};

class SimMemory {
public:
    // discarded: is called with each page that was fetched ahead in vain.
    SimMemory(std::uint64_t limit_pages, std::uint32_t quota_pages, const ReservationRules& rules,
              std::function<void(const SimPage&)> discarded);

    [[nodiscard]] SimPage& at(PageNumber number) {
        SimPage& page = pages_[number];
        page.number = number;
        return page;
    }
    [[nodiscard]] SimPage* find(PageNumber number) {
        const auto found = pages_.find(number);
        return found == pages_.end() ? nullptr : &found->second;
    }

    // A page that is far or zero gets a frame: it is coming, or local at once.
    void fetch(SimPage& page, bool is_prefetch);
    void touch_first(SimPage& page);
    // Returns whether there is a frame for one more prefetch. The oldest page that was fetched ahead leaves if it was not used
    // in twice the time that it was expected to be, or if nobody knows that time.
    bool has_room_to_prefetch(TimePoint now);

    void arrived(SimPage& page);     // as ready if it is a prefetch still, else as local
    void not_coming(SimPage& page);  // the request was dropped
    void needed(SimPage& page);      // coming: no longer a prefetch
    void use_ready(SimPage& page);   // local from now on
    void rescue(SimPage& page);      // the same for one that was leaving

    [[nodiscard]] const ReservationCounts& entries() const { return reservations_.counts(); }
    [[nodiscard]] const SimWrites& writes() const { return writes_; }

private:
    [[nodiscard]] std::uint64_t nr_frames() const { return local_.size() + leaving_.size() + ready_.size() + nr_coming_; }
    void make_room();
    void age_oldest();
    void leave(SimPage& page);
    void discard();
    void come_back(SimPage& page);

    std::uint64_t limit_;
    std::uint64_t share_;  // of the limit, for pages that leave and for prefetches
    std::function<void(const SimPage&)> discarded_;
    const bool stays_;  // a page that lost its entry stays longer
    Reservations reservations_;
    SimWrites writes_;
    std::unordered_map<PageNumber, SimPage> pages_;
    SimPageList local_;
    SimPageList leaving_;
    SimPageList ready_;
    std::uint64_t nr_coming_ = 0;
    std::uint64_t nr_coming_ahead_ = 0;
};

}  // namespace tmm::far
