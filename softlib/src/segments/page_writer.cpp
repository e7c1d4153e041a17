// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/segments/page_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace soft::detail {

void PageWriter::start(const SegmentSpace::Run& run) {
    segment_ = run.segment;
    page_ = run.first_page;
    end_page_ = page_ + run.pages;
    // The tag stays while the segment has writers.
    tag_ = current_tag(segment_->base);
    begin_page();
}

Segment* PageWriter::stop() {
    Segment* segment = segment_;
    segment->live_bytes.fetch_add(live_bytes_, std::memory_order_relaxed);
    if (sized_objects_ > 0) {
        segment->sized_bytes.fetch_add(sized_bytes_, std::memory_order_relaxed);
        segment->sized_objects.fetch_add(sized_objects_, std::memory_order_relaxed);
    }
    forget();
    return segment;
}

// The canary must be visible before the objects it stands for: see place.hpp.
void PageWriter::begin_page() {
    auto* canary_word = reinterpret_cast<std::atomic<std::uint64_t>*>(page());
    canary_word->store(canary(tag_), std::memory_order_relaxed);
#if defined(SOFTLIB_THREAD_SANITIZER)
    std::atomic_signal_fence(std::memory_order_release);
#else
    std::atomic_thread_fence(std::memory_order_release);
#endif
    at_ = page() + sizeof(std::uint64_t);
    page_end_ = page() + page_bytes;
    easy_end_ = at_;
}

void PageWriter::write(const void* from, std::size_t bytes) {
    const auto* in = static_cast<const std::byte*>(from);
    while (bytes > 0) {
        if (left() == 0) {
            ++page_;
            begin_page();
        }
        const std::size_t part = std::min(bytes, left());
        std::memcpy(at_, in, part);
        at_ += part;
        in += part;
        bytes -= part;
    }
    easy_end_ = at_;
}

Word PageWriter::put(ObjectHeader header, const void* object) {
    std::byte* const place = at_;
    const std::size_t first_page = page_;
    std::uint16_t& first = segment_->first_object[page_ % pages_per_segment];
    if (first == Segment::no_object) {
        first = static_cast<std::uint16_t>(at_ - page());
    }
    // A header never crosses pages.
    header.write(at_);
    at_ += header.bytes();
    write(object, header.size());
    // The rest of the last word stays zero.
    at_ += (4 - (header.bytes() + header.size()) % 4) % 4;
    easy_end_ = page_ == first_page ? page_end_ : at_;
    count(header, footprint(header.bytes(), header.size()));
    return make_place(place, tag_);
}

Word PageWriter::append_carefully(ObjectHeader header, const void* object) {
    if (!has_run()) {
        return 0;
    }
    const std::size_t bytes = footprint(header.bytes(), header.size());
    if (bytes <= left()) {
        return put(header, object);
    }
    // A header never crosses pages.
    const bool next_page = header.size() <= in_one_page || left() < header.bytes();
    const std::size_t room = (next_page ? 0 : left()) + (end_page_ - page_ - 1) * page_payload;
    if (bytes > room) {
        return 0;
    }
    if (next_page) {
        ++page_;
        begin_page();
    }
    return put(header, object);
}

Word PageWriter::fill_span(Segment& head, ObjectHeader header, const void* object) {
    PageWriter writer;
    writer.start({&head, 0, 0});
    const Word place = writer.put(header, object);
    writer.stop();
    return place;
}

}  // namespace soft::detail
