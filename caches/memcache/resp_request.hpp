// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses requests of RESP2, the protocol of Redis: arrays of byte strings, and lines that people type. Source: Redis' protocol
// specification. Pure; thread-safe.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "caches/memcache/parsed.hpp"

namespace tmm::caches::memcache {

inline constexpr std::size_t max_resp_words = 4096;

struct RespRequest {
    std::vector<std::string_view> words;  // the command and its arguments; may be none
    bool too_large = false;               // the last word exceeds the limit: it was not read, and neither were those behind it
};

Parsed<RespRequest> parse_resp(std::string_view input, const Limits& limits);

}  // namespace tmm::caches::memcache
