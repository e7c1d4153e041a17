// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/text_client.hpp"

#include <cstdint>

#include "caches/memcache/numbers.hpp"
#include "caches/memcache/text_request.hpp"

namespace tmm::caches::memcache {
namespace {

constexpr std::string_view line_end = "\r\n";

}  // namespace

void append_set(std::string& out, std::string_view key, std::string_view value) {
    out.append("set ").append(key).append(" 0 0 ");
    append_number(out, value.size());
    out.append(line_end).append(value).append(line_end);
}

void append_get(std::string& out, std::span<const std::string> keys) {
    out.append("get");
    for (const std::string& key : keys)
        out.append(" ").append(key);
    out.append(line_end);
}

void append_delete(std::string& out, std::string_view key) {
    out.append("delete ").append(key).append(line_end);
}

Parsed<TextReply> parse_text_reply(std::string_view input, const Limits& limits) {
    Parsed<TextReply> result;
    const auto closed = [&] {
        result.step = Step::closed;
        return result;
    };
    const std::size_t end = input.substr(0, limits.max_line_bytes).find(line_end);
    result.wanted = input.size() + 1;
    if (end == input.npos)
        return input.size() < limits.max_line_bytes ? result : closed();
    std::string_view line = input.substr(0, end);
    result.used = end + line_end.size();
    result.request.status = take_word(line);
    if (result.request.status.empty())
        return closed();
    if (result.request.status == "VALUE") {
        result.request.key = take_word(line);
        take_word(line);  // flags
        const auto bytes = parse_number<std::uint64_t>(take_word(line));
        if (!bytes || *bytes > limits.max_value_bytes)
            return closed();
        result.request.value = input.substr(result.used, *bytes);
        result.used += *bytes;
        result.wanted = result.used + line_end.size();
        if (input.size() < result.wanted)
            return result;
        if (input.substr(result.used, line_end.size()) != line_end)
            return closed();
        result.used = result.wanted;
    }
    result.step = Step::request;
    return result;
}

}  // namespace tmm::caches::memcache
