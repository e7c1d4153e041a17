// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmm-far asks of the pager: a line of words, answered by a text. "ok" or data comes first in an answer, or "error: " with
// the reason. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "farmem/core/link/link_scheduler.hpp"
#include "farmem/core/prefetch/prefetcher.hpp"

namespace tmm::far {

struct Command {
    enum class Kind { run, limit, record, status, stop };
    Kind kind = Kind::status;
    std::string name;               // of a program
    std::uint64_t limit_bytes = 0;  // run, limit
    std::string store;              // run
    std::uint64_t window = 256;     // run: pages on their way before a thread needs them, at most max_window
    std::uint32_t weight = 1;       // run: of its share of the link, at most max_weight
    std::string without = "none";   // run: parts that are switched off, with commas between them
    std::string path;               // record
    bool follows = false;           // run: limit_bytes is the most, and cgroups move the limit
};

// The least local memory of a program.
inline constexpr std::uint64_t min_limit_bytes = 4 << 20;
inline constexpr std::uint64_t max_window = 1024;
inline constexpr std::uint32_t max_weight = LinkScheduler::max_weight;

// Parts of far memory that can be switched off, to see what they are good for. link: of the pager; the others: of a program.
struct Parts {
    PrefetchParts prefetch;
    bool keep = true;         // a page keeps its entry when it comes back
    bool spin = true;         // for a moment while a memcached server answers
    bool async_read = true;   // pages are read while others are evicted
    bool async_write = true;  // a thread of its own writes, in batches
    LinkRules link;
};
// Parses "none", or names with commas between them: streams, vote, successors, edges, keep, spin, async-read and async-write,
// or fair, demand-first, drop-late and reissue. Returns what is left on. Error: EINVAL, an unknown name.
Result<Parts> parse_without(std::string_view list);

// Parses "run NAME BYTES STORE WINDOW WEIGHT WITHOUT [follow]", "limit NAME BYTES", "record NAME PATH", "status" or
// "stop NAME". A path has no space. Error: EINVAL.
Result<Command> parse_command(std::string_view line);
std::string format_command(const Command& command);

// Names of programs: 1 to 63 letters, digits, '-', '_' and '.'.
bool is_name(std::string_view name);

}  // namespace tmm::far
