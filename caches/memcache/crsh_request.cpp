// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/crsh_request.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace tmm::caches::memcache {
namespace {

constexpr std::size_t max_message_bytes = 255;

}  // namespace

Parsed<CrshRequest> parse_crsh(std::string_view input, const Limits& limits) {
    Parsed<CrshRequest> result;
    result.wanted = 1;
    if (input.empty())
        return result;
    CrshRequest& request = result.request;
    request.verb = static_cast<CrshVerb>(input[0]);
    std::size_t at = 1;
    switch (request.verb) {
        case CrshVerb::stop:
        case CrshVerb::info:
            break;
        case CrshVerb::get:
        case CrshVerb::put:
        case CrshVerb::remove: {
            result.wanted = 2;
            if (input.size() < result.wanted)
                return result;
            const std::size_t key_bytes = static_cast<unsigned char>(input[1]);
            at += 1 + key_bytes;
            const bool has_value = request.verb == CrshVerb::put;
            result.wanted = at + (has_value ? 1 + sizeof(std::uint64_t) : 0);
            if (input.size() < result.wanted)
                return result;
            request.key = input.substr(2, key_bytes);
            if (!has_value)
                break;
            request.overwrite = (input[at] & 1) != 0;
            std::uint64_t value_bytes = 0;
            std::memcpy(&value_bytes, input.data() + at + 1, sizeof value_bytes);
            at = result.wanted;
            if (value_bytes > limits.max_value_bytes) {
                request.too_large = true;
                result.swallow_bytes = value_bytes;
                break;
            }
            result.wanted = at + value_bytes;
            if (input.size() < result.wanted)
                return result;
            request.value = input.substr(at, value_bytes);
            at = result.wanted;
            break;
        }
        default:
            result.step = Step::closed;
            return result;
    }
    result.step = Step::request;
    result.used = at;
    return result;
}

std::string_view crsh_greeting() {
    // Version 1; two capabilities: get, put and remove; info.
    static constexpr std::array<char, 4> bytes{1, 2, 0, 1};
    return {bytes.data(), bytes.size()};
}

void append_crsh_message(std::string& text, std::string_view message) {
    message = message.substr(0, max_message_bytes);
    text += static_cast<char>(message.size());
    text += message;
}

void append_crsh_value_header(std::string& text, std::uint64_t value_bytes) {
    text += static_cast<char>(CrshStatus::ok);
    std::array<char, sizeof value_bytes> bytes{};
    std::memcpy(bytes.data(), &value_bytes, sizeof value_bytes);
    text.append(bytes.data(), bytes.size());
}

}  // namespace tmm::caches::memcache
