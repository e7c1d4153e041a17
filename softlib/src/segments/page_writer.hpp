// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Fills a run of pages with objects, one behind the other. Not thread-safe: its owner has a lock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "src/segments/segment_space.hpp"

namespace soft::detail {

/// The header of an object: its handle, and its size if the sizes in its pool differ.
///
/// Both numbers are one word, so that it is passed in registers. If parts were stored and then loaded as a whole, the processor
/// would wait for all earlier stores.
class ObjectHeader {
public:
    ObjectHeader(std::uint32_t handle, std::size_t size, bool with_size)
        : both_(handle | (std::uint64_t{size} << 32U)), with_size_(with_size) {}

    [[nodiscard]] std::uint32_t handle() const { return static_cast<std::uint32_t>(both_); }
    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(both_ >> 32U); }
    [[nodiscard]] bool with_size() const { return with_size_; }
    /// Writes bytes() bytes.
    void write(std::byte* to) const {
        const std::uint32_t number = handle();
        std::memcpy(to, &number, sizeof number);
        if (with_size_) {
            const std::uint32_t its_size = size();
            std::memcpy(to + sizeof number, &its_size, sizeof its_size);
        }
    }
    [[nodiscard]] std::size_t bytes() const { return with_size_ ? 2 * sizeof(std::uint32_t) : sizeof(std::uint32_t); }

private:
    std::uint64_t both_;
    bool with_size_;
};

/// Bytes of an object with its header. Headers are at multiples of 4.
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
    /// Continues in these pages, which are zero. The previous run has been given back.
    void start(const SegmentSpace::Run& run);
    /// Counts the run's objects in its segment and returns the segment, for SegmentSpace::finish. The writer has no run then.
    Segment* stop();
    /// Gives up a run whose segment does not exist any more.
    void forget() { *this = PageWriter(); }
    /// Copies `header.size()` bytes of the object. Returns the copy's place, or 0 if the rest of the run is too small.
    [[gnu::always_inline]] inline Word append(ObjectHeader header, const void* object) {
        const Word place = append_easily(header, object);
        return place != 0 ? place : append_carefully(header, object);
    }
    /// The same without a call: for a small object that fits into the page and is not the first one there. Otherwise returns 0.
    [[gnu::always_inline]] inline Word append_easily(ObjectHeader header, const void* object) {
        const std::size_t bytes = footprint(header.bytes(), header.size());
        // Without a run nothing is left.
        if (bytes > static_cast<std::size_t>(easy_end_ - at_) || header.size() > small_bytes) [[unlikely]] {
            return 0;
        }
        std::byte* const place = at_;
        at_ += bytes;
        count(header, bytes);
        header.write(place);
        copy_small_object(place + header.bytes(), static_cast<const std::byte*>(object), header.size());
        return make_place(place, tag_);
    }
    /// Writes an object that has the segments from `head` on for itself.
    static Word fill_span(Segment& head, ObjectHeader header, const void* object);

private:
    [[nodiscard]] std::byte* page() const { return segment_->base + page_ * page_bytes; }
    [[gnu::always_inline]] void count(ObjectHeader header, std::size_t bytes) {
        live_bytes_ += static_cast<std::int64_t>(bytes);
        if (header.with_size()) {
            sized_bytes_ += static_cast<std::int64_t>(bytes);
            ++sized_objects_;
        }
    }
    void begin_page();
    /// Bytes left in the page.
    [[nodiscard]] std::size_t left() const { return static_cast<std::size_t>(page_end_ - at_); }
    /// For an object that does not fit into the page, or is the first one there.
    Word append_carefully(ObjectHeader header, const void* object);
    Word put(ObjectHeader header, const void* object);
    /// Continues in the next pages if need be.
    void write(const void* from, std::size_t bytes);

    /// Most objects are this small. For larger ones a call of memcpy is faster.
    static constexpr std::uint32_t small_bytes = 128;
    [[gnu::always_inline]] static inline void copy_small_object(std::byte* to, const std::byte* from, std::size_t bytes) {
        if (bytes >= 16) {
            std::size_t at = 0;
            do {
                std::memcpy(to + at, from + at, 16);
                at += 16;
            } while (at + 16 <= bytes);
            // Overlaps the bytes before.
            std::memcpy(to + bytes - 16, from + bytes - 16, 16);
        } else if (bytes >= 4) {
            const std::size_t middle = bytes / 8 * 4;
            std::memcpy(to, from, 4);
            std::memcpy(to + middle, from + middle, 4);
            std::memcpy(to + bytes - middle - 4, from + bytes - middle - 4, 4);
            std::memcpy(to + bytes - 4, from + bytes - 4, 4);
        } else {
            for (std::size_t at = 0; at < bytes; ++at) {
                to[at] = from[at];
            }
        }
    }

    Segment* segment_ = nullptr;
    std::size_t page_ = 0;
    std::size_t end_page_ = 0;
    std::byte* at_ = nullptr;
    std::byte* page_end_ = nullptr;
    /// The end of the page if an object begins in it already, otherwise at_.
    std::byte* easy_end_ = nullptr;
    std::uint16_t tag_ = 0;
    /// Bytes of the objects in this run.
    std::int64_t live_bytes_ = 0;
    /// Of these, with their size in the header.
    std::int64_t sized_bytes_ = 0;
    std::int32_t sized_objects_ = 0;
};

}  // namespace soft::detail
