// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Bytes that a thread dropped and has not yet subtracted from their segment's count: each subtraction would wait for the count to
// come from another processor. One object a thread. It holds back at most max_unflushed_bytes of a segment, so the heap
// takes segments to be fuller than they are by 1.6 %.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "src/segments/segment_space.hpp"

namespace soft::detail {

class Dropped {
public:
    /// Notes that the `bytes` of one object, or of several that it stands for, at a current place are not in use any more.
    /// `with_size`: as in ObjectHeader.
    void add(SegmentSpace& space, Word place, std::size_t bytes, bool with_size = false);
    /// Subtracts everything that is noted.
    void flush(SegmentSpace& space);

private:
    struct Row {
        std::uint32_t segment = 0;
        std::uint16_t tag = 0;
        std::int64_t bytes = 0;
        std::int64_t sized_bytes = 0;
        std::int32_t sized_objects = 0;
    };
    static constexpr std::int64_t max_unflushed_bytes = std::int64_t{32} * 1024;
    static void flush(SegmentSpace& space, Row& row);

    /// Segment n has row n modulo their number, so that neighbours, which are filled one after the other, keep their rows.
    std::array<Row, 256> rows_;
};

}  // namespace soft::detail
