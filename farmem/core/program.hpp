// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Program: decides for one program on far memory: where each of its pages is, what a fault is answered with, which pages leave
// next, what is written to the store and what is fetched ahead. The pager carries it out and reports what came of it. Each page
// is in exactly one place, or in transit by name: a slot that the hand fills, or a fetch.
//
// Pure: time is an argument, and nothing here knows userfaultfd, sockets or stores. Called from one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "farmem/core/entries.hpp"
#include "farmem/core/fifo.hpp"
#include "farmem/core/page.hpp"
#include "farmem/core/page_table.hpp"
#include "farmem/core/slots.hpp"
#include "farmem/core/time.hpp"
#include "farmem/core/wish.hpp"

namespace tmm::far {

// Of one order to a hand, as many as pay for its way.
inline constexpr std::uint32_t max_batch = 64;
// Of one hand, so that it has the next while the pager reads the last.
inline constexpr std::uint32_t max_batches = 2;
// Less leaves no room for slots.
inline constexpr std::uint64_t min_limit_pages = 1024;

// What a fault gets. wait: ask again when something changed. coming: a prefetch brings it; ask again when it is there, or will
// not be. lost: the process must end.
struct Answer {
    enum class How { zero, slot, fetch, wait, coming, lost };
    How how = How::wait;
    SlotId slot = no_slot;     // slot, coming: that has or will have the content
    EntryId entry = no_entry;  // fetch: that the store has
    Version version = 0;
    std::optional<Origin> hit{};  // slot, coming: it was fetched ahead, for this fault
};

struct Order {
    PageNumber page = 0;
    SlotId slot = no_slot;
};
struct Orders {
    SpaceId space = 0;
    std::vector<Order> orders;  // empty: none now
};

// moved: the slot has the page, and its space no longer. absent: the space has no such page. refused: it stays.
enum class Outcome { moved, absent, refused };

struct Write {
    EntryId entry = no_entry;
    SlotId slot = no_slot;
    Version version = 0;
};
struct Prefetch {
    EntryId entry = no_entry;
    SlotId slot = no_slot;
    Version version = 0;
    TimePoint deadline{};
};

struct Counters {
    std::uint64_t zero_fills = 0;
    std::uint64_t slot_hits = 0;
    std::uint64_t fetches = 0;
    std::uint64_t prefetches = 0;
    std::uint64_t evictions = 0;
    std::uint64_t clean_evictions = 0;  // without a write, zeros among them
    std::uint64_t refusals = 0;
    std::uint64_t writes = 0;
    std::uint64_t allocations = 0;    // evictions of a page without an entry
    std::uint64_t reservations = 0;   // pages that came back and kept their entry
    std::uint64_t cancellations = 0;  // of reservations, since the partition was full
    std::uint64_t used = 0;           // prefetched pages
    std::uint64_t unused = 0;
};

class Program {
public:
    // nr_slots: of the memory that is shared with the hands. limit_pages: local memory, slots in use among it. keeps_entries: a
    // page keeps its entry when it comes back.
    Program(std::uint32_t nr_slots, std::uint64_t limit_pages, bool keeps_entries = true);

    void set_limit(std::uint64_t limit_pages);

    // A process appears, forks, gets a hand (which can evict), or ends.
    SpaceId add_space();
    // Pages that are local to the parent are unknown to the child: it has them, and they read as zeros once it drops them.
    SpaceId fork(SpaceId parent);
    void set_hand(SpaceId space, bool has_hand);
    // A page that the space's hand took and did not hand over is lost to children that had not got it.
    void remove_space(SpaceId space);
    [[nodiscard]] bool has_space(SpaceId space) const { return spaces_.contains(space); }
    [[nodiscard]] bool has_spaces() const { return !spaces_.empty(); }

    // The space was seen to have these pages. nr_moves: what nr_moves() was before. Returns whether it still is: else other pages
    // may be there by now, and somebody has to look again.
    [[nodiscard]] bool present(SpaceId space, PageRange range, std::uint32_t nr_moves);
    // How often the space moved pages.
    [[nodiscard]] std::uint32_t nr_moves(SpaceId space) const { return spaces_.at(space).nr_moves; }
    // The space dropped these pages, or moved them. Orders for them must not be carried out any more; those that were are
    // answered as ever.
    void removed(SpaceId space, PageRange range);
    void moved(SpaceId space, PageRange from, PageNumber to);

    // exempt: the fault is one that evictions wait for.
    Answer fault(SpaceId space, PageNumber page, bool exempt = false);
    // The space got the page as the last answer said, or had it already.
    void filled(SpaceId space, PageNumber page);
    // Whether it still waits for this content: it may have dropped or moved the page meanwhile.
    [[nodiscard]] bool awaits(SpaceId space, PageNumber page, EntryId entry, Version version);
    // It did not.
    void not_filled(SpaceId space, PageNumber page);
    // Returns how many pages from page on, at most max, read as zeros and may get them along.
    [[nodiscard]] std::uint64_t zeros_from(SpaceId space, PageNumber page, std::uint64_t max);

    // Returns the slot of a far page that was fetched ahead and could be filled at once, without a fault; no_slot if it is
    // elsewhere, or there is no room.
    [[nodiscard]] SlotId in_slot(SpaceId space, PageNumber page);
    // Who asked for what the slot has.
    [[nodiscard]] std::optional<Origin> origin(SlotId slot) const { return slots_.at(slot).origin; }

    // Returns the next pages to evict.
    Orders evict(TimePoint now);
    // content: that of the slot, if moved.
    void evicted(SlotId slot, Outcome outcome, const Content& content);
    // All orders of a batch are answered. has_gone: a page left, or was not there. If all stay, nothing is ordered for a while.
    void batch_done(SpaceId space, bool has_gone, TimePoint now);

    // Returns the oldest contents that no store has, at most max. One that the store did not take waits for a while, alone.
    std::vector<Write> write(TimePoint now, std::size_t max);
    void written(TimePoint now, SlotId slot, bool is_stored);
    // Returns entries whose records the store may forget. Tell it before the writes that were returned later.
    std::vector<EntryId> take_drops();

    // Returns those of the wished pages that are far, to fetch them into slots. window: of pages that are fetched at once.
    // refused: a wish for which there was no room, nor for those behind it.
    std::vector<Prefetch> prefetch(SpaceId space, const Wishes& wishes, std::uint64_t window, std::optional<Wish>& refused);
    void prefetched(SlotId slot, bool is_filled);
    // Returns who asked for pages that left their slots unused.
    std::vector<Origin> take_unused();

    // Whether the program is so big that its areas should be registered.
    [[nodiscard]] bool should_register(std::uint64_t resident_pages) const { return resident_pages >= limit_ / 2; }

    [[nodiscard]] Where where(SpaceId space, PageNumber page);
    [[nodiscard]] std::uint64_t nr_local() const { return nr_local_; }
    [[nodiscard]] std::uint64_t nr_far() const { return nr_far_; }
    [[nodiscard]] std::uint64_t nr_listed() const { return slots_.nr_unwritten(); }
    // Local memory, slots among it.
    [[nodiscard]] std::uint64_t nr_used() const { return nr_local_ + slots_.size() - slots_.count(Slot::State::free); }
    [[nodiscard]] std::uint64_t limit_pages() const { return limit_; }
    // Of the space's pages, beside slots.
    [[nodiscard]] std::uint64_t max_local() const { return limit_ - nr_usable_slots(); }
    [[nodiscard]] const Counters& counters() const { return counters_; }

    // For tests: aborts unless each page, slot and entry agrees with the others.
    void check();

private:
    struct Space {
        PageTable pages;
        Fifo fifo;
        std::uint64_t nr_local = 0;
        std::uint32_t nr_batches = 0;  // that its hand has
        std::uint32_t nr_moves = 0;
        bool has_hand = false;
    };

    void set_state(Space& space, Page& page, Page::State state);
    void make_local(Space& space, PageNumber number, Page& page);
    void drop_content(Page& page);
    void cancel_reservations(std::size_t max);
    void release(EntryId entry);
    void detach_slot(EntryId entry);
    void free_slot(SlotId slot);
    // The content of an order that was carried out becomes an entry's; returns it. page: the first that has it.
    EntryId keep(SlotId slot, Page& page, bool is_shared, const Content& content);
    SlotId take_slot();
    [[nodiscard]] std::uint32_t nr_usable_slots() const;
    [[nodiscard]] bool is_full() const;

    std::map<SpaceId, Space> spaces_;
    Entries entries_;
    Slots slots_;
    std::uint64_t limit_;
    std::uint64_t nr_local_ = 0;
    std::uint64_t nr_leaving_ = 0;
    std::uint64_t nr_far_ = 0;
    std::uint64_t nr_reserved_ = 0;  // local pages that have an entry
    const bool keeps_entries_;
    std::vector<EntryId> drops_;
    std::vector<Origin> unused_;
    SpaceId last_space_ = 0;
    Version last_version_ = 0;
    TimePoint evicts_again_{};
    TimePoint retries_at_{};  // writes that failed
    Counters counters_;
};

}  // namespace tmm::far
