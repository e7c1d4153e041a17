// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/memcached_text.hpp"

#include "base/units.hpp"

namespace tmm::far::memcached {

namespace {

constexpr std::string_view line_end = "\r\n";
constexpr std::size_t max_line = 1024;

std::string_view take_word(std::string_view& line) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    return word;
}

}  // namespace

void append_set(std::string& out, std::string_view key, std::string_view value) {
    out.append("set ").append(key).append(" 0 0 ").append(std::to_string(value.size())).append(line_end);
    out.append(value).append(line_end);
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

Parsed parse_reply(std::string_view input) {
    const std::size_t end = input.substr(0, max_line).find(line_end);
    if (end == input.npos)
        return {.is_broken = input.size() >= max_line, .reply = {}};
    std::string_view line = input.substr(0, end);
    Reply reply;
    reply.bytes = end + line_end.size();
    reply.status = take_word(line);
    if (reply.status != "VALUE")
        return {.is_broken = reply.status.empty(), .reply = reply};
    reply.key = take_word(line);
    take_word(line);  // flags
    const auto bytes = parse_uint(take_word(line));
    if (!bytes || *bytes > max_value_bytes)
        return {.is_broken = true, .reply = {}};
    if (input.size() < reply.bytes + *bytes + line_end.size())
        return {};
    reply.value = input.substr(reply.bytes, *bytes);
    reply.bytes += *bytes;
    if (input.substr(reply.bytes, line_end.size()) != line_end)
        return {.is_broken = true, .reply = {}};
    reply.bytes += line_end.size();
    return {.is_broken = false, .reply = reply};
}

}  // namespace tmm::far::memcached
