// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/binary_request.hpp"

namespace tmm::caches::memcache {
namespace {

// The largest extras of any request: delta, initial value and expiry.
constexpr std::size_t max_extras_bytes = 20;

std::uint64_t read_big_endian(std::string_view bytes, std::size_t size) {
    std::uint64_t number = 0;
    for (const char byte : bytes.substr(0, size))
        number = number << 8 | static_cast<unsigned char>(byte);
    return number;
}

void append_big_endian(std::string& text, std::uint64_t number, std::size_t size) {
    for (std::size_t i = size; i > 0; --i)
        text += static_cast<char>(number >> (8 * (i - 1)) & 255);
}

struct Header {
    unsigned char magic;
    BinaryOpcode opcode;
    std::size_t key_bytes;
    std::size_t extras_bytes;
    std::uint16_t status;
    std::size_t body_bytes;
    std::uint32_t opaque;
    std::uint64_t cas;
};

Header read_header(std::string_view input) {
    return {.magic = static_cast<unsigned char>(input[0]),
            .opcode = static_cast<BinaryOpcode>(input[1]),
            .key_bytes = read_big_endian(input.substr(2), 2),
            .extras_bytes = static_cast<unsigned char>(input[4]),
            .status = static_cast<std::uint16_t>(read_big_endian(input.substr(6), 2)),
            .body_bytes = read_u32(input.substr(8)),
            .opaque = read_u32(input.substr(12)),
            .cas = read_u64(input.substr(16))};
}

// Splits the body behind the header.
void split(BinaryPacket& packet, const Header& header, std::string_view body) {
    packet.extras = body.substr(0, header.extras_bytes);
    packet.key = body.substr(header.extras_bytes, header.key_bytes);
    packet.value = body.substr(header.extras_bytes + header.key_bytes);
}

}  // namespace

PlainOpcode plain_opcode(BinaryOpcode opcode) {
    switch (opcode) {
        case BinaryOpcode::getq:
            return {BinaryOpcode::get, true};
        case BinaryOpcode::getkq:
            return {BinaryOpcode::getk, true};
        case BinaryOpcode::gatq:
            return {BinaryOpcode::gat, true};
        case BinaryOpcode::gatkq:
            return {BinaryOpcode::gatk, true};
        case BinaryOpcode::setq:
            return {BinaryOpcode::set, true};
        case BinaryOpcode::addq:
            return {BinaryOpcode::add, true};
        case BinaryOpcode::replaceq:
            return {BinaryOpcode::replace, true};
        case BinaryOpcode::removeq:
            return {BinaryOpcode::remove, true};
        case BinaryOpcode::incrementq:
            return {BinaryOpcode::increment, true};
        case BinaryOpcode::decrementq:
            return {BinaryOpcode::decrement, true};
        case BinaryOpcode::quitq:
            return {BinaryOpcode::quit, true};
        case BinaryOpcode::flushq:
            return {BinaryOpcode::flush, true};
        case BinaryOpcode::appendq:
            return {BinaryOpcode::append, true};
        case BinaryOpcode::prependq:
            return {BinaryOpcode::prepend, true};
        default:
            return {opcode, false};
    }
}

std::uint32_t read_u32(std::string_view bytes) {
    return static_cast<std::uint32_t>(read_big_endian(bytes, 4));
}
std::uint64_t read_u64(std::string_view bytes) {
    return read_big_endian(bytes, 8);
}
void append_u32(std::string& text, std::uint32_t number) {
    append_big_endian(text, number, 4);
}
void append_u64(std::string& text, std::uint64_t number) {
    append_big_endian(text, number, 8);
}

Parsed<BinaryRequest> parse_binary(std::string_view input, const Limits& limits) {
    Parsed<BinaryRequest> result;
    result.wanted = binary_header_bytes;
    if (input.size() < binary_header_bytes) {
        if (!input.empty() && static_cast<unsigned char>(input[0]) != binary_request_magic)
            result.step = Step::closed;
        return result;
    }
    const Header header = read_header(input);
    if (header.magic != binary_request_magic || header.key_bytes + header.extras_bytes > header.body_bytes) {
        result.step = Step::closed;
        return result;
    }
    BinaryPacket& packet = result.request.packet;
    packet.opcode = header.opcode;
    packet.opaque = header.opaque;
    packet.cas = header.cas;
    result.used = binary_header_bytes;
    result.swallow_bytes = header.body_bytes;
    const std::size_t before_value = header.key_bytes + header.extras_bytes;
    const bool strange = header.key_bytes > max_key_bytes || header.extras_bytes > max_extras_bytes;
    const bool too_large = header.body_bytes - before_value > limits.max_value_bytes;
    const std::size_t read_bytes = strange ? 0 : too_large ? before_value : header.body_bytes;
    if (input.size() - binary_header_bytes < read_bytes) {
        result.wanted = binary_header_bytes + read_bytes;
        return result;
    }
    result.step = Step::request;
    result.used += read_bytes;
    result.swallow_bytes -= read_bytes;
    if (strange) {
        result.request.frame = BinaryStatus::invalid;
        return result;
    }
    split(packet, header, input.substr(binary_header_bytes, read_bytes));
    if (too_large)
        result.request.frame = BinaryStatus::too_large;
    return result;
}

Parsed<BinaryPacket> parse_binary_reply(std::string_view input, const Limits& limits) {
    Parsed<BinaryPacket> result;
    result.wanted = binary_header_bytes;
    if (input.size() < binary_header_bytes)
        return result;
    const Header header = read_header(input);
    const std::size_t max_body_bytes = limits.max_value_bytes + max_key_bytes + max_extras_bytes;
    if (header.magic != binary_reply_magic || header.key_bytes + header.extras_bytes > header.body_bytes ||
        header.body_bytes > max_body_bytes) {
        result.step = Step::closed;
        return result;
    }
    result.wanted += header.body_bytes;
    if (input.size() < result.wanted)
        return result;
    result.step = Step::request;
    result.used = result.wanted;
    BinaryPacket& packet = result.request;
    packet.opcode = header.opcode;
    packet.status = static_cast<BinaryStatus>(header.status);
    packet.opaque = header.opaque;
    packet.cas = header.cas;
    split(packet, header, input.substr(binary_header_bytes, header.body_bytes));
    return result;
}

void append_binary(std::string& text, unsigned char magic, const BinaryPacket& packet, std::size_t value_bytes) {
    text += static_cast<char>(magic);
    text += static_cast<char>(packet.opcode);
    append_big_endian(text, packet.key.size(), 2);
    text += static_cast<char>(packet.extras.size());
    text += '\0';
    append_big_endian(text, static_cast<std::uint16_t>(packet.status), 2);
    append_u32(text, static_cast<std::uint32_t>(packet.extras.size() + packet.key.size() + value_bytes));
    append_u32(text, packet.opaque);
    append_u64(text, packet.cas);
    text.append(packet.extras).append(packet.key);
}

std::string_view words_of(BinaryStatus status) {
    switch (status) {
        case BinaryStatus::success:
            return "";
        case BinaryStatus::key_not_found:
            return "Not found";
        case BinaryStatus::key_exists:
            return "Data exists for key.";
        case BinaryStatus::too_large:
            return "Too large.";
        case BinaryStatus::invalid:
            return "Invalid arguments";
        case BinaryStatus::not_stored:
            return "Not stored.";
        case BinaryStatus::bad_delta:
            return "Non-numeric server-side value for incr or decr";
        case BinaryStatus::auth_error:
            return "Auth failure.";
        case BinaryStatus::auth_continue:
            return "";
        case BinaryStatus::unknown_command:
            return "Unknown command";
        case BinaryStatus::out_of_memory:
            return "Out of memory";
    }
    return "UNHANDLED ERROR";
}

}  // namespace tmm::caches::memcache
