// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/crsh_request.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace tmm::caches::memcache {
namespace {

constexpr Limits limits{.max_value_bytes = 100};

std::string put(std::uint64_t value_bytes, std::string_view value) {
    std::string text("\1\3key\1", 6);
    char length[sizeof value_bytes];
    std::memcpy(length, &value_bytes, sizeof value_bytes);
    return text.append(length, sizeof length).append(value);
}

TEST(CrshRequest, ReadsAPut) {
    const std::string input = put(5, "value");
    for (std::size_t size = 0; size < input.size(); ++size) {
        const auto parsed = parse_crsh(input.substr(0, size), limits);
        ASSERT_EQ(parsed.step, Step::incomplete);
        ASSERT_GT(parsed.wanted, size);
    }
    const std::string more = input + "\4";
    const auto parsed = parse_crsh(more, limits);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.used, input.size());
    EXPECT_EQ(parsed.request.verb, CrshVerb::put);
    EXPECT_EQ(parsed.request.key, "key");
    EXPECT_EQ(parsed.request.value, "value");
    EXPECT_TRUE(parsed.request.overwrite);
}

TEST(CrshRequest, ReadsShortRequests) {
    EXPECT_EQ(parse_crsh(std::string("\0\3key", 5), limits).request.key, "key");
    EXPECT_EQ(parse_crsh(std::string("\2\0", 2), limits).request.verb, CrshVerb::remove);
    EXPECT_EQ(parse_crsh("\3", limits).request.verb, CrshVerb::stop);
    EXPECT_EQ(parse_crsh("\4", limits).used, 1U);
}

TEST(CrshRequest, SwallowsAValueThatIsTooLarge) {
    const auto parsed = parse_crsh(put(UINT64_MAX, ""), limits);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_TRUE(parsed.request.too_large);
    EXPECT_EQ(parsed.swallow_bytes, UINT64_MAX);
}

TEST(CrshRequest, ClosesOnUnknownRequests) {
    EXPECT_EQ(parse_crsh("\5", limits).step, Step::closed);
}

TEST(CrshRequest, CutsLongMessages) {
    std::string text;
    append_crsh_message(text, std::string(300, 'm'));
    EXPECT_EQ(text.size(), 256U);
    EXPECT_EQ(static_cast<unsigned char>(text[0]), 255);
}

}  // namespace
}  // namespace tmm::caches::memcache
