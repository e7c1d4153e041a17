// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/stores/memcached_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tmm::far::memcached {
namespace {

TEST(MemcachedTextTest, WritesCommands) {
    std::string text;
    append_set(text, "k", "value");
    append_get(text, std::vector<std::string>{"a", "b"});
    append_delete(text, "k");
    EXPECT_EQ(text, "set k 0 0 5\r\nvalue\r\nget a b\r\ndelete k\r\n");
}

TEST(MemcachedTextTest, ReadsReplies) {
    const std::string input = "VALUE k 0 7\r\nva\r\nlue\r\nEND\r\n";
    const Parsed value = parse_reply(input);
    ASSERT_TRUE(value.reply);
    EXPECT_EQ(value.reply->status, "VALUE");
    EXPECT_EQ(value.reply->key, "k");
    EXPECT_EQ(value.reply->value, "va\r\nlue");
    const Parsed end = parse_reply(std::string_view(input).substr(value.reply->bytes));
    ASSERT_TRUE(end.reply);
    EXPECT_EQ(end.reply->status, "END");
    EXPECT_EQ(parse_reply("SERVER_ERROR out of memory\r\n").reply->status, "SERVER_ERROR");
}

TEST(MemcachedTextTest, WaitsForTheRest) {
    const std::string input = "VALUE k 0 5\r\nvalue\r\n";
    for (std::size_t size = 0; size < input.size(); ++size) {
        const Parsed parsed = parse_reply(std::string_view(input).substr(0, size));
        EXPECT_FALSE(parsed.reply) << size;
        EXPECT_FALSE(parsed.is_broken) << size;
    }
}

TEST(MemcachedTextTest, FindsWhatIsBroken) {
    for (const std::string& input :
         {std::string("\r\n"), std::string("VALUE k 0 x\r\n"), std::string("VALUE k\r\n"), std::string("VALUE k 0 99999999\r\n"),
          std::string("VALUE k 0 1\r\nabc"), std::string(5000, 'a')})
        EXPECT_TRUE(parse_reply(input).is_broken) << input.substr(0, 40);
}

}  // namespace
}  // namespace tmm::far::memcached
