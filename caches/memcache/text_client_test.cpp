// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/text_client.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "caches/memcache/text_request.hpp"

namespace tmm::caches::memcache {
namespace {

TEST(TextClientTest, WritesCommandsThatTheServerUnderstands) {
    std::string text;
    append_set(text, "k", "value");
    const auto set = parse_text(text, {});
    EXPECT_EQ(set.request.verb, TextVerb::set);
    EXPECT_EQ(set.request.value, "value");
    EXPECT_EQ(set.used, text.size());
    append_get(text, std::vector<std::string>{"a", "b"});
    append_delete(text, "k");
    EXPECT_EQ(text, "set k 0 0 5\r\nvalue\r\nget a b\r\ndelete k\r\n");
}

TEST(TextClientTest, ReadsReplies) {
    const std::string input = "VALUE k 0 7\r\nva\r\nlue\r\nEND\r\n";
    const auto value = parse_text_reply(input, {});
    ASSERT_EQ(value.step, Step::request);
    EXPECT_EQ(value.request.status, "VALUE");
    EXPECT_EQ(value.request.key, "k");
    EXPECT_EQ(value.request.value, "va\r\nlue");
    EXPECT_EQ(parse_text_reply(std::string_view(input).substr(value.used), {}).request.status, "END");
    EXPECT_EQ(parse_text_reply("SERVER_ERROR out of memory\r\n", {}).request.status, "SERVER_ERROR");
}

TEST(TextClientTest, WaitsForTheRest) {
    const std::string input = "VALUE k 0 5\r\nvalue\r\n";
    for (std::size_t size = 0; size < input.size(); ++size) {
        const auto parsed = parse_text_reply(std::string_view(input).substr(0, size), {});
        EXPECT_EQ(parsed.step, Step::incomplete) << size;
        EXPECT_TRUE(size < parsed.wanted && parsed.wanted <= input.size()) << size;
    }
}

TEST(TextClientTest, FindsWhatIsBroken) {
    for (const std::string& input :
         {std::string("\r\n"), std::string("VALUE k 0 x\r\n"), std::string("VALUE k\r\n"), std::string("VALUE k 0 99999999\r\n"),
          std::string("VALUE k 0 1\r\nabc"), std::string(5000, 'a')})
        EXPECT_EQ(parse_text_reply(input, {}).step, Step::closed) << input.substr(0, 40);
}

}  // namespace
}  // namespace tmm::caches::memcache
