// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Fills a run of pages with objects, one behind the other. Not thread-safe: its owner has a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/segment_space.hpp"

namespace soft::detail {

/// What goes before an object: its handle, and its size if others of its pool have another.
struct ObjectHeader {
    std::uint32_t handle = 0;
    std::uint32_t size = 0;
    bool with_size = false;

    [[nodiscard]] std::size_t bytes() const { return with_size ? 2 * sizeof(std::uint32_t) : sizeof(std::uint32_t); }
};

/// What an object takes, header and all. Headers are at multiples of 4.
inline std::size_t footprint(std::size_t header_bytes, std::size_t size) {
    return (header_bytes + size + 3) / 4 * 4;
}
/// Pages for an object that begins in a page of its own.
inline std::size_t pages_for(std::size_t footprint) {
    return (footprint + page_payload - 1) / page_payload;
}

class PageWriter {
public:
    [[nodiscard]] bool has_run() const { return segment_ != nullptr; }
    /// Goes on in these pages, which are zero. The run before has been given back.
    void start(const SegmentSpace::Run& run);
    /// The segment of the run, for SegmentSpace::finish, which knows now what is in it; the writer has none afterwards.
    Segment* stop();
    /// The same if the segment is not there any more.
    void forget() { *this = PageWriter(); }
    /// The place of the object's copy; 0 if it does not fit into what is left of the run. Copies `header.size` bytes.
    [[gnu::always_inline]] inline Word append(const ObjectHeader& header, const void* object) {
        // Without a run nothing is left.
        if (footprint(header.bytes(), header.size) <= left()) [[likely]] {
            return put(header, object);
        }
        return has_run() ? append_beyond(header, object) : 0;
    }
    /// The same for an object that has the segments from `head` on for itself.
    static Word fill_span(Segment& head, const ObjectHeader& header, const void* object);

private:
    [[nodiscard]] std::byte* page() const { return segment_->base + page_ * page_bytes; }
    void begin_page();
    /// What is left of the page.
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(page_end_ - at_); }
    Word append_beyond(const ObjectHeader& header, const void* object);
    Word put(const ObjectHeader& header, const void* object) {
        const std::byte* place = at_;
        std::uint16_t& first = segment_->first_object[page_ % pages_per_segment];
        if (first == Segment::no_object) {
            first = static_cast<std::uint16_t>(at_ - page());
        }
        write(&header.handle, sizeof header.handle);
        if (header.with_size) {
            write(&header.size, sizeof header.size);
        }
        if (header.size > 0) {
            write(object, header.size);
        }
        // What is left of the last word stays zero.
        at_ += (4 - (header.bytes() + header.size) % 4) % 4;
        live_bytes_ += static_cast<std::int64_t>(footprint(header.bytes(), header.size));
        return make_place(place, segment_->tag.load(std::memory_order_relaxed));
    }
    void write(const void* from, std::size_t bytes) {
        if (bytes > left()) [[unlikely]] {
            scatter(from, bytes);
            return;
        }
        std::memcpy(at_, from, bytes);
        at_ += bytes;
    }
    /// Goes on in the next pages.
    void scatter(const void* from, std::size_t bytes);

    Segment* segment_ = nullptr;
    std::size_t page_ = 0;
    std::size_t end_page_ = 0;
    std::byte* at_ = nullptr;
    std::byte* page_end_ = nullptr;
    /// Of the objects in this run.
    std::int64_t live_bytes_ = 0;
};

}  // namespace soft::detail
