// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Readahead: decides which blocks of an open file are fetched before somebody reads them. Pure; one for each open file, and not
// thread-safe.
//
// A reader that goes on where it stopped is sequential. Its depth doubles whenever it had to wait for a block: so the depth
// follows the latency of the store and the pace of the reader, and nobody measures either (feedback-directed prefetching, which
// Mortar names as an enhancement; Hwang et al., VEE 2014, section 4). A jump ends it.
#pragma once

#include <cstdint>

namespace tmm::caches {

/// Blocks [first, first + count) of a file.
struct BlockRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    friend bool operator==(const BlockRange&, const BlockRange&) = default;
};

class Readahead {
public:
    /// The depth never exceeds max_depth blocks; 0: nothing is fetched ahead.
    explicit Readahead(std::uint64_t max_depth) : max_depth_(max_depth) {}

    /// Somebody reads the blocks [first, last], and `waits` for one of them: it is not in the cache, or still under way. Returns
    /// the blocks to fetch, each once in a sequence. They may be beyond the file's end.
    BlockRange read(std::uint64_t first, std::uint64_t last, bool waits);

    /// Blocks between the reader and the last one fetched ahead; 0 while the reader is not sequential.
    [[nodiscard]] std::uint64_t depth() const { return depth_; }

private:
    const std::uint64_t max_depth_;
    /// The block at which a sequential reader goes on; it may read the one before again, of which it may have read a part.
    std::uint64_t next_ = 0;
    /// The first block that was not fetched ahead.
    std::uint64_t ahead_ = 0;
    std::uint64_t depth_ = 0;
};

}  // namespace tmm::caches
