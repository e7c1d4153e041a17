// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/program.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace tmm::far {

namespace {

// A hand whose batch was refused whole would be asked again at once.
constexpr std::chrono::milliseconds eviction_pause{10};
constexpr std::chrono::milliseconds write_pause{100};

// Room that faults find while the hand works: two batches, less for a small program.
std::uint64_t reserve(std::uint64_t max_local) {
    return std::min<std::uint64_t>(max_local / 16, 2 * max_batch);
}

}  // namespace

Program::Program(std::uint32_t nr_slots, std::uint64_t limit_pages, bool keeps_entries)
    : slots_(nr_slots), limit_(0), keeps_entries_(keeps_entries) {
    set_limit(limit_pages);
}

void Program::set_limit(std::uint64_t limit_pages) {
    limit_ = std::max(limit_pages, min_limit_pages);
}

SpaceId Program::add_space() {
    spaces_[++last_space_];
    return last_space_;
}

SpaceId Program::fork(SpaceId parent) {
    const SpaceId id = add_space();
    Space& child = spaces_.at(id);
    spaces_.at(parent).pages.for_each({0, ~PageNumber{0}}, [&](PageNumber number, Page& page) {
        switch (page.state) {
            case Page::State::away:
            case Page::State::coming: {
                Page& copy = child.pages.at(number);
                copy.entry = page.entry;
                ++entries_.at(page.entry).nr_pages;
                set_state(child, copy, Page::State::away);
                break;
            }
            case Page::State::lost:
                set_state(child, child.pages.at(number), Page::State::lost);
                break;
            case Page::State::leaving: {
                Page& copy = child.pages.at(number);
                copy.turn = page.turn;
                slots_.at(page.turn).claims.push_back({id, number});
                set_state(child, copy, Page::State::leaving);
                break;
            }
            default:
                break;
        }
    });
    return id;
}

void Program::set_hand(SpaceId space, bool has_hand) {
    spaces_.at(space).has_hand = has_hand;
}

void Program::remove_space(SpaceId space) {
    removed(space, {0, ~PageNumber{0}});
    spaces_.erase(space);
    for (SlotId slot = 0; slot < slots_.size(); ++slot) {
        if (slots_.at(slot).state != Slot::State::ordered || slots_.at(slot).orderer != space)
            continue;
        for (const PageId& claim : slots_.at(slot).claims) {
            Space& other = spaces_.at(claim.space);
            Page* const page = other.pages.find(claim.page);
            set_state(other, *page, Page::State::lost);
        }
        free_slot(slot);
    }
}

// All changes of states pass here: counts are right, whatever happens.
void Program::set_state(Space& space, Page& page, Page::State state) {
    const auto count = [&](Page::State counted, std::uint64_t by) {
        if (counted == Page::State::local || counted == Page::State::leaving) {
            nr_local_ += by;
            space.nr_local += by;
        }
        if (counted == Page::State::leaving)
            nr_leaving_ += by;
        if (counted == Page::State::away || counted == Page::State::coming)
            nr_far_ += by;
        if (counted == Page::State::local && page.entry != no_entry)
            nr_reserved_ += by;
    };
    count(page.state, ~std::uint64_t{0});
    page.state = state;
    page.extra_turns = 0;
    count(page.state, 1);
}

void Program::make_local(Space& space, PageNumber number, Page& page) {
    set_state(space, page, Page::State::local);
    space.fifo.push(number, page);
    space.fifo.tidy(space.pages, space.nr_local);
}

void Program::free_slot(SlotId slot) {
    slots_.at(slot).origin.reset();
    slots_.set(slot, Slot::State::free);
}

// A slot that is being written or filled is freed when that ends.
void Program::detach_slot(EntryId entry) {
    const SlotId slot = std::exchange(entries_.at(entry).slot, no_slot);
    if (slot == no_slot)
        return;
    const Slot::State state = slots_.at(slot).state;
    if (state == Slot::State::writing || state == Slot::State::filling)
        slots_.at(slot).entry = no_entry;
    else
        free_slot(slot);
}

void Program::release(EntryId id) {
    Entry& entry = entries_.at(id);
    if (--entry.nr_pages > 0)
        return;
    detach_slot(id);
    if (entry.has_record)
        drops_.push_back(id);
    entries_.free(id);
}

void Program::drop_content(Page& page) {
    if (const EntryId entry = std::exchange(page.entry, no_entry); entry != no_entry) {
        nr_reserved_ -= page.state == Page::State::local ? 1 : 0;
        release(entry);
    }
}

bool Program::present(SpaceId id, PageRange range, std::uint32_t nr_moves) {
    Space& space = spaces_.at(id);
    if (nr_moves != space.nr_moves)
        return false;
    for (PageNumber number = range.first; number < range.last; ++number) {
        Page& page = space.pages.at(number);
        // A child has its own copy of a page that left its parent after the fork. A fetch is answered when it ends.
        if (page.state == Page::State::zero || page.state == Page::State::away || page.state == Page::State::lost) {
            drop_content(page);
            make_local(space, number, page);
        }
    }
    return true;
}

void Program::removed(SpaceId id, PageRange range) {
    Space& space = spaces_.at(id);
    space.pages.for_each(range, [&](PageNumber number, Page& page) {
        if (page.state == Page::State::leaving)
            std::erase(slots_.at(page.turn).claims, PageId{id, number});
        drop_content(page);
        set_state(space, page, Page::State::zero);
    });
    space.pages.forget(range);
}

void Program::moved(SpaceId id, PageRange from, PageNumber to) {
    Space& space = spaces_.at(id);
    ++space.nr_moves;
    removed(id, {to, to + (from.last - from.first)});
    std::vector<std::pair<PageNumber, Page>> pages;
    space.pages.for_each(from, [&](PageNumber number, Page& page) {
        pages.emplace_back(number - from.first + to, page);
        if (page.state == Page::State::leaving)
            std::replace(slots_.at(page.turn).claims.begin(), slots_.at(page.turn).claims.end(), PageId{id, number},
                         PageId{id, pages.back().first});
        set_state(space, page, Page::State::zero);
        page.entry = no_entry;
    });
    space.pages.forget(from);
    for (const auto& [number, page] : pages) {
        Page& target = space.pages.at(number);
        target.entry = page.entry;
        target.turn = page.turn;
        if (page.state == Page::State::local)
            make_local(space, number, target);
        else
            // Who fetches it finds nobody at the old place, and the next fault asks anew.
            set_state(space, target, page.state == Page::State::coming ? Page::State::away : page.state);
    }
}

// Full is a reason to wait only while somebody makes room.
bool Program::is_full() const {
    const bool is_writing = slots_.count(Slot::State::dirty) + slots_.count(Slot::State::writing) > 0;
    return nr_local_ >= max_local() && (nr_leaving_ > 0 || (is_writing && slots_.count(Slot::State::failed) == 0));
}

Answer Program::fault(SpaceId id, PageNumber number, bool exempt) {
    Space& space = spaces_.at(id);
    Page* const page = space.pages.find(number);
    const Page::State state = page ? page->state : Page::State::zero;
    // The kernel has no page where one was thought to be: either the fault is an old one, or it reads as zeros.
    if (state == Page::State::local)
        return {.how = Answer::How::zero};
    if (state == Page::State::lost)
        return {.how = Answer::How::lost};
    if (state == Page::State::leaving || state == Page::State::coming || (is_full() && !exempt))
        return {};
    if (state == Page::State::zero)
        return {.how = Answer::How::zero};
    const Entry& entry = entries_.at(page->entry);
    if (entry.slot != no_slot) {
        const bool is_filling = slots_.at(entry.slot).state == Slot::State::filling;
        return {.how = is_filling ? Answer::How::coming : Answer::How::slot,
                .slot = entry.slot,
                .entry = page->entry,
                .version = entry.version,
                .hit = slots_.at(entry.slot).origin};
    }
    set_state(space, *page, Page::State::coming);
    return {.how = Answer::How::fetch, .slot = no_slot, .entry = page->entry, .version = entry.version, .hit = {}};
}

std::uint64_t Program::zeros_from(SpaceId id, PageNumber page, std::uint64_t max) {
    Space& space = spaces_.at(id);
    const std::uint64_t room = max_local() > nr_local_ ? max_local() - nr_local_ : 0;
    std::uint64_t zeros = 0;
    for (; zeros < std::min(max, room); ++zeros) {
        const Page* const found = space.pages.find(page + zeros);
        if (found && found->state != Page::State::zero)
            break;
    }
    return zeros;
}

SlotId Program::in_slot(SpaceId id, PageNumber number) {
    const Page* const page = spaces_.at(id).pages.find(number);
    if (!page || page->state != Page::State::away || nr_local_ >= max_local())
        return no_slot;
    const SlotId slot = entries_.at(page->entry).slot;
    return slot != no_slot && slots_.at(slot).state == Slot::State::clean && slots_.at(slot).origin ? slot : no_slot;
}

void Program::filled(SpaceId id, PageNumber number) {
    Space& space = spaces_.at(id);
    Page& page = space.pages.at(number);
    if (page.state == Page::State::local || page.state == Page::State::leaving)
        return;
    if (page.state == Page::State::zero) {
        ++counters_.zero_fills;
    } else {
        const Entry& entry = entries_.at(page.entry);
        ++(page.state == Page::State::coming ? counters_.fetches : counters_.slot_hits);
        const bool is_only_in_slot = entry.slot != no_slot && (slots_.at(entry.slot).state == Slot::State::dirty ||
                                                               slots_.at(entry.slot).state == Slot::State::failed);
        if (entry.slot != no_slot && std::exchange(slots_.at(entry.slot).origin, {}))
            ++counters_.used;
        counters_.reservations += is_only_in_slot || !keeps_entries_ ? 0 : 1;
        if (is_only_in_slot || !keeps_entries_)
            drop_content(page);
        else if (entry.nr_pages == 1 && entry.slot != no_slot && slots_.at(entry.slot).state == Slot::State::clean)
            detach_slot(page.entry);
    }
    make_local(space, number, page);
}

bool Program::awaits(SpaceId id, PageNumber number, EntryId entry, Version version) {
    const Page* const page = spaces_.at(id).pages.find(number);
    return page && page->state == Page::State::coming && page->entry == entry && entries_.at(entry).version == version;
}

void Program::not_filled(SpaceId id, PageNumber number) {
    Space& space = spaces_.at(id);
    if (Page* const page = space.pages.find(number); page && page->state == Page::State::coming)
        set_state(space, *page, Page::State::away);
}

std::uint32_t Program::nr_usable_slots() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(slots_.size(), limit_ / 8));
}

SlotId Program::take_slot() {
    const std::uint32_t in_use = slots_.size() - slots_.count(Slot::State::free);
    // After the limit fell, no further slot is taken than the limit has room for.
    const SlotId slot = in_use < nr_usable_slots() ? slots_.take() : slots_.take_clean();
    if (slot == no_slot || slots_.at(slot).state != Slot::State::clean)
        return slot;
    entries_.at(slots_.at(slot).entry).slot = no_slot;
    if (const auto origin = std::exchange(slots_.at(slot).origin, {})) {
        unused_.push_back(*origin);
        ++counters_.unused;
    }
    return slot;
}

Orders Program::evict(TimePoint now) {
    Orders found;
    const std::uint64_t staying = nr_local_ - nr_leaving_;
    const std::uint64_t wanted = max_local() - reserve(max_local());
    if (staying <= wanted || now < evicts_again_)
        return found;
    // The largest gives: what it does not use is most likely there.
    std::map<SpaceId, Space>::iterator largest = spaces_.end();
    for (auto space = spaces_.begin(); space != spaces_.end(); ++space) {
        if (space->second.has_hand && space->second.nr_batches < max_batches &&
            (largest == spaces_.end() || space->second.nr_local > largest->second.nr_local))
            largest = space;
    }
    if (largest == spaces_.end())
        return found;
    const std::uint64_t excess = staying - wanted;
    // Few pages do not pay for the hand's way unless somebody needs the room.
    if (excess < max_batch / 2 && nr_local_ < max_local())
        return found;
    found.space = largest->first;
    Space& space = largest->second;
    while (found.orders.size() < std::min<std::uint64_t>(excess, max_batch) && slots_.nr_unwritten() < nr_usable_slots() / 2) {
        const Fifo::Popped oldest = space.fifo.pop(space.pages);
        if (!oldest.page)
            break;
        const SlotId slot = take_slot();
        if (slot == no_slot) {
            space.fifo.push(oldest.number, *oldest.page);
            break;
        }
        slots_.set(slot, Slot::State::ordered);
        slots_.at(slot).entry = no_entry;
        slots_.at(slot).orderer = found.space;
        slots_.at(slot).claims.assign(1, {found.space, oldest.number});
        set_state(space, *oldest.page, Page::State::leaving);
        oldest.page->turn = slot;
        found.orders.push_back({oldest.number, slot});
    }
    space.nr_batches += found.orders.empty() ? 0 : 1;
    return found;
}

void Program::batch_done(SpaceId space, bool has_gone, TimePoint now) {
    --spaces_.at(space).nr_batches;
    if (!has_gone)
        evicts_again_ = now + eviction_pause;
}

EntryId Program::keep(SlotId slot, Page& page, bool is_shared, const Content& content) {
    if (page.entry != no_entry && entries_.at(page.entry).hash == content.hash) {
        // The page was not written to since it came back.
        ++counters_.clean_evictions;
        const EntryId entry = page.entry;
        if (entries_.at(entry).slot == no_slot) {
            entries_.at(entry).slot = slot;
            slots_.at(slot).entry = entry;
            slots_.set(slot, Slot::State::clean);
        } else {
            free_slot(slot);
        }
        return entry;
    }
    if (page.entry != no_entry && (is_shared || entries_.at(page.entry).nr_pages > 1))
        drop_content(page);
    if (page.entry == no_entry) {
        page.entry = entries_.add();
        ++counters_.allocations;
    }
    detach_slot(page.entry);
    Entry& entry = entries_.at(page.entry);
    entry.slot = slot;
    entry.is_stored = false;
    entry.version = ++last_version_;
    entry.hash = content.hash;
    slots_.at(slot).entry = page.entry;
    slots_.at(slot).version = entry.version;
    slots_.set(slot, Slot::State::dirty);
    return page.entry;
}

void Program::evicted(SlotId id, Outcome outcome, const Content& content) {
    Slot& slot = slots_.at(id);
    if (slot.state != Slot::State::ordered)
        return;
    counters_.evictions += outcome == Outcome::moved ? 1 : 0;
    counters_.refusals += outcome == Outcome::refused ? 1 : 0;
    const std::vector<PageId> claims = std::move(slot.claims);
    slot.claims.clear();
    const bool is_kept = outcome == Outcome::moved && !content.is_zero && !claims.empty();
    if (!is_kept)
        free_slot(id);
    if (outcome == Outcome::moved && content.is_zero)
        ++counters_.clean_evictions;
    EntryId entry = no_entry;
    for (const PageId& claim : claims) {
        Space& space = spaces_.at(claim.space);
        Page& page = *space.pages.find(claim.page);
        if (is_kept && entry == no_entry) {
            entry = keep(id, page, claims.size() > 1, content);
            set_state(space, page, Page::State::away);
        } else if (is_kept) {
            ++entries_.at(entry).nr_pages;
            drop_content(page);
            page.entry = entry;
            set_state(space, page, Page::State::away);
        } else if (outcome == Outcome::refused && claim.space == slot.orderer) {
            make_local(space, claim.page, page);
        } else {
            // A child whose parent kept the page has one of its own.
            drop_content(page);
            set_state(space, page, Page::State::zero);
        }
    }
}

std::vector<Write> Program::write(TimePoint now, std::size_t max) {
    std::vector<Write> writes;
    if (now >= retries_at_)
        slots_.retry();
    while (writes.size() < max) {
        const SlotId id = slots_.oldest_dirty();
        if (id == no_slot)
            break;
        slots_.set(id, Slot::State::writing);
        Entry& entry = entries_.at(slots_.at(id).entry);
        entry.has_record = true;
        writes.push_back({slots_.at(id).entry, id, entry.version});
    }
    counters_.writes += writes.size();
    return writes;
}

// The partition may be full. Hot pages give first, which stay local: those that came back last (as core/entries/reservations).
void Program::cancel_reservations(std::size_t max) {
    // Without any left, the search would go through all local pages, for each write that fails.
    max = std::min<std::size_t>(max, nr_reserved_);
    if (max == 0)
        return;
    for (auto& [id, space] : spaces_) {
        space.fifo.for_newest(space.pages, [&](Page& page) {
            if (max > 0 && page.entry != no_entry) {
                drop_content(page);
                page.extra_turns = turns_without_entry;
                ++counters_.cancellations;
                --max;
            }
            return max > 0;
        });
    }
}

void Program::written(TimePoint now, SlotId id, bool is_stored) {
    if (!is_stored) {
        if (slots_.count(Slot::State::failed) == 0)
            retries_at_ = now + write_pause;
        cancel_reservations(max_batch);
    }
    // A reservation that was cancelled may have been the slot's.
    const EntryId entry = slots_.at(id).entry;
    if (entry == no_entry) {
        free_slot(id);
    } else if (is_stored) {
        entries_.at(entry).is_stored = true;
        slots_.set(id, Slot::State::clean);
    } else {
        slots_.set(id, Slot::State::failed);
    }
}

std::vector<EntryId> Program::take_drops() {
    return std::exchange(drops_, {});
}

std::vector<Prefetch> Program::prefetch(SpaceId id, const Wishes& wishes, std::uint64_t window, std::optional<Wish>& refused) {
    std::vector<Prefetch> found;
    Space& space = spaces_.at(id);
    // Slots for the pages that leave come first.
    const std::uint64_t room = std::min<std::uint64_t>(nr_usable_slots() / 2, window);
    for (const Wish& wish : wishes) {
        const Page* const page = space.pages.find(wish.page);
        if (!page || page->state != Page::State::away || entries_.at(page->entry).slot != no_slot)
            continue;
        const SlotId slot = slots_.count(Slot::State::filling) < room ? take_slot() : no_slot;
        if (slot == no_slot) {
            refused = wish;
            break;
        }
        Entry& entry = entries_.at(page->entry);
        entry.slot = slot;
        slots_.at(slot).entry = page->entry;
        slots_.at(slot).version = entry.version;
        slots_.at(slot).origin = wish.origin;
        slots_.set(slot, Slot::State::filling);
        found.push_back({page->entry, slot, entry.version, wish.deadline});
    }
    counters_.prefetches += found.size();
    return found;
}

void Program::prefetched(SlotId id, bool is_filled) {
    const EntryId entry = slots_.at(id).entry;
    if (entry != no_entry && is_filled) {
        slots_.set(id, Slot::State::clean);
        return;
    }
    if (entry != no_entry)
        entries_.at(entry).slot = no_slot;
    free_slot(id);
}

std::vector<Origin> Program::take_unused() {
    return std::exchange(unused_, {});
}

Where Program::where(SpaceId space, PageNumber number) {
    const Page* const page = spaces_.at(space).pages.find(number);
    switch (page ? page->state : Page::State::zero) {
        case Page::State::zero:
            return Where::zero;
        case Page::State::local:
            return Where::local;
        case Page::State::leaving:
            return Where::leaving;
        case Page::State::coming:
            return Where::coming;
        case Page::State::away:
            return entries_.at(page->entry).is_stored ? Where::far : Where::write_list;
        case Page::State::lost:
            return Where::lost;
    }
    return Where::zero;
}

namespace {

void require(bool holds) {
    if (!holds)
        std::abort();
}

}  // namespace

void Program::check() {
    std::map<EntryId, std::uint32_t> references;
    std::uint64_t local = 0;
    std::uint64_t far = 0;
    std::uint64_t reserved = 0;
    for (auto& [id, space] : spaces_) {
        const SpaceId in = id;
        space.pages.for_each({0, ~PageNumber{0}}, [&](PageNumber number, Page& page) {
            local += page.state == Page::State::local || page.state == Page::State::leaving ? 1 : 0;
            far += page.state == Page::State::away || page.state == Page::State::coming ? 1 : 0;
            reserved += page.state == Page::State::local && page.entry != no_entry ? 1 : 0;
            if (page.entry != no_entry)
                ++references[page.entry];
            require(page.extra_turns == 0 || (page.state == Page::State::local && page.entry == no_entry));
            require(page.extra_turns <= turns_without_entry);
            if (page.state == Page::State::leaving) {
                const Slot& slot = slots_.at(page.turn);
                require(slot.state == Slot::State::ordered);
                require(std::count(slot.claims.begin(), slot.claims.end(), PageId{in, number}) == 1);
            }
            if (page.state != Page::State::away && page.state != Page::State::coming)
                return;
            // Its content is somewhere.
            require(page.entry != no_entry);
            const Entry& entry = entries_.at(page.entry);
            const bool is_in_slot = entry.slot != no_slot && slots_.at(entry.slot).state != Slot::State::filling;
            require(entry.is_stored || is_in_slot);
        });
    }
    require(local == nr_local_ && far == nr_far_ && reserved == nr_reserved_ && references.size() == entries_.size());
    for (const auto& [id, count] : references) {
        require(entries_.at(id).nr_pages == count);
        require(entries_.at(id).slot == no_slot || slots_.at(entries_.at(id).slot).entry == id);
    }
    std::uint64_t claims = 0;
    for (SlotId id = 0; id < slots_.size(); ++id) {
        const Slot& slot = slots_.at(id);
        claims += slot.claims.size();
        require(slot.claims.empty() || slot.state == Slot::State::ordered);
        require(slot.entry == no_entry || entries_.at(slot.entry).slot == id);
        if (slot.state == Slot::State::dirty || slot.state == Slot::State::failed || slot.state == Slot::State::clean)
            require(slot.entry != no_entry);
    }
    require(claims == nr_leaving_);
}

}  // namespace tmm::far
