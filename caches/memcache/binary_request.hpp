// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// memcached's binary protocol: parses requests, and writes and parses packets of either direction. All integers are big-endian.
// Source: memcached's protocol_binary.h and its wiki "BinaryProtocolRevamped". Pure; thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "caches/memcache/parsed.hpp"

namespace tmm::caches::memcache {

inline constexpr std::size_t binary_header_bytes = 24;
inline constexpr unsigned char binary_request_magic = 0x80;
inline constexpr unsigned char binary_reply_magic = 0x81;

enum class BinaryOpcode : std::uint8_t {
    get = 0x00,
    set = 0x01,
    add = 0x02,
    replace = 0x03,
    remove = 0x04,
    increment = 0x05,
    decrement = 0x06,
    quit = 0x07,
    flush = 0x08,
    getq = 0x09,
    noop = 0x0a,
    version = 0x0b,
    getk = 0x0c,
    getkq = 0x0d,
    append = 0x0e,
    prepend = 0x0f,
    stat = 0x10,
    setq = 0x11,
    addq = 0x12,
    replaceq = 0x13,
    removeq = 0x14,
    incrementq = 0x15,
    decrementq = 0x16,
    quitq = 0x17,
    flushq = 0x18,
    appendq = 0x19,
    prependq = 0x1a,
    verbosity = 0x1b,
    touch = 0x1c,
    gat = 0x1d,
    gatq = 0x1e,
    sasl_list = 0x20,
    sasl_auth = 0x21,
    sasl_step = 0x22,
    gatk = 0x23,
    gatkq = 0x24,
};

enum class BinaryStatus : std::uint16_t {
    success = 0x00,
    key_not_found = 0x01,
    key_exists = 0x02,
    too_large = 0x03,
    invalid = 0x04,
    not_stored = 0x05,
    bad_delta = 0x06,
    auth_error = 0x20,
    auth_continue = 0x21,
    unknown_command = 0x81,
    out_of_memory = 0x82,
};

// A packet of either direction. Texts refer to the buffer.
struct BinaryPacket {
    BinaryOpcode opcode = BinaryOpcode::noop;
    BinaryStatus status = BinaryStatus::success;  // of a reply
    std::uint32_t opaque = 0;
    std::uint64_t cas = 0;
    std::string_view extras;
    std::string_view key;
    std::string_view value;
};

struct BinaryRequest {
    BinaryPacket packet;
    // Success, or what is wrong with the frame itself: too_large (the value was not read) or invalid (nothing of it was).
    BinaryStatus frame = BinaryStatus::success;
};

// The command without its quietness, and whether it was quiet.
struct PlainOpcode {
    BinaryOpcode opcode;
    bool quiet;
};
PlainOpcode plain_opcode(BinaryOpcode opcode);

// Parses a request. A frame whose lengths contradict each other closes the connection.
Parsed<BinaryRequest> parse_binary(std::string_view input, const Limits& limits);

// Parses the reply of a server; closes for anything else.
Parsed<BinaryPacket> parse_binary_reply(std::string_view input, const Limits& limits);

// Appends the header, extras and key of a packet whose value of value_bytes follows; the sender adds the value.
void append_binary(std::string& text, unsigned char magic, const BinaryPacket& packet, std::size_t value_bytes);

// Read or append a big-endian number.
std::uint32_t read_u32(std::string_view bytes);
std::uint64_t read_u64(std::string_view bytes);
void append_u32(std::string& text, std::uint32_t number);
void append_u64(std::string& text, std::uint64_t number);

// The text that memcached gives as value of an error.
std::string_view words_of(BinaryStatus status);

}  // namespace tmm::caches::memcache
