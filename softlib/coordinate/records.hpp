// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// The records between a heap of soft memory and tmmd, which divides soft memory among all heaps. They go over a SOCK_SEQPACKET
// socket, /run/tmm/soft, one connection a heap: hello once, then a report a second; a grant answers each report. All numbers are
// little-endian. A side closes the connection if it does not understand a record.
#ifndef SOFTLIB_COORDINATE_RECORDS_HPP
#define SOFTLIB_COORDINATE_RECORDS_HPP

#include <cstdint>

namespace soft::coordinate {

inline constexpr std::uint32_t version = 1;
inline constexpr std::uint32_t name_bytes = 32;
// Reuse distances in sixteenths of a doubling: bucket i ends at 2^(20 + i/16) bytes.
inline constexpr std::uint32_t nr_buckets = 256;

enum class kind : std::uint32_t { hello = 1, report = 2, grant = 3 };

struct header {
    std::uint32_t version;
    std::uint32_t kind;
};

struct hello {
    coordinate::header header;
    char name[name_bytes];  // of the heap, for people; filled up with zeros
};

// Rates are per second of the program's other work, all that is no rebuilding.
struct report {
    coordinate::header header;
    std::uint64_t number;  // a grant repeats it
    std::uint64_t budget_bytes;
    std::uint64_t used_bytes;
    std::uint64_t footprint_bytes;   // of all objects used lately, in the heap or not
    std::uint64_t rebuild_ns;        // for each miss, on average
    float misses_per_s;              // as they were with the budgets of late, for comparison with the curve
    float first_uses_per_s;          // of objects that were never there before
    float reuses_per_s[nr_buckets];  // by distance
};

struct grant {
    coordinate::header header;
    std::uint64_t number;
    std::uint64_t bytes;
    std::uint32_t valid_ms;  // after that the heap follows the machine by itself
    std::uint32_t urgent;    // 1: others need the memory at once
};

static_assert(sizeof(hello) == 40 && sizeof(report) == 1080 && sizeof(grant) == 32, "records have no gaps");

}  // namespace soft::coordinate

#endif
