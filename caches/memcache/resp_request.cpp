// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/resp_request.hpp"

#include <algorithm>
#include <optional>

#include "caches/memcache/numbers.hpp"
#include "caches/memcache/text_request.hpp"

namespace tmm::caches::memcache {
namespace {

using Result = Parsed<RespRequest>;

// A line with the length of an array or of a word, at most.
constexpr std::size_t max_length_line_bytes = 32;
constexpr std::size_t line_end_bytes = 2;
// As Redis has it.
constexpr std::size_t max_bulk_bytes = std::size_t{512} * 1024 * 1024;

Result incomplete(Result result, std::size_t wanted) {
    result.step = Step::incomplete;
    result.wanted = wanted;
    return result;
}

// After such an error Redis closes the connection.
Result broken(Result result, std::string_view refusal) {
    result.step = Step::closed;
    result.refusal = refusal;
    return result;
}

// The line at an offset, without its end. Nothing while it has no end.
std::optional<std::string_view> line_at(std::string_view input, std::size_t at, std::size_t max_bytes) {
    const std::string_view rest = input.substr(at, max_bytes);
    const std::size_t end = rest.find("\r\n");
    if (end == std::string_view::npos)
        return std::nullopt;
    return rest.substr(0, end);
}

Result parse_inline(std::string_view input, const Limits& limits) {
    Result result;
    const std::size_t end = input.find('\n');
    if (std::min(end, input.size()) > limits.max_line_bytes)
        return broken(std::move(result), "-ERR Protocol error: too big inline request");
    if (end == std::string_view::npos)
        return incomplete(std::move(result), input.size() + 1);
    std::string_view line = input.substr(0, end);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
        if (result.request.words.size() == max_resp_words)
            return broken(std::move(result), "-ERR Protocol error: too big inline request");
        result.request.words.push_back(word);
    }
    result.step = Step::request;
    result.used = end + 1;
    return result;
}

}  // namespace

Parsed<RespRequest> parse_resp(std::string_view input, const Limits& limits) {
    Result result;
    if (input.empty())
        return incomplete(std::move(result), 1);
    if (input[0] != '*')
        return parse_inline(input, limits);
    const auto array_line = line_at(input, 1, max_length_line_bytes);
    if (!array_line)
        return input.size() > max_length_line_bytes ? broken(std::move(result), "-ERR Protocol error: invalid multibulk length")
                                                    : incomplete(std::move(result), input.size() + 1);
    const auto nr_words = parse_number<std::int64_t>(*array_line);
    if (!nr_words || *nr_words > static_cast<std::int64_t>(max_resp_words))
        return broken(std::move(result), "-ERR Protocol error: invalid multibulk length");
    std::size_t at = 1 + array_line->size() + line_end_bytes;
    std::size_t all_bytes = 0;
    for (std::int64_t i = 0; i < *nr_words; ++i) {
        // Each word that is still to come has at least five bytes.
        const std::size_t least_bytes = at + 5 * static_cast<std::size_t>(*nr_words - i);
        if (input.size() <= at)
            return incomplete(std::move(result), least_bytes);
        if (input[at] != '$')
            return broken(std::move(result), "-ERR Protocol error: expected '$'");
        const auto length_line = line_at(input, at + 1, max_length_line_bytes);
        if (!length_line)
            return input.size() - at > max_length_line_bytes
                       ? broken(std::move(result), "-ERR Protocol error: invalid bulk length")
                       : incomplete(std::move(result), std::max(least_bytes, input.size() + 1));
        const auto length = parse_number<std::uint32_t>(*length_line);
        if (!length || *length > max_bulk_bytes)
            return broken(std::move(result), "-ERR Protocol error: invalid bulk length");
        at += 1 + length_line->size() + line_end_bytes;
        all_bytes += *length;
        if (*length > limits.max_value_bytes || all_bytes > limits.max_value_bytes + limits.max_keys_line_bytes) {
            // Words behind it would be taken for a command.
            if (i + 1 != *nr_words)
                return broken(std::move(result), "-ERR Protocol error: too big bulk string");
            result.request.too_large = true;
            result.step = Step::request;
            result.used = at;
            result.swallow_bytes = *length + line_end_bytes;
            return result;
        }
        if (input.size() < at + *length + line_end_bytes)
            return incomplete(std::move(result), at + *length + line_end_bytes);
        result.request.words.push_back(input.substr(at, *length));
        at += *length + line_end_bytes;
    }
    result.step = Step::request;
    result.used = at;
    return result;
}

}  // namespace tmm::caches::memcache
