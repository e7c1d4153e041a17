// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/segments/segment_space.hpp"

#include <algorithm>
#include <bitset>
#include <memory>
#include <new>

namespace soft::detail {

namespace {

// Its pages are touched when segments are used for the first time.
Tag tags[nr_tags];

void set_tag(const Segment& segment, std::uint16_t tag) {
    tag_at(segment.base).store(static_cast<std::uint16_t>(tag | tag_flags), std::memory_order_relaxed);
}
std::uint16_t next_tag(const Segment& segment) {
    const auto tag = static_cast<std::uint16_t>((current_tag(segment.base) + 1) & tag_mask);
    set_tag(segment, tag);
    return tag;
}

// Claims the tag of a segment; a claimed tag has its flags. The number goes on from an earlier use: no words of that remain, but
// to begin anew would be no better. Returns false if another heap has it, whose addresses are a multiple of 2 TiB away.
bool claim_tag(const std::byte* address) {
    Tag& tag = tag_at(address);
    const auto before = static_cast<std::uint16_t>(tag.load(std::memory_order_relaxed) & tag_mask);
    std::uint16_t expected = before;
    return tag.compare_exchange_strong(expected, static_cast<std::uint16_t>(before | tag_flags), std::memory_order_relaxed);
}
// A tag for one use of several segments. It is the one that all of them reach by the fewest steps forward. Tags are a circle, on
// which the largest is not the latest: it would take a segment that has just begun anew back to tags that it had a moment ago,
// and a thread that was stopped in between would take other objects for its own.
std::uint16_t common_tag(const Segment* head, std::size_t segments) {
    std::bitset<std::size_t{1} << tag_bits> present;
    for (std::size_t i = 0; i < segments; ++i) {
        present.set(current_tag(head[i].base));
    }
    // The tag before the largest gap: all others lie behind it.
    std::size_t last = current_tag(head[0].base);
    std::size_t best = last;
    std::size_t max_gap = 0;
    for (std::size_t step = 1; step <= present.size(); ++step) {
        const std::size_t tag = (current_tag(head[0].base) + step) % present.size();
        if (!present[tag]) {
            continue;
        }
        const std::size_t gap = (tag + present.size() - last - 1) % present.size() + 1;
        if (gap > max_gap) {
            max_gap = gap;
            best = last;
        }
        last = tag;
    }
    return static_cast<std::uint16_t>(best);
}

void let_go_of_tag(const std::byte* address) {
    tag_at(address).fetch_and(static_cast<std::uint16_t>(tag_mask), std::memory_order_relaxed);
}

}  // namespace

constinit Tag* const segment_tags = tags;

SegmentSpace::SegmentSpace(Os& os, std::size_t wanted) : os_(os) {
    wanted = std::min(wanted, nr_tags);
    if (reserve(wanted)) {
        return;
    }
    // Address space is missing (RLIMIT_AS), and the program needs some as well.
    while ((wanted /= 2) > 0) {
        if (reserve(wanted)) {
            unreserve();
            reserve(std::max<std::size_t>(wanted / 2, 1));
            return;
        }
    }
}

bool SegmentSpace::reserve(std::size_t segments) {
    base_ = os_.reserve(segments * segment_bytes);
    if (base_ == nullptr) {
        return false;
    }
    // Pages of the table are touched when segments are used for the first time.
    table_bytes_ = (segments * sizeof(Segment) + page_bytes - 1) / page_bytes * page_bytes;
    std::byte* table = os_.table(table_bytes_, page_bytes);
    if (table == nullptr) {
        os_.unreserve(base_, segments * segment_bytes);
        base_ = nullptr;
        return false;
    }
    segments_ = reinterpret_cast<Segment*>(table);
    count_ = segments;
    return true;
}

void SegmentSpace::unreserve() {
    os_.free_table(reinterpret_cast<std::byte*>(segments_), table_bytes_);
    os_.unreserve(base_, count_ * segment_bytes);
    base_ = nullptr;
    count_ = 0;
}

SegmentSpace::~SegmentSpace() {
    if (base_ != nullptr) {
        for (std::size_t i = 0; i < committed_; ++i) {
            let_go_of_tag(segments_[i].base);
        }
        unreserve();
    }
}

bool SegmentSpace::commit(std::size_t segments) {
    std::byte* const from = base_ + committed_ * segment_bytes;
    std::size_t claimed = 0;
    while (claimed < segments && claim_tag(from + claimed * segment_bytes)) {
        ++claimed;
    }
    if (claimed < segments || !os_.commit(from, segments * segment_bytes)) {
        while (claimed > 0) {
            let_go_of_tag(from + --claimed * segment_bytes);
        }
        return false;
    }
    for (std::size_t i = 0; i < segments; ++i) {
        new (&segments_[committed_]) Segment;
        segments_[committed_].base = base_ + committed_ * segment_bytes;
        ++committed_;
    }
    return true;
}

Segment* SegmentSpace::take_free(std::size_t limit) {
    if (in_use() >= limit) {
        return nullptr;
    }
    std::size_t number = committed_;
    if (!free_.empty()) {
        number = free_.back();
        free_.pop_back();
    } else {
        // retire() must not need memory.
        free_.reserve(committed_ + 1);
        if (committed_ == count_ || !commit(1)) {
            return nullptr;
        }
    }
    in_use_.fetch_add(1, std::memory_order_relaxed);
    return &segments_[number];
}

void SegmentSpace::set_unreturned(Segment& segment, bool is_unreturned) {
    if (segment.is_unreturned != is_unreturned) {
        unreturned_.fetch_add(is_unreturned ? 1 : std::size_t(-1), std::memory_order_relaxed);
        segment.is_unreturned = is_unreturned;
    }
}

void SegmentSpace::open(Segment& segment, Stream stream) {
    set_unreturned(segment, false);
    segment.state = Segment::State::open;
    segment.stream = stream;
    segment.pages_handed_out = 0;
    segment.span = 1;
    segment.is_offered = false;
    std::fill(std::begin(segment.first_object), std::end(segment.first_object), Segment::no_object);
}

SegmentSpace::Run SegmentSpace::take_run(Stream stream, std::size_t pages, std::size_t limit) {
    Segment* done = nullptr;
    Run run;
    {
        const std::lock_guard guard(mutex_);
        Segment*& filling = filling_[static_cast<std::size_t>(stream)];
        if (filling != nullptr && filling->pages_handed_out + pages > pages_per_segment) {
            filling->state = Segment::State::draining;
            done = seal_if_done(*filling) ? filling : nullptr;
            filling = nullptr;
        }
        if (filling == nullptr && pages <= pages_per_segment && (filling = take_free(limit)) != nullptr) {
            os_.prepare(filling->base, segment_bytes);
            open(*filling, stream);
        }
        if (filling != nullptr) {
            run = {filling, filling->pages_handed_out, static_cast<std::uint16_t>(pages)};
            filling->pages_handed_out = static_cast<std::uint16_t>(filling->pages_handed_out + pages);
            filling->writers.fetch_add(1, std::memory_order_relaxed);
        }
    }
    if (done != nullptr) {
        offer(*done);
    }
    return run;
}

Segment* SegmentSpace::take_span(std::size_t segments, std::size_t limit) {
    const std::lock_guard guard(mutex_);
    if (segments == 0 || segments > count_ || in_use() + segments > limit) {
        return nullptr;
    }
    // First neighbours among the free ones, then segments that were never used.
    std::sort(free_.begin(), free_.end());
    std::size_t from = 0;
    std::size_t length = 0;
    for (std::size_t i = 0; i < free_.size() && length < segments; ++i) {
        if (length > 0 && free_[i] == free_[i - 1] + 1) {
            ++length;
        } else {
            from = i;
            length = 1;
        }
    }
    std::uint32_t number = 0;
    if (length == segments) {
        number = free_[from];
        free_.erase(free_.begin() + static_cast<std::ptrdiff_t>(from),
                    free_.begin() + static_cast<std::ptrdiff_t>(from + segments));
    } else {
        free_.reserve(committed_ + segments);
        number = static_cast<std::uint32_t>(committed_);
        if (count_ - committed_ < segments || !commit(segments)) {
            return nullptr;
        }
    }
    in_use_.fetch_add(segments, std::memory_order_relaxed);
    Segment* head = &segments_[number];
    os_.prepare(head->base, segments * segment_bytes);
    // One tag for all pages of the object.
    const std::uint16_t tag = common_tag(head, segments);
    for (std::size_t i = 0; i < segments; ++i) {
        const std::uint16_t before = current_tag(head[i].base);
        if (before % tags_between_sweeps + ((tag - before) & tag_mask) >= tags_between_sweeps) {
            // The segment leaves out a tag at which words are swept.
            wants_sweep_.store(true, std::memory_order_relaxed);
        }
        open(head[i], Stream::fresh);
        set_tag(head[i], tag);
        head[i].state = Segment::State::tail;
        head[i].pages_handed_out = pages_per_segment;
    }
    head->state = Segment::State::draining;
    head->span = static_cast<std::uint32_t>(segments);
    head->writers.store(1, std::memory_order_relaxed);
    return head;
}

bool SegmentSpace::seal_if_done(Segment& segment) {
    if (segment.state != Segment::State::draining || segment.writers.load(std::memory_order_acquire) != 0) {
        return false;
    }
    // Not to be claimed yet: the caller offers it to the kernel.
    segment.state = Segment::State::claimed;
    return true;
}

void SegmentSpace::offer(Segment& segment) {
    const bool is_offered = os_.offer(segment.base, segment.span * segment_bytes);
    const std::lock_guard guard(mutex_);
    offers_ = offers_ && is_offered;
    for (std::size_t i = 0; i < segment.span; ++i) {
        (&segment)[i].is_offered = is_offered;
    }
    segment.sealed_as = ++seals_;
    segment.state = Segment::State::sealed;
}

void SegmentSpace::finish(Segment& segment) {
    {
        const std::lock_guard guard(mutex_);
        segment.writers.fetch_sub(1, std::memory_order_acq_rel);
        if (!seal_if_done(segment)) {
            return;
        }
    }
    offer(segment);
}

void SegmentSpace::close_open() {
    for (Segment*& filling : filling_) {
        Segment* done = nullptr;
        {
            const std::lock_guard guard(mutex_);
            if (filling == nullptr || filling->pages_handed_out == 0) {
                continue;
            }
            filling->state = Segment::State::draining;
            done = seal_if_done(*filling) ? filling : nullptr;
            filling = nullptr;
        }
        if (done != nullptr) {
            offer(*done);
        }
    }
}

Segment* SegmentSpace::claim_oldest() {
    const std::lock_guard guard(mutex_);
    Segment* oldest = nullptr;
    for (std::size_t i = 0; i < committed_; ++i) {
        Segment& segment = segments_[i];
        if (segment.state == Segment::State::sealed && (oldest == nullptr || segment.sealed_as < oldest->sealed_as)) {
            oldest = &segment;
        }
    }
    if (oldest != nullptr) {
        oldest->state = Segment::State::claimed;
    }
    return oldest;
}

SegmentSpace::Victim SegmentSpace::claim_victim(double probation) {
    if (probation <= 0) {
        return {claim_oldest(), false};
    }
    const std::lock_guard guard(mutex_);
    Segment* unproven = nullptr;
    Segment* proven = nullptr;
    std::size_t nr_unproven = 0;
    for (std::size_t i = 0; i < committed_; ++i) {
        Segment& segment = segments_[i];
        if (segment.state == Segment::State::free) {
            continue;
        }
        const bool is_proven = segment.stream == Stream::hot;
        nr_unproven += is_proven ? 0 : 1;
        Segment*& oldest = is_proven ? proven : unproven;
        if (segment.state == Segment::State::sealed && (oldest == nullptr || segment.sealed_as < oldest->sealed_as)) {
            oldest = &segment;
        }
    }
    const auto all = static_cast<double>(in_use());
    Victim victim;
    victim.segment = proven;
    if (unproven != nullptr && (proven == nullptr || static_cast<double>(nr_unproven) > probation * all)) {
        // While the others have far less than their share, one read is enough.
        victim = {unproven, static_cast<double>(nr_unproven) <= 2 * probation * all};
    }
    if (victim.segment != nullptr) {
        victim.segment->state = Segment::State::claimed;
    }
    return victim;
}

Segment* SegmentSpace::claim_sparsest(double share, std::uint64_t last) {
    const std::lock_guard guard(mutex_);
    Segment* sparsest = nullptr;
    auto min_live = static_cast<std::int64_t>(share * segment_bytes);
    for (std::size_t i = 0; i < committed_; ++i) {
        Segment& segment = segments_[i];
        if (segment.state != Segment::State::sealed || segment.sealed_as > last) {
            continue;
        }
        const std::int64_t live = segment.live_bytes.load(std::memory_order_relaxed);
        // An object over several segments is in use or not; there is nothing in between.
        if (live < min_live && (segment.span == 1 || live <= 0)) {
            sparsest = &segment;
            min_live = live;
        }
    }
    if (sparsest != nullptr) {
        sparsest->state = Segment::State::claimed;
    }
    return sparsest;
}

void SegmentSpace::put_back(Segment& segment) {
    const std::lock_guard guard(mutex_);
    segment.sealed_as = ++seals_;
    segment.state = Segment::State::sealed;
}

std::uint64_t SegmentSpace::last_seal() {
    const std::lock_guard guard(mutex_);
    return seals_;
}

void SegmentSpace::retire(Segment& segment) {
    const std::size_t span = segment.span;
    // First the memory, then the tag: a reader that finds the new tag must not find old objects below it.
    const bool is_returned = os_.discard(segment.base, span * segment_bytes);
    const std::lock_guard guard(mutex_);
    Segment* head = &segment;
    for (std::size_t i = 0; i < span; ++i) {
        if (next_tag(head[i]) % tags_between_sweeps == 0) {
            wants_sweep_.store(true, std::memory_order_relaxed);
        }
        head[i].forget_counts();
        set_unreturned(head[i], !is_returned);
        head[i].state = Segment::State::free;
        head[i].span = 1;
        free_.push_back(static_cast<std::uint32_t>(&head[i] - segments_));
    }
    in_use_.fetch_sub(span, std::memory_order_relaxed);
}

void SegmentSpace::forget_all() {
    free_.clear();
    for (std::size_t i = committed_; i-- > 0;) {
        Segment& segment = segments_[i];
        next_tag(segment);
        segment.forget_counts();
        segment.writers.store(0, std::memory_order_relaxed);
        // A child of fork() has none of the memory.
        set_unreturned(segment, false);
        segment.state = Segment::State::free;
        segment.span = 1;
        free_.push_back(static_cast<std::uint32_t>(i));
    }
    std::fill(std::begin(filling_), std::end(filling_), nullptr);
    in_use_.store(0, std::memory_order_relaxed);
}

SegmentSpace::Census SegmentSpace::census() {
    const std::lock_guard guard(mutex_);
    Census census;
    census.reserved = count_;
    for (std::size_t i = 0; i < committed_; ++i) {
        const Segment& segment = segments_[i];
        if (segment.state == Segment::State::free) {
            continue;
        }
        census.live_bytes +=
            static_cast<std::size_t>(std::max<std::int64_t>(segment.live_bytes.load(std::memory_order_relaxed), 0));
        ++(segment.state == Segment::State::open || segment.state == Segment::State::draining ? census.open : census.sealed);
        census.offered += segment.is_offered ? 1 : 0;
    }
    return census;
}

std::size_t SegmentSpace::resident_bytes() {
    std::size_t bytes = 0;
    for (std::size_t i = 0;; ++i) {
        {
            const std::lock_guard guard(mutex_);
            if (i == committed_) {
                return bytes;
            }
            // A free segment has only the kernel's page of zeros, where late readers have read it.
            if (segments_[i].state == Segment::State::free) {
                continue;
            }
        }
        bytes += os_.resident(segments_[i].base, segment_bytes);
    }
}

void SegmentSpace::swept() {
    wants_sweep_.store(false, std::memory_order_relaxed);
}

}  // namespace soft::detail
