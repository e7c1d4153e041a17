// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parses requests of CRSH, the protocol between ccache and its storage helpers. The server speaks first, so a connection of this
// protocol needs a socket of its own. Integers are in host order: both ends are on one machine. Source: ccache's
// doc/remote_storage_helper_spec.md, version 1. Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "caches/memcache/parsed.hpp"

namespace tmm::caches::memcache {

enum class CrshVerb : std::uint8_t { get = 0, put = 1, remove = 2, stop = 3, info = 4 };
enum class CrshStatus : char { ok = 0, noop = 1, error = 2 };

struct CrshRequest {
    CrshVerb verb = CrshVerb::info;
    std::string_view key;
    std::string_view value;
    bool overwrite = false;
    bool too_large = false;  // the value exceeds the limit: it was not read
};

// An unknown request closes the connection: its length is unknown.
Parsed<CrshRequest> parse_crsh(std::string_view input, const Limits& limits);

// The server's first bytes.
std::string_view crsh_greeting();

// Appends a text with its length, at most 255 bytes of it.
void append_crsh_message(std::string& text, std::string_view message);

// Appends the status and length of a value that follows.
void append_crsh_value_header(std::string& text, std::uint64_t value_bytes);

}  // namespace tmm::caches::memcache
