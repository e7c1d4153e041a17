// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/segments/os.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "softlib/detail/place.hpp"

#ifndef MADV_PAGEOUT
#define MADV_PAGEOUT 21
#endif

#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

namespace soft::detail {
namespace {

// Maps more than is needed and unmaps the ends.
std::byte* map_aligned(std::size_t bytes, std::size_t alignment, int protection) noexcept {
    if (bytes > SIZE_MAX - alignment) {
        return nullptr;
    }
    void* mapped = mmap(nullptr, bytes + alignment, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED) {
        return nullptr;
    }
    auto* from = static_cast<std::byte*>(mapped);
    const std::size_t before = (alignment - reinterpret_cast<std::uintptr_t>(from) % alignment) % alignment;
    if (before > 0) {
        munmap(from, before);
    }
    if (before < alignment) {
        munmap(from + before + bytes, alignment - before);
    }
    return from + before;
}

// For locked memory, which MADV_DONTNEED refuses. Needs Linux 5.18. QEMU's user mode ignores advice that it does not know, and
// reports success: its answer means nothing where no_advice succeeds as well.
bool discard_locked(std::byte* at, std::size_t bytes) noexcept {
    constexpr int no_advice = 0x7fff;
    return madvise(at, bytes, no_advice) != 0 && madvise(at, bytes, MADV_DONTNEED_LOCKED) == 0;
}

class Linux final : public Os {
public:
    std::byte* reserve(std::size_t bytes) noexcept override {
        std::byte* at = map_aligned(bytes, segment_bytes, PROT_NONE);
        if (at == nullptr) {
            return nullptr;
        }
        // A child of fork finds all of it lost, and the parent keeps its huge pages. Without this a child could not tell what it
        // may read.
        if (madvise(at, bytes, MADV_WIPEONFORK) != 0) {
            munmap(at, bytes);
            return nullptr;
        }
        // Memory that may vanish is of no use in a core file.
        madvise(at, bytes, MADV_DONTDUMP);
        return at;
    }
    void unreserve(std::byte* at, std::size_t bytes) noexcept override { munmap(at, bytes); }
    bool commit(std::byte* at, std::size_t bytes) noexcept override { return mprotect(at, bytes, PROT_READ | PROT_WRITE) == 0; }
    // Fails on some kernels: a matter of speed only.
    void prepare(std::byte* at, std::size_t bytes) noexcept override { madvise(at, bytes, MADV_HUGEPAGE); }
    std::byte* table(std::size_t bytes, std::size_t alignment) noexcept override {
        return map_aligned(bytes, alignment, PROT_READ | PROT_WRITE);
    }
    void free_table(std::byte* at, std::size_t bytes) noexcept override { munmap(at, bytes); }
    bool offer(std::byte* at, std::size_t bytes) noexcept override {
        // Fails where the kernel has no huge pages. Segments that are not being filled all have it, so they remain one mapping.
        madvise(at, bytes, MADV_NOHUGEPAGE);
        return madvise(at, bytes, MADV_FREE) == 0;
    }
    bool discard(std::byte* at, std::size_t bytes) noexcept override {
        return madvise(at, bytes, MADV_DONTNEED) == 0 || discard_locked(at, bytes);
    }
    bool lose(std::byte* at, std::size_t bytes) noexcept override { return madvise(at, bytes, MADV_PAGEOUT) == 0; }
    std::size_t resident(const std::byte* at, std::size_t bytes) noexcept override {
        unsigned char there[pages_per_segment];
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        if (mincore(const_cast<std::byte*>(at), bytes, there) != 0) {
            return 0;
        }
        return static_cast<std::size_t>(
                   std::count_if(there, there + bytes / page, [](unsigned char one) { return (one & 1) != 0; })) *
               page;
    }
};

}  // namespace

Os& linux_os() noexcept {
    // Never destroyed: destructors of static objects may use soft memory.
    alignas(Linux) static std::byte storage[sizeof(Linux)];
    static Os* const os = ::new (static_cast<void*>(storage)) Linux;
    return *os;
}

}  // namespace soft::detail
