// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// All that softlib asks of the kernel for its memory, so that tests can fail each of it.
#pragma once

#include <cstddef>

namespace soft::detail {

/// Lengths are multiples of segment_bytes, addresses are aligned to it, unless it is said otherwise. Thread-safe; nothing throws.
class Os {
public:
    virtual ~Os() = default;

    /// Address space without memory, aligned to segments; nullptr if there is none.
    virtual std::byte* reserve(std::size_t bytes) noexcept = 0;
    virtual void unreserve(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Lets reserved memory be used. False if the kernel does not commit to it.
    virtual bool commit(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Memory that is zero, aligned to `alignment`; nullptr if there is none. For tables; of any length in pages.
    virtual std::byte* table(std::size_t bytes, std::size_t alignment) noexcept = 0;
    virtual void free_table(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Lets the kernel take the memory when it needs some (MADV_FREE). False if it cannot.
    virtual bool offer(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Gives the memory back at once; what is read then is zero (MADV_DONTNEED).
    virtual void discard(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Has the kernel take offered pages now, as it would under pressure (MADV_PAGEOUT). Of any length in pages. False if it
    /// cannot.
    virtual bool lose(std::byte* at, std::size_t bytes) noexcept = 0;
    /// How much of a segment is in memory, in bytes (mincore). `bytes` is at most segment_bytes.
    virtual std::size_t resident(const std::byte* at, std::size_t bytes) noexcept = 0;
};

/// That of Linux. Lives as long as the process.
Os& linux_os() noexcept;

}  // namespace soft::detail
