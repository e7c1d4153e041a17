// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Where the copy of a soft object is, in one word, and how a reader finds out whether what it has read there was the object.
//
// Memory is written once: objects are appended to pages of 4 KiB, each of which begins with a canary of its segment's tag. The
// kernel takes pages away whole, and what is read afterwards is zero; a segment that is used again gets another tag. So a reader
// copies first and looks at the canary of each page after it: if that is the one that the word asks for, the page was what it is
// at the time of the copy, too. There is nothing to lock, and nothing to wait for.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace soft::detail {

inline constexpr std::size_t page_bytes = 4096;
inline constexpr std::size_t segment_bytes = std::size_t{2} << 20;
inline constexpr std::size_t pages_per_segment = segment_bytes / page_bytes;
/// What of a page is for objects.
inline constexpr std::size_t page_payload = page_bytes - sizeof(std::uint64_t);
/// Before each object: its handle, and its size as well if the pool's objects are not all of one size.
inline constexpr std::size_t handle_bytes = sizeof(std::uint32_t);
/// An object of at most this size, with what is before it, lies in one page. Larger ones may go on in the next.
inline constexpr std::size_t in_one_page = 512;

/// The word of an object: 0 if there is no copy. Addresses are multiples of 4 below 2^48, which is what Linux maps unless asked
/// otherwise.
using Word = std::uint64_t;
using AtomicWord = std::atomic<Word>;

inline constexpr unsigned address_bits = 46;
inline constexpr unsigned tag_bits = 15;
inline constexpr Word address_mask = (Word{1} << address_bits) - 1;
inline constexpr Word tag_mask = (Word{1} << tag_bits) - 1;
/// The object was read since it was last looked at for that.
inline constexpr Word accessed_flag = Word{1} << 61;
/// A thread is rebuilding it; there is no address.
inline constexpr Word building_flag = Word{1} << 62;
/// The entry belongs to no object; the address is the next free slot.
inline constexpr Word free_flag = Word{1} << 63;

inline Word make_place(const std::byte* header, std::uint16_t tag) {
    return (reinterpret_cast<std::uintptr_t>(header) >> 2) | (Word{tag} << address_bits);
}
inline bool has_place(Word word) {
    return (word & (building_flag | free_flag)) == 0 && (word & address_mask) != 0;
}
inline const std::byte* header_of(Word word) {
    return reinterpret_cast<const std::byte*>((word & address_mask) << 2);
}
inline std::uint16_t tag_of(Word word) {
    return static_cast<std::uint16_t>((word >> address_bits) & tag_mask);
}
/// The same place, whether or not it was accessed.
inline bool same_place(Word one, Word other) {
    return ((one ^ other) & ~accessed_flag) == 0;
}

/// Never 0, and not what a program's data look like by chance (which would do no harm: canaries have a place of their own).
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

/// Copies an object of at most in_one_page bytes that begins `skip` bytes behind the header. False: it is gone.
inline bool copy_small(Word word, std::size_t skip, void* to, std::size_t bytes) {
    const std::byte* header = header_of(word);
    copy_unsure(to, header + skip, bytes);
    order_loads();
    return page_has(page_of(header), tag_of(word));
}

/// The same for objects of any size, `skip` of whose bytes, the header's among them, are left out.
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
