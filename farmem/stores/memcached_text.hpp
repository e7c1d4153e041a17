// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The part of memcached's text protocol that a store needs: writes commands, and reads their answers out of what came in so far.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tmm::far::memcached {

void append_set(std::string& out, std::string_view key, std::string_view value);
// keys: together less than a line, of 2048 bytes. One END follows the values of all that are there.
void append_get(std::string& out, std::span<const std::string> keys);
void append_delete(std::string& out, std::string_view key);

// One answer. status: the first word of its line ("STORED", "END", "VALUE", "DELETED", "NOT_FOUND", "SERVER_ERROR" and others).
// VALUE: key and value are set, and an END follows.
struct Reply {
    std::string_view status;
    std::string_view key;
    std::string_view value;
    std::size_t bytes = 0;  // that it takes of the input
};

// A longer value is broken.
inline constexpr std::size_t max_value_bytes = 1 << 20;

// broken: whatever follows cannot be understood. Nothing: more has to come.
struct Parsed {
    bool is_broken = false;
    std::optional<Reply> reply;
};
Parsed parse_reply(std::string_view input);

}  // namespace tmm::far::memcached
