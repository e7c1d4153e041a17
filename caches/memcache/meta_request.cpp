// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/meta_request.hpp"

#include <utility>

#include "caches/memcache/base64.hpp"
#include "caches/memcache/numbers.hpp"
#include "caches/memcache/parsed.hpp"
#include "caches/memcache/text_request.hpp"

namespace tmm::caches::memcache {
namespace {

constexpr std::string_view bad_token = "CLIENT_ERROR bad token in command line format";

template <typename Number>
std::optional<std::string_view> read(std::string_view token, Number& number, std::string_view error) {
    const auto parsed = parse_number<Number>(token);
    if (!parsed)
        return error;
    number = *parsed;
    return std::nullopt;
}

std::optional<std::string_view> read_time(std::string_view token, std::int64_t& time) {
    std::int32_t seconds = 0;
    const auto error = read(token, seconds, bad_token);
    time = seconds;
    return error;
}

std::optional<std::string_view> decode_key(MetaRequest& request) {
    auto key = decode_base64(request.sent_key);
    if (!key || key->empty())
        return "CLIENT_ERROR error decoding key";
    request.decoded_key = std::move(*key);
    return std::nullopt;
}

std::optional<std::string_view> read_flag(MetaRequest& request, std::string_view flag) {
    const std::string_view token = flag.substr(1);
    switch (flag.front()) {
        case 'b':
            return decode_key(request);
        case 'N':
            return read_time(token, request.vivify_expiry);
        case 'T':
            return read_time(token, request.expiry);
        case 'R':
            return read_time(token, request.recache_below);
        case 'F':
            return read(token, request.client_flags, bad_token);
        case 'C':
            return read(token, request.compare_cas, bad_token);
        case 'E':
            return read(token, request.new_cas, bad_token);
        case 'J':
            return read(token, request.initial, "CLIENT_ERROR invalid numeric initial value");
        case 'D':
            return read(token, request.delta, "CLIENT_ERROR invalid numeric delta value");
        case 'M':
            if (token.size() != 1)
                return "CLIENT_ERROR incorrect length for M token";
            request.mode = token.front();
            return std::nullopt;
        case 'O':
            if (flag.size() > max_opaque_bytes)
                return "CLIENT_ERROR opaque token too long";
            return std::nullopt;
        case 'P':  // these two are for proxies
        case 'L':
        case 'I':
        case 'c':
        case 'f':
        case 'h':
        case 'k':
        case 'l':
        case 'q':
        case 's':
        case 't':
        case 'u':
        case 'v':
        case 'x':
            return std::nullopt;
        default:
            return "CLIENT_ERROR invalid flag";
    }
}

}  // namespace

std::optional<std::string_view> parse_meta_flags(MetaRequest& request, std::string_view flags) {
    for (std::string_view flag = take_word(flags); !flag.empty(); flag = take_word(flags)) {
        const auto letter = static_cast<unsigned char>(flag.front());
        if (request.nr_flags == max_meta_flags)
            return "CLIENT_ERROR options flags are too long";
        if (letter >= request.has.size() || request.has[letter])
            return "CLIENT_ERROR duplicate flag";
        request.has.set(letter);
        request.flags[request.nr_flags++] = flag;
        if (const auto error = read_flag(request, flag))
            return error;
    }
    return std::nullopt;
}

}  // namespace tmm::caches::memcache
