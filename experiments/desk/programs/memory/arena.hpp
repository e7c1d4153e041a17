// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory of a resident application: anonymous pages of random contents, so that compressed swap gains nothing unless the
// caller asks for pages that compress.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.hpp"
#include "pattern.hpp"

namespace tmm::desk {

inline constexpr std::size_t page_bytes = 4096;
// Then 64 bytes of a page are random. touch() writes to the first 8.
inline constexpr unsigned max_compressible = 64;

class Arena {
public:
    // Allocates and fills nr_pages pages; huge pages are declined, because the kernel would swap and count them differently.
    // compressible, 1 to max_compressible: that part of each page is random, a 3rd for 3, and the rest is zero.
    static Result<Arena> create(PageIndex nr_pages, std::uint64_t seed, unsigned compressible = 1);

    Arena(Arena&& other) noexcept;
    Arena& operator=(Arena&&) = delete;
    ~Arena();

    // Reads a word of every page of the batch and writes to every write_every-th (0: none); returns the words' sum.
    std::uint64_t touch(std::span<const PageIndex> batch, unsigned write_every);

    [[nodiscard]] std::span<const std::byte> bytes() const;

private:
    Arena(std::uint64_t* words, PageIndex nr_pages) : words_(words), nr_pages_(nr_pages) {}

    std::uint64_t* words_;
    PageIndex nr_pages_;
};

}  // namespace tmm::desk
