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

class coordinated_budget;

namespace detail {
class HeapCore;
class Os;
class PoolBase;
}  // namespace detail

/// The largest object, in bytes; its header of 8 bytes comes on top.
inline constexpr std::size_t max_object_bytes = (std::size_t{1} << 32) - 4096;

/// As a limit: a quarter of the machine's memory.
inline constexpr std::size_t default_limit = SIZE_MAX;

/// Options of a heap. The defaults make one with a fixed limit.
struct heap_options {
    /// Memory that the heap may take, in bytes; as for heap::set_limit(). Below 2 MiB it keeps nothing. While the heap moves
    /// objects it may take 4 MiB more.
    std::size_t limit_bytes = default_limit;
    /// Address space to reserve, in bytes; the limit cannot be raised beyond it. 0: as much as the machine has memory. At most 2
    /// TiB. If the process may not have so much (RLIMIT_AS), the heap reserves at most half of what is left;
    /// heap_statistics::reserved_bytes has the result.
    std::size_t reserve_bytes = 0;
    /// Segments with a smaller share of bytes in use are evacuated; in (0, 1). The nearer to 1, the more copying.
    double evacuate_below = 0.5;
    /// Share of the memory for objects on probation, in [0, 1); 0: none are. An object is on probation until its segment is
    /// emptied: then it stays if it was read twice, or once while the others have less than their share. This keeps objects that
    /// are used once from evicting those that are used often, as S3-FIFO does (Yang et al., SOSP 2023); 0.1 is a good value. For
    /// objects that differ in size, or are larger than 512 bytes: other reads are not counted.
    double probation = 0;
    /// Whether a thread evacuates. Otherwise the program has to call evacuate().
    bool background = true;
    /// For tests: replaces the kernel. Must outlive the heap. nullptr: the kernel.
    detail::Os* os = nullptr;
};

/// The state of a heap. Each number is right for itself; they are not all of the same instant.
struct heap_statistics {
    /// Memory that the heap may take now, in bytes.
    std::size_t limit_bytes = 0;
    /// Address space, in bytes.
    std::size_t reserved_bytes = 0;
    /// Size of the segments that have memory, or had it until the kernel took it, in bytes.
    std::size_t segment_bytes = 0;
    /// Part of segment_bytes that is being filled: ordinary memory, in bytes.
    std::size_t open_bytes = 0;
    /// Part of segment_bytes that was offered to the kernel, in bytes. See heap::lazy_free_bytes().
    std::size_t offered_bytes = 0;
    /// Bytes of objects in use with their headers, about. Objects that the kernel took count until somebody misses them. Up to 64
    /// KiB a segment that a thread wrote or dropped last may not be counted yet.
    std::size_t live_bytes = 0;
    /// Share of segment_bytes that is neither in use nor being filled, in [0, 1]. evacuate() gives most of it back.
    [[nodiscard]] double fragmentation() const {
        const std::size_t filled = segment_bytes > open_bytes ? segment_bytes - open_bytes : 0;
        return live_bytes < filled ? static_cast<double>(filled - live_bytes) / static_cast<double>(segment_bytes) : 0;
    }
    /// Part of segment_bytes that is in memory now (mincore).
    std::size_t resident_bytes = 0;
    /// Bytes of the tables of handles and segments that have been touched, about.
    std::size_t metadata_bytes = 0;
    /// Segments that were emptied since the heap was made.
    std::uint64_t evacuated_segments = 0;
    /// Objects that were moved out of these segments.
    std::uint64_t moved_objects = 0;
    /// Objects that were lost with these segments.
    std::uint64_t evicted_objects = 0;
    /// Whether the kernel can take the memory by itself. If not, only limits and shrink() return memory.
    bool offers_to_kernel = true;
    /// Memory of emptied segments that the kernel did not take back, in bytes; not part of segment_bytes. Locked memory
    /// (mlockall) before Linux 5.18. The heap uses it again before other memory.
    std::size_t unreturned_bytes = 0;
};

/// Memory that may vanish: segments of 2 MiB that are filled, sealed, and then offered to the kernel. The kernel takes what it
/// needs without asking (MADV_FREE). Pools put their objects into a heap.
///
/// A heap never fails for want of memory: an object without room is lost at once.
///
/// All functions are thread-safe, except construction and destruction, and throw nothing unless they say so. They may make
/// threads wait that need room at the same time; readers never wait. After fork() the child finds all objects lost and may go on;
/// the parent notices nothing.
class heap {
public:
    /// The process's own heap. Where tmmd runs, it takes what tmmd grants it, by what its caches gain from memory; otherwise it
    /// follows the machine's free memory (machine_budget). The environment variable SOFTLIB_COORDINATOR names tmmd's socket, or
    /// none if it is empty. It lives until the process ends, also while static objects are destroyed. The first call makes it and
    /// may throw std::bad_alloc. Thread-safe.
    static heap& process();
    /// Whether this is the process's own heap.
    [[nodiscard]] bool is_process() const noexcept;

    /// Reserves address space; takes no memory for objects yet. Without address space the heap keeps nothing. Throws
    /// std::bad_alloc without memory for the tables, and std::invalid_argument if evacuate_below is not in (0, 1) or probation
    /// not in [0, 1).
    explicit heap(const heap_options& options);
    /// A heap with the default options.
    heap() : heap(heap_options{}) {}
    /// The heap's pools must be destroyed before.
    ~heap();
    heap(const heap&) = delete;
    heap& operator=(const heap&) = delete;

    /// Sets the limit, in bytes, or default_limit; counts in segments of 2 MiB. If the heap has more, it evicts first what was
    /// not read lately, and returns when it is done. While the heap follows a source, this is the upper bound of what the source
    /// sets, or none if it is default_limit; a higher one takes effect when the source is asked next.
    void set_limit(std::size_t bytes);
    /// From now on `source` sets the limit. The heap's thread asks it at its interval; heap_options::limit_bytes, or what
    /// set_limit() set last, stays an upper bound, unless it is default_limit. nullptr: the limit stays as it is. Waits for a
    /// thread that is asking the former source, and destroys that.
    ///
    /// Without a thread (heap_options::background is false, or no thread can be started) the source sets the limit once, now.
    void follow(std::unique_ptr<budget_source> source);
    /// From now on the heap shares the machine's memory as the process's own heap does, see process(), with the upper bound of
    /// follow(). For a heap with other options than that one. May throw std::bad_alloc.
    void share();
    /// Gives about `bytes` back: first memory that is not in use, then objects that were not read lately. Copies objects that
    /// were read lately. Returns the bytes given back; less than `bytes` only if there is no more, or the kernel does not take
    /// it back (heap_statistics::unreturned_bytes).
    std::size_t shrink(std::size_t bytes);
    /// Gives about `bytes` back at once: all objects of the segments that were sealed first, with heap_options::probation most of
    /// those on probation before the others. Copies nothing. Returns the bytes
    /// given back, as shrink().
    std::size_t release(std::size_t bytes);
    /// Moves objects out of segments with a small share in use, until there are no such segments. Returns the bytes given back.
    std::size_t evacuate();
    /// Seals the segments that are being filled, so that the kernel may take the whole heap. The next object of a thread opens a
    /// segment.
    void seal();
    /// For tests of programs: the kernel takes pages of 4 KiB of sealed segments, as it would under pressure (MADV_PAGEOUT).
    ///
    /// `probability`: of each page, in [0, 1]; values beyond are clamped. `seed`: the same seed takes the same pages. Returns the
    /// number of pages taken. Throws std::bad_alloc.
    std::size_t lose_pages(double probability, std::uint64_t seed);

    /// Memory that the heap has now, in bytes: heap_statistics::segment_bytes alone, which costs nothing.
    [[nodiscard]] std::size_t segment_bytes() const noexcept;
    /// Returns the state of the heap. Visits each segment and calls mincore for it: call it once a second, not for each read.
    [[nodiscard]] heap_statistics statistics() const;
    /// Returns the bytes that the kernel may really take now, from /proc/self/smaps; 0 if that cannot be read. The resident part
    /// of heap_statistics::offered_bytes, unless the kernel has made ordinary memory of some. Takes milliseconds, since it reads
    /// all mappings of the process. Throws std::bad_alloc.
    [[nodiscard]] std::size_t lazy_free_bytes() const;

private:
    friend class detail::PoolBase;
    friend class coordinated_budget;
    std::unique_ptr<detail::HeapCore> core_;
};

}  // namespace soft
