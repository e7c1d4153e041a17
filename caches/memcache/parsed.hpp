// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Parsed: one step of a protocol's parser over the bytes that a connection has buffered. Parsers are pure and keep no state: the
// caller calls again with the same bytes and more. Texts in a request refer to the buffer, and live as long as its bytes do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tmm::caches::memcache {

inline constexpr std::size_t max_key_bytes = 250;

// Bounds on what a parser takes.
struct Limits {
    std::size_t max_value_bytes = 1024 * 1024;  // larger values are dropped unread, and refused
    std::size_t max_line_bytes = 2048;
    std::size_t max_keys_line_bytes = 1024 * 1024;  // of "get" with many keys
};

enum class Step : std::uint8_t {
    incomplete,  // more bytes are needed: `wanted` in all
    request,     // `request` is valid
    refused,     // `refusal` is to be sent
    closed,      // nothing that follows can be understood: end the connection
};

template <typename Request>
struct Parsed {
    Step step = Step::incomplete;
    std::size_t wanted = 0;         // another call with fewer bytes finds nothing new
    std::size_t used = 0;           // bytes of the request or of what is refused
    std::size_t swallow_bytes = 0;  // after those: a value that is not wanted
    std::string_view refusal;
    Request request{};
};

}  // namespace tmm::caches::memcache
