// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The client's side of memcached's text protocol, as far as far memory needs it: writes commands, and parses their replies.
// Source: memcached's doc/protocol.txt. Pure; thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "caches/memcache/parsed.hpp"

namespace tmm::caches::memcache {

void append_set(std::string& out, std::string_view key, std::string_view value);
// keys: together less than Limits::max_line_bytes. One END follows the values of all that are there.
void append_get(std::string& out, std::span<const std::string> keys);
void append_delete(std::string& out, std::string_view key);

// status: the first word of its line ("STORED", "END", "VALUE", "DELETED", "NOT_FOUND", "SERVER_ERROR" and others). VALUE: key
// and value are set, and an END follows.
struct TextReply {
    std::string_view status;
    std::string_view key;
    std::string_view value;
};

// Never refuses: a reply that exceeds the limits closes.
Parsed<TextReply> parse_text_reply(std::string_view input, const Limits& limits);

}  // namespace tmm::caches::memcache
