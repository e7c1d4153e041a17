// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/segments/dropped.hpp"

#include <atomic>

namespace soft::detail {

void Dropped::flush(SegmentSpace& space, Row& row) {
    // A segment that was used again counts other objects. One that is being reused just now may get a wrong count, which only
    // steers the choice of segments.
    if (row.bytes > 0 && current_tag(space.segment_at(row.segment).base) == row.tag) {
        SegmentSpace::uncount(space.segment_at(row.segment), row.bytes, row.sized_bytes, row.sized_objects);
    }
    row.bytes = 0;
    row.sized_bytes = 0;
    row.sized_objects = 0;
}

void Dropped::add(SegmentSpace& space, Word place, std::size_t bytes, bool with_size) {
    const std::uint32_t segment = space.number_of(header_of(place));
    Row& row = rows_[segment % rows_.size()];
    if (row.segment != segment || row.tag != tag_of(place)) {
        flush(space, row);
        row.segment = segment;
        row.tag = tag_of(place);
    }
    row.bytes += static_cast<std::int64_t>(bytes);
    if (with_size) {
        row.sized_bytes += static_cast<std::int64_t>(bytes);
        ++row.sized_objects;
    }
    if (row.bytes >= max_unflushed_bytes) {
        flush(space, row);
    }
}

void Dropped::flush(SegmentSpace& space) {
    for (Row& row : rows_) {
        flush(space, row);
    }
}

}  // namespace soft::detail
