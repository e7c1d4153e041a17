// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The address of a soft object's copy in one word, and how a reader finds out whether it has read that object.
//
// Memory is written once: threads append objects to pages of 4 KiB. The kernel drops whole pages, which then read as zero. A
// segment that is used again gets another tag. So a reader copies first, and checks afterwards that the page is still there and
// that the segment has the tag of the word. If so, both were true at the time of the copy too. There is nothing to lock, and
// nothing to wait for.
//
// A page is there if something in it is not zero. For an object within one page that is its own header, which comes with the
// object's cache line. For a larger object it is the canary at the beginning of each page, made from the segment's tag. Tags are
// in a table outside, a few bytes a heap, which stays in the processor's cache.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "softlib/detail/language.hpp"

namespace soft::detail {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr unsigned segment_bits = 21;
inline constexpr std::size_t segment_bytes = std::size_t{1} << segment_bits;
inline constexpr std::size_t pages_per_segment = segment_bytes / page_bytes;
/// Bytes of a page for objects.
inline constexpr std::size_t page_payload = page_bytes - sizeof(std::uint64_t);
/// Each object follows its handle, and its size too if the pool's objects differ in size.
inline constexpr std::size_t handle_bytes = sizeof(std::uint32_t);
/// An object of at most this size, with its header, lies in one page. Larger ones may continue in the next.
inline constexpr std::size_t in_one_page = 512;

/// The word of an object; 0 if there is no copy. From its top: the address, a multiple of 4 below 2^48, as Linux maps unless
/// asked otherwise; the flags; the tag of the segment.
using Word = std::uint64_t;
using AtomicWord = std::atomic<Word>;

inline constexpr unsigned tag_bits = 14;
inline constexpr Word tag_mask = (Word{1} << tag_bits) - 1;
/// The object was read since this copy was made.
inline constexpr Word accessed_flag = Word{1} << 14;
/// There is a copy, or was.
inline constexpr Word place_flag = Word{1} << 15;
/// With a place: the object was read again since. Reads of small objects of a fixed size do not count that.
inline constexpr Word again_flag = Word{1} << 16;
/// Without a place: a thread is rebuilding it; a ticket replaces the address.
inline constexpr Word building_flag = Word{1} << 16;
/// The entry belongs to no object; the address is that of the next free slot.
inline constexpr Word free_flag = Word{1} << 17;
inline constexpr unsigned address_shift = 16;

inline Word make_place(const std::byte* header, std::uint16_t tag) {
    return (reinterpret_cast<std::uintptr_t>(header) << address_shift) | place_flag | tag;
}
inline bool has_place(Word word) {
    return (word & place_flag) != 0;
}
inline bool is_building(Word word) {
    return (word & (place_flag | building_flag)) == building_flag;
}
inline const std::byte* header_of(Word word) {
    return reinterpret_cast<const std::byte*>((word >> address_shift) & ~Word{3});
}
inline std::uint16_t tag_of(Word word) {
    return static_cast<std::uint16_t>(word & tag_mask);
}
/// Whether both name the same place, however often read.
inline bool same_place(Word one, Word other) {
    return ((one ^ other) & ~(accessed_flag | again_flag)) == 0;
}

/// The mark of one rebuild. A mark that only said "somebody rebuilds" would let a rebuild from before a clear() end the next
/// one's turn. `ticket`: a number that the pool gives to no other rebuild. Its lower 46 bits count: a pool that rebuilds an
/// object each microsecond repeats them after two years, and only a rebuild that took so long could be mistaken for another.
inline Word make_mark(std::uint64_t ticket) {
    return (ticket << (address_shift + 2)) | building_flag;
}
/// Whether the word is this mark. A reader of a former copy may have added the flag of an access.
inline bool is_mark(Word word, Word mark) {
    return ((word ^ mark) & ~accessed_flag) == 0;
}

inline Word make_free(const AtomicWord* next) {
    return (reinterpret_cast<std::uintptr_t>(next) << address_shift) | free_flag;
}
inline AtomicWord* next_free(Word word) {
    return reinterpret_cast<AtomicWord*>(reinterpret_cast<std::uintptr_t>(header_of(word)));
}

/// The tags of all segments of the process, by address; heaps ensure that no two segments share one. Each is stored like the
/// lower half of an accessed word, so that one comparison tells a reader that it can go on.
using Tag = std::atomic<std::uint16_t>;
inline constexpr std::size_t nr_tags = std::size_t{1} << 20;
inline constexpr std::uint16_t tag_flags = static_cast<std::uint16_t>(place_flag | accessed_flag);
extern Tag* const segment_tags;

inline std::size_t tag_index(Word word) {
    return (word >> (address_shift + segment_bits)) % nr_tags;
}
inline Tag& tag_at(const std::byte* address) {
    return segment_tags[(reinterpret_cast<std::uintptr_t>(address) >> segment_bits) % nr_tags];
}
/// The present tag of the segment at this address.
inline std::uint16_t current_tag(const std::byte* address) {
    return static_cast<std::uint16_t>(tag_at(address).load(std::memory_order_relaxed) & tag_mask);
}
/// Whether the segment has not been used again since.
inline bool is_current(Word place) {
    return current_tag(header_of(place)) == tag_of(place);
}

/// Never 0.
inline constexpr std::uint64_t canary_base = 0x9d67'a3c5'e1b4'8000;
inline std::uint64_t canary(std::uint16_t tag) {
    return canary_base | tag;
}

inline const std::byte* page_of(const std::byte* address) {
    return reinterpret_cast<const std::byte*>(reinterpret_cast<std::uintptr_t>(address) & ~std::uintptr_t{page_bytes - 1});
}

#if defined(__SANITIZE_THREAD__)
#define SOFTLIB_THREAD_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SOFTLIB_THREAD_SANITIZER 1
#endif
#endif

/// Orders loads before it ahead of loads after it. ThreadSanitizer does not know fences; x86 does not need one.
inline void order_loads() {
#if defined(__x86_64__)
    std::atomic_signal_fence(std::memory_order_acquire);
#else
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

/// Copies memory that another thread may be writing or the kernel dropping. The result does not matter then: nobody uses it.
#if defined(SOFTLIB_THREAD_SANITIZER)
__attribute__((no_sanitize("thread"), noinline)) inline void copy_unsure(void* to, const std::byte* from, std::size_t bytes) {
    // volatile: else the compiler calls memcpy, which ThreadSanitizer watches.
    auto* out = static_cast<volatile unsigned char*>(to);
    auto* in = reinterpret_cast<const volatile unsigned char*>(from);
    for (std::size_t i = 0; i < bytes; ++i) {
        out[i] = in[i];
    }
}
#else
inline void copy_unsure(void* to, const std::byte* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}
#endif

inline bool page_has(const std::byte* page, std::uint16_t tag) {
    return reinterpret_cast<const std::atomic<std::uint64_t>*>(page)->load(std::memory_order_relaxed) == canary(tag);
}

/// Returns the handle before an object; 0 if the page is gone. Later loads stay behind it.
inline std::uint32_t handle_at(const std::byte* header) {
    std::uint32_t handle = 0;
    copy_unsure(&handle, header, sizeof handle);
    order_loads();
    return handle;
}

/// After a copy of an object of at most in_one_page bytes: returns the segment's tag and flags as in segment_tags, to compare
/// with the lower half of the word; 0 if the object is gone.
[[gnu::always_inline]] inline std::uint16_t check_small(Word word) {
    order_loads();
    // First the page, then the tag: bytes that are not zero may be of the segment's next use.
    if (handle_at(header_of(word)) == 0) [[unlikely]] {
        return 0;
    }
    return segment_tags[tag_index(word)].load(std::memory_order_relaxed);
}
/// Copies such an object, which begins `skip` bytes behind the header. Returns as check_small().
[[gnu::always_inline]] inline std::uint16_t copy_small(Word word, std::size_t skip, void* to, std::size_t bytes) {
    copy_unsure(to, header_of(word) + skip, bytes);
    return check_small(word);
}
/// Whether `found` matches the word.
inline bool is_same_use(Word word, std::uint16_t found) {
    return (static_cast<std::uint16_t>(word) | accessed_flag) == found;
}

/// Copies an object of any size, less its first `skip` bytes, in which the header counts. `to(from, n)` copies the next n bytes,
/// as copy_unsure(). Returns false if the object is gone.
template <std::invocable<const std::byte*, std::size_t> To>
bool copy_large(Word word, std::size_t skip, std::size_t bytes, To&& to) {
    const std::byte* from = header_of(word);
    const std::uint16_t tag = tag_of(word);
    const std::byte* page = page_of(from);
    std::size_t left = static_cast<std::size_t>(page + page_bytes - from);
    while (skip >= left) {
        skip -= left;
        page += page_bytes;
        from = page + sizeof(std::uint64_t);
        left = page_payload;
    }
    from += skip;
    left -= skip;
    for (;;) {
        const std::size_t part = bytes < left ? bytes : left;
        to(from, part);
        order_loads();
        if (!page_has(page, tag)) {
            return false;
        }
        bytes -= part;
        if (bytes == 0) {
            return true;
        }
        page += page_bytes;
        from = page + sizeof(std::uint64_t);
        left = page_payload;
    }
}
/// The same to `to`, in one piece.
inline bool copy_large(Word word, std::size_t skip, void* to, std::size_t bytes) {
    return copy_large(word, skip, bytes, [out = static_cast<std::byte*>(to)](const std::byte* from, std::size_t part) mutable {
        copy_unsure(std::exchange(out, out + part), from, part);
    });
}

}  // namespace soft::detail
