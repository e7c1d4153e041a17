// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Where the copy of a soft object is, in one word, and how a reader finds out whether what it has read there was the object.
//
// Memory is written once: objects are appended to pages of 4 KiB. The kernel takes pages away whole, and what is read afterwards
// is zero; a segment that is used again gets another tag. So a reader copies first and looks afterwards whether the page is still
// there and the segment still has the tag that the word asks for: if so, that was so at the time of the copy, too. There is
// nothing to lock, and nothing to wait for.
//
// That the page is there is told by something in it that is not zero. For an object that lies in one page that is its own header,
// which comes with the object's cache line; for a larger one it is the canary that each page begins with, of the segment's tag.
// Tags are in a table outside, a few bytes a heap, which stay in the processor's cache.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace soft::detail {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr unsigned segment_bits = 21;
inline constexpr std::size_t segment_bytes = std::size_t{1} << segment_bits;
inline constexpr std::size_t pages_per_segment = segment_bytes / page_bytes;
/// What of a page is for objects.
inline constexpr std::size_t page_payload = page_bytes - sizeof(std::uint64_t);
/// Before each object: its handle, and its size as well if the pool's objects are not all of one size.
inline constexpr std::size_t handle_bytes = sizeof(std::uint32_t);
/// An object of at most this size, with what is before it, lies in one page. Larger ones may go on in the next.
inline constexpr std::size_t in_one_page = 512;

/// The word of an object: 0 if there is no copy. From its top: the address, which is a multiple of 4 below 2^48, as Linux maps
/// unless asked otherwise; the flags; the tag of the segment.
using Word = std::uint64_t;
using AtomicWord = std::atomic<Word>;

inline constexpr unsigned tag_bits = 14;
inline constexpr Word tag_mask = (Word{1} << tag_bits) - 1;
/// The object was read since it was last looked at for that.
inline constexpr Word accessed_flag = Word{1} << 14;
/// There is a copy, or was.
inline constexpr Word place_flag = Word{1} << 15;
/// A thread is rebuilding it; there is no address.
inline constexpr Word building_flag = Word{1} << 16;
/// The entry belongs to no object; the address is the next free slot.
inline constexpr Word free_flag = Word{1} << 17;
inline constexpr unsigned address_shift = 16;

inline Word make_place(const std::byte* header, std::uint16_t tag) {
    return (reinterpret_cast<std::uintptr_t>(header) << address_shift) | place_flag | tag;
}
inline bool has_place(Word word) {
    return (word & place_flag) != 0;
}
inline const std::byte* header_of(Word word) {
    return reinterpret_cast<const std::byte*>((word >> address_shift) & ~Word{3});
}
inline std::uint16_t tag_of(Word word) {
    return static_cast<std::uint16_t>(word & tag_mask);
}
/// The same place, whether or not it was accessed.
inline bool same_place(Word one, Word other) {
    return ((one ^ other) & ~accessed_flag) == 0;
}

inline Word make_free(const AtomicWord* next) {
    return (reinterpret_cast<std::uintptr_t>(next) << address_shift) | free_flag;
}
inline AtomicWord* next_free(Word word) {
    return reinterpret_cast<AtomicWord*>(reinterpret_cast<std::uintptr_t>(header_of(word)));
}

/// The tags of all segments of the process, by address; heaps see to it that no two segments share one. As the lower half of a
/// word has it that was accessed: so one comparison tells a reader that nothing is to be done but to go on.
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
/// Of the segment of this address, now.
inline std::uint16_t current_tag(const std::byte* address) {
    return static_cast<std::uint16_t>(tag_at(address).load(std::memory_order_relaxed) & tag_mask);
}
/// Whether the memory of a place has not been used for others since.
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

/// Loads that come before are not done after loads that follow. ThreadSanitizer does not know fences; x86 does not need one.
inline void order_loads() {
#if defined(__x86_64__)
    std::atomic_signal_fence(std::memory_order_acquire);
#else
    std::atomic_thread_fence(std::memory_order_acquire);
#endif
}

/// Copies what another thread may be writing, or the kernel taking away: it does not matter what comes out then, as nobody will
/// use it.
#if defined(SOFTLIB_THREAD_SANITIZER)
__attribute__((no_sanitize("thread"), noinline)) inline void copy_unsure(void* to, const std::byte* from, std::size_t bytes) {
    // volatile: or the compiler makes a call of memcpy of it, which is watched
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

/// The handle before an object; nothing that follows is done before. 0: the page is gone.
inline std::uint32_t handle_at(const std::byte* header) {
    std::uint32_t handle = 0;
    copy_unsure(&handle, header, sizeof handle);
    order_loads();
    return handle;
}

/// Copies an object of at most in_one_page bytes that begins `skip` bytes behind the header. Returns the lower half of a word by
/// which it would be there, as in segment_tags; 0: it is gone.
inline std::uint16_t copy_small(Word word, std::size_t skip, void* to, std::size_t bytes) {
    const std::byte* header = header_of(word);
    copy_unsure(to, header + skip, bytes);
    order_loads();
    // First the page, then the tag: what is not zero may be of the segment's next use.
    if (handle_at(header) == 0) [[unlikely]] {
        return 0;
    }
    return segment_tags[tag_index(word)].load(std::memory_order_relaxed);
}
/// Whether that is what the word says.
inline bool is_same_use(Word word, std::uint16_t found) {
    return (static_cast<std::uint16_t>(word) | accessed_flag) == found;
}

/// Copies an object of any size, of which `skip` bytes, the header's among them, are left out. False: it is gone.
inline bool copy_large(Word word, std::size_t skip, void* to, std::size_t bytes) {
    const std::byte* from = header_of(word);
    auto* out = static_cast<std::byte*>(to);
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
        copy_unsure(out, from, part);
        order_loads();
        if (!page_has(page, tag)) {
            return false;
        }
        bytes -= part;
        if (bytes == 0) {
            return true;
        }
        out += part;
        page += page_bytes;
        from = page + sizeof(std::uint64_t);
        left = page_payload;
    }
}

}  // namespace soft::detail
