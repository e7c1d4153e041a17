// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Streams: finds threads that read memory from front to back, and says what to get for them ahead. One stream a thread. Pure;
// called from one thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "farmem/core/page.hpp"

namespace tmm::far {

class Streams {
public:
    // window: pages ahead of a stream; 0: none.
    explicit Streams(std::uint64_t window) : window_(window) {}

    struct Seen {
        bool is_stream = false;  // the last faults of the thread followed each other
        PageRange ahead;         // what to get for it
    };
    // A thread's fault.
    Seen observe(std::uint32_t thread, PageNumber page) {
        Stream& stream = streams_[thread % streams_.size()];
        const bool follows = stream.thread == thread && page > stream.last && page <= std::max(stream.last + 1, stream.until);
        if (!follows)
            stream = {.thread = thread, .last = page, .length = 0, .until = 0};
        stream.last = page;
        if (++stream.length < min_length || window_ == 0)
            return {};
        const PageNumber from = std::max(page + 1, stream.until);
        // Half a window is left, so that the other half comes in one batch.
        if (from > page + window_ / 2)
            return {true, {}};
        stream.until = page + 1 + window_;
        return {true, {from, stream.until}};
    }

private:
    static constexpr std::uint32_t min_length = 3;

    struct Stream {
        std::uint32_t thread = 0;
        PageNumber last = 0;
        std::uint32_t length = 0;
        PageNumber until = 0;  // got ahead
    };
    std::uint64_t window_;
    // Threads that share a place disturb each other's streams, no more.
    std::array<Stream, 256> streams_{};
};

}  // namespace tmm::far
