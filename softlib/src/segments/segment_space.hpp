// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The memory of a heap: one reservation of address space, cut into segments of 2 MiB. They are filled from the front, sealed, and
// given back whole. It knows nothing of objects.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "softlib/detail/place.hpp"
#include "src/segments/os.hpp"

namespace soft::detail {

/// The kind of objects that a segment is filled with: objects with a like future go together.
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
    /// For a page in which no object begins.
    static constexpr std::uint16_t no_object = 0xffff;

    std::byte* base = nullptr;
    /// Bytes of the objects in use, with their headers. Objects that the kernel took count until somebody misses them. Threads
    /// add written bytes at the end of a run and subtract dropped ones now and then. So it may be below 0 for a moment.
    std::atomic<std::int64_t> live_bytes{0};
    /// The part of live_bytes that belongs to objects with their size in the header, and the number of these. If the kernel took
    /// the header, nobody knows the size any more; then an object counts as the average.
    std::atomic<std::int64_t> sized_bytes{0};
    std::atomic<std::int32_t> sized_objects{0};
    /// Writers with pages of it.
    std::atomic<std::uint16_t> writers{0};
    State state = State::free;
    Stream stream = Stream::fresh;
    std::uint16_t pages_handed_out = 0;
    /// Segments of the one object in it; 1 for segments with many objects.
    std::uint32_t span = 1;
    /// The kernel may take its memory.
    bool is_offered = false;
    /// It has no objects, but the kernel did not take its memory back.
    bool is_unreturned = false;
    /// Number in the order of sealing.
    std::uint64_t sealed_as = 0;
    /// Offset of the first header in each page.
    std::uint16_t first_object[pages_per_segment];

    void forget_counts() {
        live_bytes.store(0, std::memory_order_relaxed);
        sized_bytes.store(0, std::memory_order_relaxed);
        sized_objects.store(0, std::memory_order_relaxed);
    }
};

/// Thread-safe, except functions with a Segment that the caller has claimed.
class SegmentSpace {
public:
    /// Pages of one segment that one writer may fill.
    struct Run {
        Segment* segment = nullptr;
        std::uint16_t first_page = 0;
        std::uint16_t pages = 0;
    };
    /// Numbers of segments, of segment_bytes each.
    struct Census {
        std::size_t reserved = 0;
        std::size_t open = 0;
        std::size_t sealed = 0;
        std::size_t offered = 0;
        std::size_t live_bytes = 0;
    };

    /// Reserves `wanted` segments. Without enough address space it takes at most half of what is left, since the program needs
    /// some as well. Without any segment, all objects of the heap are always lost.
    SegmentSpace(Os& os, std::size_t wanted);
    ~SegmentSpace();
    SegmentSpace(const SegmentSpace&) = delete;
    SegmentSpace& operator=(const SegmentSpace&) = delete;

    /// Takes `pages` pages for a writer, from the segment that the stream fills. At most `limit` segments in all have memory
    /// afterwards. Returns a run without a segment if that would be exceeded or the kernel gives no memory. May throw
    /// std::bad_alloc.
    Run take_run(Stream stream, std::size_t pages, std::size_t limit);
    /// Takes `segments` segments in a row for one object. Returns nullptr as above.
    Segment* take_span(std::size_t segments, std::size_t limit);
    /// Ends a writer's use of the segment. The last writer of a full segment seals it.
    void finish(Segment& segment);
    /// Seals all open segments as soon as their writers finish.
    void close_open();

    /// Claims the segment that was sealed first. The caller retires it or puts it back. Returns nullptr if there is none.
    Segment* claim_oldest();
    /// A segment to empty at the limit.
    struct Victim {
        /// nullptr: there is none.
        Segment* segment = nullptr;
        /// Its objects are on probation, and those that were read once do not pass.
        bool is_strict = false;
    };
    /// As claim_oldest(), but with a share `probation` of the segments for objects that have not passed, all but the hot ones:
    /// the oldest of these if they have more than that, otherwise the oldest of the others. 0: as claim_oldest().
    Victim claim_victim(double probation);
    /// Claims the segment with the fewest bytes in use, if they are below `share` of a segment and it was sealed up to number
    /// `last`. Emptying a segment fills others, which may be below `share` again, since no segment can be filled to the last
    /// byte.
    Segment* claim_sparsest(double share, std::uint64_t last);
    void put_back(Segment& segment);
    /// Number of the segment that was sealed last.
    [[nodiscard]] std::uint64_t last_seal();
    /// Gives the memory of a claimed segment back to the kernel and forgets its contents. The kernel may refuse: see
    /// unreturned().
    void retire(Segment& segment);
    /// Segments that are free, but whose memory the kernel did not take back.
    [[nodiscard]] std::size_t unreturned() const { return unreturned_.load(std::memory_order_relaxed); }

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
    /// `bytes` at a current place are not in use any more. `with_size`: as in ObjectHeader.
    void uncount(Word place, std::size_t bytes, bool with_size) {
        uncount(segment_of(header_of(place)), static_cast<std::int64_t>(bytes), with_size ? static_cast<std::int64_t>(bytes) : 0,
                with_size ? 1 : 0);
    }
    /// Of `live_bytes`, `sized_bytes` belong to `sized_objects` objects with their size in the header.
    static void uncount(Segment& segment, std::int64_t live_bytes, std::int64_t sized_bytes, std::int32_t sized_objects) {
        segment.live_bytes.fetch_sub(live_bytes, std::memory_order_relaxed);
        if (sized_objects > 0) {
            segment.sized_bytes.fetch_sub(sized_bytes, std::memory_order_relaxed);
            segment.sized_objects.fetch_sub(sized_objects, std::memory_order_relaxed);
        }
    }
    /// The same for one object whose size is lost. Returns the bytes, about.
    std::size_t uncount_unknown(Word place) {
        Segment& segment = segment_of(header_of(place));
        const std::int32_t objects = segment.sized_objects.load(std::memory_order_relaxed);
        const std::int64_t bytes = segment.sized_bytes.load(std::memory_order_relaxed);
        if (objects <= 0 || bytes <= 0) {
            return 0;
        }
        uncount(segment, bytes / objects, bytes / objects, 1);
        return static_cast<std::size_t>(bytes / objects);
    }
    [[nodiscard]] bool offers_to_kernel() const { return offers_; }
    [[nodiscard]] std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t reserved() const { return count_; }
    [[nodiscard]] std::byte* base() const { return base_; }
    [[nodiscard]] Os& os() const { return os_; }
    [[nodiscard]] Census census();
    [[nodiscard]] std::size_t resident_bytes();
    /// Whether tags have been used so often that a stale word could be taken for a current one. Then sweep all words that are not
    /// current and call swept().
    [[nodiscard]] bool wants_sweep() const { return wants_sweep_.load(std::memory_order_relaxed); }
    void swept();

private:
    static constexpr std::uint16_t tags_between_sweeps = 1U << (tag_bits - 1);

    /// Reserves addresses and a table for so many segments.
    bool reserve(std::size_t segments);
    void unreserve();
    /// Commits memory and tags for so many segments behind the committed ones. Not thread-safe.
    bool commit(std::size_t segments);
    Segment* take_free(std::size_t limit);
    void open(Segment& segment, Stream stream);
    /// With mutex_ held.
    void set_unreturned(Segment& segment, bool is_unreturned);
    /// Returns whether the caller has to offer it to the kernel.
    bool seal_if_done(Segment& segment);
    void offer(Segment& segment);

    Os& os_;
    std::byte* base_ = nullptr;
    std::size_t count_ = 0;
    Segment* segments_ = nullptr;
    std::size_t table_bytes_ = 0;
    bool offers_ = true;
    std::atomic<std::size_t> in_use_{0};
    std::atomic<std::size_t> unreturned_{0};
    std::atomic<bool> wants_sweep_{false};

    std::mutex mutex_;
    // Segments below this number are committed.
    std::size_t committed_ = 0;
    std::vector<std::uint32_t> free_;
    Segment* filling_[streams] = {};
    std::uint64_t seals_ = 0;
};

}  // namespace soft::detail
