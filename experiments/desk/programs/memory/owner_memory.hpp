// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The memory that an owner's application touches: anonymous, or a file through the page cache. Not thread-safe.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "pattern.hpp"

namespace tmm::desk {

class OwnerMemory {
public:
    OwnerMemory() = default;
    OwnerMemory(const OwnerMemory&) = delete;
    OwnerMemory& operator=(const OwnerMemory&) = delete;
    virtual ~OwnerMemory() = default;

    // Touches every page of the batch. Error: a file could not be read.
    virtual Result<void> touch(std::span<const PageIndex> batch) = 0;
};

// Anonymous memory; every write_every-th touch of a batch writes, 0: none. compressible: see Arena::create().
Result<std::unique_ptr<OwnerMemory>> anonymous_memory(PageIndex nr_pages, std::uint64_t seed, unsigned write_every,
                                                      unsigned compressible = 1);

enum class FileAccess {
    read,    // by pread(2): no page fault when the page cache lacks the page
    mapped,  // by a shared mapping
};

// Makes a file of nr_pages pages of random contents, on the disk and in the page cache, and removes it at the end. Without
// read-ahead: a miss is one request for one page. Touches only read. Error: names the path.
Result<std::unique_ptr<OwnerMemory>> file_memory(const std::string& path, PageIndex nr_pages, std::uint64_t seed,
                                                 FileAccess access);

}  // namespace tmm::desk
