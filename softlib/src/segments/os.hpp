// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// All calls of the kernel for soft memory, so that tests can make each of them fail.
#pragma once

#include <cstddef>

namespace soft::detail {

/// Lengths are multiples of segment_bytes and addresses are aligned to it, unless stated otherwise. Thread-safe; throws nothing.
class Os {
public:
    virtual ~Os() = default;

    /// Reserves address space without memory, aligned to segments. Returns nullptr if there is none.
    virtual std::byte* reserve(std::size_t bytes) noexcept = 0;
    virtual void unreserve(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Makes reserved memory usable. Returns false if the kernel does not commit to it.
    virtual bool commit(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Prepares committed memory to be filled, in huge pages where there are any. Undone by offer().
    virtual void prepare(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Allocates zeroed memory for tables, of any number of pages, aligned to `alignment`. Returns nullptr if there is none.
    virtual std::byte* table(std::size_t bytes, std::size_t alignment) noexcept = 0;
    virtual void free_table(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Lets the kernel take the memory when it needs some (MADV_FREE). Returns false if it cannot. Keeps khugepaged away: before
    /// Linux 7.3 it makes ordinary huge pages of small pages that were offered and are read.
    virtual bool offer(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Gives the memory back at once; it reads as zero then (MADV_DONTNEED). Returns false if the kernel keeps some of it, as it
    /// does with locked memory before Linux 5.18.
    virtual bool discard(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Makes the kernel take offered pages now, as under pressure (MADV_PAGEOUT). Any number of pages. Returns false if it
    /// cannot.
    virtual bool lose(std::byte* at, std::size_t bytes) noexcept = 0;
    /// Returns the resident bytes of a segment (mincore). `bytes` is at most segment_bytes.
    virtual std::size_t resident(const std::byte* at, std::size_t bytes) noexcept = 0;
};

/// The adapter for Linux. Lives as long as the process.
Os& linux_os() noexcept;

}  // namespace soft::detail
