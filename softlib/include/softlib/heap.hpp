// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "softlib/budget.hpp"
#include "softlib/detail/entry.hpp"
#include "softlib/detail/place.hpp"

namespace soft {

namespace detail {
class HeapCore;
class Os;
}  // namespace detail

/// What is settled when a heap is made. The defaults are for one that keeps to a fixed limit.
struct heap_options {
    /// Memory that the heap may take, in bytes; below 2 MiB nothing is kept. 0: a quarter of the machine's. While objects are
    /// moved it may be 4 MiB more.
    std::size_t limit_bytes = 0;
    /// Address space to reserve, in bytes; the limit cannot be raised beyond it. 0: the machine's memory. At most 2 TiB, and
    /// at most half of what is left if the process may not have as much (RLIMIT_AS); statistics().reserved_bytes tells.
    std::size_t reserve_bytes = 0;
    /// Segments of which less than this share is in use are evacuated; in (0, 1). What is moved costs copying, and more so
    /// the nearer this is to 1.
    double evacuate_below = 0.5;
    /// Whether a thread does that; otherwise evacuate() has to be called.
    bool background = true;
    /// For tests: what to use in place of the kernel. Has to outlive the heap.
    detail::Os* os = nullptr;
};

/// Of one moment, though not all of the very same. Each number is right for itself.
struct heap_statistics {
    /// What the heap may take now.
    std::size_t limit_bytes = 0;
    /// Address space.
    std::size_t reserved_bytes = 0;
    /// Segments that have memory, or had it before the kernel took it.
    std::size_t segment_bytes = 0;
    /// Of these, ordinary memory that is being filled.
    std::size_t open_bytes = 0;
    /// Objects in use with what goes before them, about: what the kernel took counts until it is missed, and of what a thread
    /// wrote or dropped last 64 KiB a segment may not be known yet.
    std::size_t live_bytes = 0;
    /// Of segments, the share that is neither in use nor being filled, in [0, 1]. evacuate() gives most of it back.
    [[nodiscard]] double fragmentation() const {
        const std::size_t filled = segment_bytes > open_bytes ? segment_bytes - open_bytes : 0;
        return live_bytes < filled ? static_cast<double>(filled - live_bytes) / static_cast<double>(segment_bytes) : 0;
    }
    /// What of the segments is in memory now (mincore).
    std::size_t resident_bytes = 0;
    /// Tables of handles and segments that have been touched, about.
    std::size_t metadata_bytes = 0;
    /// Segments that were emptied, since the heap was made.
    std::uint64_t evacuated_segments = 0;
    /// Objects that were moved for that.
    std::uint64_t moved_objects = 0;
    /// Objects that were given up for that.
    std::uint64_t evicted_objects = 0;
    /// False: the kernel cannot take the memory by itself; limits and shrink() are all there is.
    bool offers_to_kernel = true;
};

/// Memory that may vanish: 2 MiB segments which are filled, sealed, and then offered to the kernel, which takes what it needs
/// without asking (MADV_FREE). Pools put their objects into one.
///
/// A heap never fails for want of memory: an object for which there is none is one that is lost already. All functions are
/// thread-safe, but for construction and destruction; unless it says so they throw nothing. What they do to other threads is to
/// let those wait that need room at the same time; readers never wait. After fork() the child finds all objects lost, and may go
/// on; the parent notices nothing.
class heap {
public:
    /// The process's own. Follows the machine's free memory (machine_budget), up to a quarter of all. Lives until the process
    /// ends, also while static objects are destroyed. Thread-safe. The first call makes it, and may throw std::bad_alloc.
    static heap& process();
    /// Whether it is that one.
    [[nodiscard]] bool is_process() const noexcept;

    /// Reserves address space, and takes no memory for objects yet. Throws std::bad_alloc if there is none for the tables;
    /// without address space the heap keeps nothing. Throws std::invalid_argument if evacuate_below is not a share.
    explicit heap(const heap_options& options);
    /// With the default options.
    heap() : heap(heap_options{}) {}
    /// Its pools have to be gone.
    ~heap();
    heap(const heap&) = delete;
    heap& operator=(const heap&) = delete;

    /// Gives memory back if there is more than that, before it returns. Evicts what was not read lately first. Counts in
    /// segments of 2 MiB. A source that is followed may set another limit soon.
    void set_limit(std::size_t bytes);
    /// From now on the limit is what the source says, asked now and then by the heap's thread; options.limit_bytes still bounds
    /// it. nullptr: it stays as it is. Without a thread (options.background, or none to be had) the limit is what the source says
    /// now.
    void follow(std::unique_ptr<budget_source> source);
    /// Gives about `bytes` back: first what nobody uses any more, then what was not read lately. Objects that were are moved, so
    /// it costs copying. Returns what was given back, which is less only if there is no more.
    std::size_t shrink(std::size_t bytes);
    /// Gives about `bytes` back at once, those first that were sealed first; copies nothing. Returns what was given back.
    std::size_t release(std::size_t bytes);
    /// Moves the objects out of segments of which little is in use, until there are none. Returns bytes given back.
    std::size_t evacuate();
    /// Seals what is being filled, so that the kernel may take all of the heap. A thread's next object opens a segment.
    void seal();
    /// For tests of programs: has the kernel take each 4 KiB page of sealed segments with this probability, in [0, 1] (what is
    /// beyond counts as the limit), as it would under pressure (MADV_PAGEOUT). The same seed takes the same pages. Returns how
    /// many were taken. Throws std::bad_alloc.
    std::size_t lose_pages(double probability, std::uint64_t seed);

    /// Costs a look at each segment, and one of the kernel (mincore): for once a second, not for each read.
    [[nodiscard]] heap_statistics statistics() const;
    /// What of the heap the kernel may take now, as /proc/self/smaps tells; 0 if that cannot be read. Takes milliseconds: all of
    /// the process's mappings are looked at. std::bad_alloc.
    [[nodiscard]] std::size_t lazy_free_bytes() const;

private:
    friend class pool_base;
    std::unique_ptr<detail::HeapCore> core_;
};

}  // namespace soft
