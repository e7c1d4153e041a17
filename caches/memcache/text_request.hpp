// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses requests of memcached's text protocol: classic commands here, meta commands by meta_request.hpp. Errors have memcached's
// words, which clients and its tests compare. Source: memcached's doc/protocol.txt. Pure; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "caches/memcache/meta_request.hpp"
#include "caches/memcache/parsed.hpp"

namespace tmm::caches::memcache {

enum class TextVerb : std::uint8_t {
    get,
    gets,
    gat,
    gats,
    set,
    add,
    replace,
    append,
    prepend,
    cas,
    touch,
    remove,
    incr,
    decr,
    flush_all,
    stats,
    version,
    verbosity,
    quit,
    meta,        // `meta` holds it
    management,  // a command that steers memcached's own memory, or a test's clock: `arguments` holds it
};

struct TextRequest {
    TextVerb verb = TextVerb::quit;
    bool noreply = false;
    bool too_large = false;      // the value exceeds the limit: it was not read
    std::string_view key;        // of commands with one key
    std::string_view arguments;  // get*: all keys; stats and management: the line, without the command for stats
    std::uint32_t flags = 0;
    std::int64_t expiry = 0;   // as sent: relative, absolute, or negative; delay of flush_all
    std::uint64_t number = 0;  // cas, or delta of incr and decr
    std::string_view value;
    std::optional<MetaRequest> meta;
};

Parsed<TextRequest> parse_text(std::string_view input, const Limits& limits);

// Takes the next blank-separated word off the text; empty at its end.
std::string_view take_word(std::string_view& text);

}  // namespace tmm::caches::memcache
