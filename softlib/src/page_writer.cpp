// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/page_writer.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

namespace soft::detail {

void PageWriter::start(const SegmentSpace::Run& run) {
    segment_ = run.segment;
    page_ = run.first_page;
    end_page_ = page_ + run.pages;
    begin_page();
}

Segment* PageWriter::stop() {
    Segment* segment = segment_;
    segment->live_bytes.fetch_add(live_bytes_, std::memory_order_relaxed);
    forget();
    return segment;
}

// The canary comes before all that it stands for: see place.hpp.
void PageWriter::begin_page() {
    auto* canary_word = reinterpret_cast<std::atomic<std::uint64_t>*>(page());
    canary_word->store(canary(segment_->tag.load(std::memory_order_relaxed)), std::memory_order_relaxed);
#if defined(SOFTLIB_THREAD_SANITIZER)
    std::atomic_signal_fence(std::memory_order_release);
#else
    std::atomic_thread_fence(std::memory_order_release);
#endif
    at_ = page() + sizeof(std::uint64_t);
    page_end_ = page() + page_bytes;
}

void PageWriter::scatter(const void* from, std::size_t bytes) {
    const auto* in = static_cast<const std::byte*>(from);
    for (;;) {
        const std::size_t part = std::min(bytes, left());
        std::memcpy(at_, in, part);
        at_ += part;
        in += part;
        bytes -= part;
        if (bytes == 0) {
            return;
        }
        ++page_;
        begin_page();
    }
}

Word PageWriter::append_beyond(const ObjectHeader& header, const void* object) {
    // A header is never divided.
    const bool next_page = header.size <= in_one_page || left() < header.bytes();
    const std::size_t room = (next_page ? 0 : left()) + (end_page_ - page_ - 1) * page_payload;
    if (footprint(header.bytes(), header.size) > room) {
        return 0;
    }
    if (next_page) {
        ++page_;
        begin_page();
    }
    return put(header, object);
}

Word PageWriter::fill_span(Segment& head, const ObjectHeader& header, const void* object) {
    PageWriter writer;
    writer.start({&head, 0, 0});
    const Word place = writer.put(header, object);
    writer.stop();
    return place;
}

}  // namespace soft::detail
