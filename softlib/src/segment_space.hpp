// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of a heap: one reservation of address space, cut into segments of 2 MiB, which are filled from the front, sealed,
// and given back whole. Knows nothing of objects.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "softlib/detail/place.hpp"
#include "src/os.hpp"

namespace soft::detail {

/// What a segment is being filled with: objects that are alike in what becomes of them go together.
enum class Stream : std::uint8_t { fresh, hot, cold };
inline constexpr std::size_t streams = 3;

struct Segment {
    enum class State : std::uint8_t {
        free,      ///< no memory
        open,      ///< being filled
        draining,  ///< all pages are handed out, some are being written to
        sealed,    ///< written; the kernel may take it
        claimed,   ///< sealed, and somebody is moving its objects out
        tail,      ///< goes on with the object of a segment before
    };
    /// In a page where no object begins.
    static constexpr std::uint16_t no_object = 0xffff;

    std::byte* base = nullptr;
    /// Bytes of the objects that are in use, with their headers. Objects that the kernel took still count until somebody misses
    /// them. Threads add what they wrote when they are done with a run, and take off what they dropped now and then: for a moment
    /// it may be less than 0.
    std::atomic<std::int64_t> live_bytes{0};
    /// Writers that have pages of it.
    std::atomic<std::uint16_t> writers{0};
    State state = State::free;
    Stream stream = Stream::fresh;
    std::uint16_t pages_handed_out = 0;
    /// Segments that the one object in it takes; 1 for those with many.
    std::uint32_t span = 1;
    /// The order in which segments were sealed.
    std::uint64_t sealed_as = 0;
    /// Where in each page the first header is.
    std::uint16_t first_object[pages_per_segment];
};

/// Thread-safe, but for what takes a Segment that the caller has claimed.
class SegmentSpace {
public:
    /// Pages of one segment that one writer may fill.
    struct Run {
        Segment* segment = nullptr;
        std::uint16_t first_page = 0;
        std::uint16_t pages = 0;
    };
    /// What segments are there, of segment_bytes each.
    struct Census {
        std::size_t reserved = 0;
        std::size_t open = 0;
        std::size_t sealed = 0;
        std::size_t live_bytes = 0;
    };

    /// Reserves `wanted` segments; if there is no address space for them, at most half of what there is, for the program needs
    /// some as well. A heap without any is one whose objects are always lost.
    SegmentSpace(Os& os, std::size_t wanted);
    ~SegmentSpace();
    SegmentSpace(const SegmentSpace&) = delete;
    SegmentSpace& operator=(const SegmentSpace&) = delete;

    /// `pages` for a writer, of the segment that the stream fills. No more than `limit` segments in all have
    /// memory afterwards; a run without segment if that would be exceeded or the kernel gives none. May throw std::bad_alloc.
    Run take_run(Stream stream, std::size_t pages, std::size_t limit);
    /// Segments in a row for one object. nullptr as above.
    Segment* take_span(std::size_t segments, std::size_t limit);
    /// The writer is done with its pages. The last one of a full segment seals it.
    void finish(Segment& segment);
    /// Has all open segments sealed as soon as their writers are done.
    void close_open();

    /// The sealed segment that was sealed first. Claimed for the caller, who retires it or puts it back. nullptr if there is
    /// none.
    Segment* claim_oldest();
    /// The same of that with the least in use, of those below `share` of a segment that were sealed up to number `last`: what is
    /// emptied fills others, which may be below `share` again, since no segment can be filled to the last byte.
    Segment* claim_sparsest(double share, std::uint64_t last);
    void put_back(Segment& segment);
    /// The number of the segment that was sealed last.
    [[nodiscard]] std::uint64_t last_seal();
    /// Gives the memory of claimed segments back to the kernel and forgets what was there.
    void retire(Segment& segment);

    /// In the child of fork(): all memory reads as zero. No other thread exists.
    void forget_all();
    /// For the handlers of fork().
    void lock() { mutex_.lock(); }
    void unlock() { mutex_.unlock(); }

    [[nodiscard]] std::uint32_t number_of(const std::byte* address) const {
        return static_cast<std::uint32_t>(static_cast<std::size_t>(address - base_) / segment_bytes);
    }
    [[nodiscard]] Segment& segment_at(std::uint32_t number) { return segments_[number]; }
    [[nodiscard]] Segment& segment_of(const std::byte* address) { return segments_[number_of(address)]; }
    /// So many bytes at a place that is current are not in use any more.
    void uncount(Word place, std::size_t bytes) {
        segment_of(header_of(place)).live_bytes.fetch_sub(static_cast<std::int64_t>(bytes), std::memory_order_relaxed);
    }
    [[nodiscard]] bool offers_to_kernel() const { return offers_; }
    [[nodiscard]] std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t reserved() const { return count_; }
    [[nodiscard]] std::byte* base() const { return base_; }
    [[nodiscard]] Os& os() const { return os_; }
    [[nodiscard]] Census census();
    [[nodiscard]] std::size_t resident_bytes();
    /// Tags have been used so often that a stale word could be taken for a current one: sweep all words that are not current,
    /// then call swept().
    [[nodiscard]] bool wants_sweep() const { return wants_sweep_.load(std::memory_order_relaxed); }
    void swept();

private:
    static constexpr std::uint16_t tags_between_sweeps = 1U << (tag_bits - 1);

    /// Addresses and a table for so many segments.
    bool reserve(std::size_t segments);
    void unreserve();
    /// Memory and tags for so many segments behind those that have been committed. Not thread-safe.
    bool commit(std::size_t segments);
    Segment* take_free(std::size_t limit);
    void open(Segment& segment, Stream stream);
    /// Whether the caller has to offer it to the kernel.
    bool seal_if_done(Segment& segment);
    void offer(Segment& segment);

    Os& os_;
    std::byte* base_ = nullptr;
    std::size_t count_ = 0;
    Segment* segments_ = nullptr;
    std::size_t table_bytes_ = 0;
    bool offers_ = true;
    std::atomic<std::size_t> in_use_{0};
    std::atomic<bool> wants_sweep_{false};

    std::mutex mutex_;
    // Those below have been committed.
    std::size_t committed_ = 0;
    std::vector<std::uint32_t> free_;
    Segment* filling_[streams] = {};
    std::uint64_t seals_ = 0;
};

}  // namespace soft::detail
