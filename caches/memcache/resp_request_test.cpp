// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/resp_request.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches::memcache {
namespace {

using Words = std::vector<std::string_view>;

Parsed<RespRequest> parse_request(std::string_view input) {
    return parse_resp(input, {.max_value_bytes = 100, .max_keys_line_bytes = 200});
}

TEST(RespRequest, ReadsAnArray) {
    const std::string input = "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$4\r\na\r\nb\r\n";
    for (std::size_t size = 0; size < input.size(); ++size) {
        const auto parsed = parse_request(input.substr(0, size));
        ASSERT_EQ(parsed.step, Step::incomplete) << size;
        ASSERT_GT(parsed.wanted, size);
        ASSERT_LE(parsed.wanted, input.size());
    }
    const std::string more = input + "*";
    const auto parsed = parse_request(more);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.used, input.size());
    EXPECT_EQ(parsed.request.words, (Words{"SET", "k", "a\r\nb"}));
}

TEST(RespRequest, ReadsALine) {
    EXPECT_EQ(parse_request("PING  now\r\n").request.words, (Words{"PING", "now"}));
    EXPECT_TRUE(parse_request("\r\n").request.words.empty());
}

TEST(RespRequest, SwallowsAValueThatIsTooLarge) {
    const auto parsed = parse_request("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$101\r\n");
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_TRUE(parsed.request.too_large);
    EXPECT_EQ(parsed.request.words, (Words{"SET", "k"}));
    EXPECT_EQ(parsed.swallow_bytes, 103U);
}

TEST(RespRequest, ClosesOnWhatItCannotUnderstand) {
    for (const char* const input : {"*x\r\n", "*99999999\r\n", "*1\r\n+OK\r\n", "*1\r\n$-1\r\n", "*1\r\n$99999999999\r\n",
                                    "*2\r\n$101\r\n", "*00000000000000000000000000000000001\r\n"})
        EXPECT_EQ(parse_request(input).step, Step::closed) << input;
    EXPECT_EQ(parse_request("*0\r\n").step, Step::request);
    EXPECT_EQ(parse_request("*-1\r\n").step, Step::request);
}

TEST(RespRequest, BoundsAllWordsTogether) {
    std::string input = "*5\r\n";
    for (int i = 0; i < 5; ++i)
        input += "$90\r\n" + std::string(90, 'k') + "\r\n";
    const auto parsed = parse_request(input);
    EXPECT_EQ(parsed.step, Step::closed);
}

}  // namespace
}  // namespace tmm::caches::memcache
