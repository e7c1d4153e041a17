// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// An item as it lies in soft memory: the value, then a trailer with all else. The value comes first so that neither a put nor a
// get has to move it. From the trailer's end: form (1), length of the key (1), flags (0 or 4), cas (6 or 8), key.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "caches/store/buffer.hpp"

namespace tmm::caches {

inline constexpr std::size_t max_key_bytes = 255;
/// The most that append_trailer() adds.
inline constexpr std::size_t max_trailer_bytes = max_key_bytes + 8 + 4 + 2;
/// Generations are below it.
inline constexpr unsigned nr_generations = 64;

struct Trailer {
    std::string_view key;
    std::uint64_t cas = 0;
    std::uint32_t flags = 0;
    /// Number of the flush that the item came after.
    unsigned generation = 0;
};

/// Makes a record of a value. Throws std::bad_alloc.
void append_trailer(Buffer& value, const Trailer& trailer);
/// Returns the trailer, whose key is inside `record`; the value is all before it. Nothing if `record` is no record.
struct Parsed {
    Trailer trailer;
    std::size_t value_bytes = 0;
};
std::optional<Parsed> parse_record(std::string_view record);

}  // namespace tmm::caches
