// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/text_request.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches::memcache {
namespace {

Parsed<TextRequest> parse_request(std::string_view input) {
    return parse_text(input, Limits{.max_value_bytes = 100});
}

// What the client reads after an error; "closed" if the connection ends.
std::string refusal_of(std::string_view input) {
    const auto parsed = parse_request(input);
    return parsed.step == Step::refused ? std::string(parsed.refusal) : parsed.step == Step::closed ? "closed" : "no error";
}

TEST(TextRequest, ReadsASet) {
    const auto parsed = parse_request("set key 7 -1 5 noreply\r\nvalue\r\nget key\r\n");
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.used, 31U);
    EXPECT_EQ(parsed.request.verb, TextVerb::set);
    EXPECT_EQ(parsed.request.key, "key");
    EXPECT_EQ(parsed.request.flags, 7U);
    EXPECT_EQ(parsed.request.expiry, -1);
    EXPECT_EQ(parsed.request.value, "value");
    EXPECT_TRUE(parsed.request.noreply);
}

TEST(TextRequest, WaitsForTheWholeValue) {
    const std::string request = "cas key 0 0 5 18446744073709551615\r\nv\r\nx\n\r\n";
    for (std::size_t size = 0; size < request.size(); ++size) {
        const auto parsed = parse_request(request.substr(0, size));
        ASSERT_EQ(parsed.step, Step::incomplete) << size;
        ASSERT_GT(parsed.wanted, size);
        ASSERT_LE(parsed.wanted, request.size());
    }
    const auto parsed = parse_request(request);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.request.value, "v\r\nx\n");
    EXPECT_EQ(parsed.request.number, 18446744073709551615U);
}

TEST(TextRequest, TakesTheKeysOfAGetAsTheyAre) {
    const auto parsed = parse_request("  get  one two \r\n");
    ASSERT_EQ(parsed.step, Step::request);
    std::string_view keys = parsed.request.arguments;
    EXPECT_EQ(take_word(keys), "one");
    EXPECT_EQ(take_word(keys), "two");
    EXPECT_EQ(take_word(keys), "");
}

TEST(TextRequest, ReadsGetAndTouch) {
    const auto parsed = parse_request("gats -5 one two\n");
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.request.verb, TextVerb::gats);
    EXPECT_EQ(parsed.request.expiry, -5);
    EXPECT_EQ(refusal_of("gat 5\r\n"), "ERROR");
    EXPECT_EQ(refusal_of("gat x key\r\n"), "CLIENT_ERROR invalid exptime argument");
}

TEST(TextRequest, SwallowsAValueThatIsTooLarge) {
    const auto parsed = parse_request("set key 0 0 101\r\n");
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_TRUE(parsed.request.too_large);
    EXPECT_EQ(parsed.swallow_bytes, 103U);
}

TEST(TextRequest, RefusesAValueWithoutItsEnd) {
    const auto parsed = parse_request("set key 0 0 2\r\nabcd");
    ASSERT_EQ(parsed.step, Step::refused);
    EXPECT_EQ(parsed.refusal, "CLIENT_ERROR bad data chunk");
    EXPECT_EQ(parsed.used, 19U);
}

TEST(TextRequest, RefusesNumbersThatAreNone) {
    constexpr auto bad = "CLIENT_ERROR bad command line format";
    EXPECT_EQ(refusal_of("set key 0 0 -1\r\n"), bad);
    EXPECT_EQ(refusal_of("set key 0 0 2147483647\r\n"), bad);
    EXPECT_EQ(refusal_of("set key 0 0 99999999999999999999\r\n"), bad);
    EXPECT_EQ(refusal_of("set key -1 0 1\r\n"), bad);
    EXPECT_EQ(refusal_of("set key 4294967296 0 1\r\n"), bad);
    EXPECT_EQ(refusal_of("set key 0 2147483648 1\r\n"), bad);
    EXPECT_EQ(refusal_of("set key 0 0 1x\r\n"), bad);
    EXPECT_EQ(refusal_of("cas key 0 0 1 18446744073709551616\r\n"), bad);
    EXPECT_EQ(refusal_of("incr key -1\r\n"), "CLIENT_ERROR invalid numeric delta argument");
    EXPECT_EQ(refusal_of("touch key soon\r\n"), "CLIENT_ERROR invalid exptime argument");
    EXPECT_EQ(refusal_of("set key 0 0 1x noreply\r\n"), "");
}

TEST(TextRequest, RefusesKeysThatAreTooLong) {
    const std::string key(max_key_bytes + 1, 'k');
    for (const char* const command : {"get ", "gets a ", "delete ", "touch "})
        EXPECT_EQ(refusal_of(command + key + (command[0] == 't' ? " 0\r\n" : "\r\n")), "CLIENT_ERROR bad command line format");
    EXPECT_EQ(parse_request("get " + key.substr(1) + "\r\n").step, Step::request);
}

TEST(TextRequest, CountsWords) {
    for (const char* const line :
         {"\r\n", "\n", "   \r\n", "get\r\n", "set\r\n", "set a 0 0\r\n", "set a 0 0 1 noreply x\r\n", "incr a\r\n", "delete\r\n",
          "nothing\r\n", "GET a\r\n", "verbosity\r\n", "flush_all 1 2 3\r\n", "mg\r\n", "m\r\n"})
        EXPECT_EQ(refusal_of(line), "ERROR") << line;
}

TEST(TextRequest, TakesTheZeroOfOldDeletes) {
    EXPECT_EQ(parse_request("delete key 0\r\n").step, Step::request);
    EXPECT_EQ(parse_request("delete key 0 noreply\r\n").step, Step::request);
    EXPECT_TRUE(parse_request("delete key noreply\r\n").request.noreply);
    EXPECT_NE(refusal_of("delete key 5\r\n"), "no error");
}

TEST(TextRequest, ClosesOnLinesWithoutEnd) {
    EXPECT_EQ(parse_request(std::string(2048, 'x')).step, Step::incomplete);
    EXPECT_EQ(refusal_of(std::string(2049, 'x')), "closed");
    EXPECT_EQ(parse_request("gets " + std::string(100000, 'x')).step, Step::incomplete);
    EXPECT_EQ(refusal_of("get " + std::string(2000000, 'x')), "closed");
    EXPECT_EQ(refusal_of("GET / HTTP/1.1\r\n"), "closed");
}

TEST(TextRequest, ReadsFlagsOfMetaCommands) {
    const auto parsed = parse_request("mg key v t T30 Oabc k\r\n");
    ASSERT_EQ(parsed.step, Step::request);
    const MetaRequest& meta = parsed.request.meta.value();
    EXPECT_EQ(meta.verb, MetaVerb::get);
    EXPECT_EQ(meta.key(), "key");
    EXPECT_EQ(meta.expiry, 30);
    ASSERT_EQ(meta.nr_flags, 5U);
    EXPECT_EQ(meta.flags[3], "Oabc");
    EXPECT_TRUE(meta.flag('v'));
    EXPECT_FALSE(meta.flag('q'));
}

TEST(TextRequest, DecodesBinaryKeysOfMetaCommands) {
    const auto parsed = parse_request("mg AAEC b\r\n");
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.request.meta->key(), std::string_view("\0\1\2", 3));
    EXPECT_EQ(refusal_of("mg AAE b\r\n"), "CLIENT_ERROR error decoding key");
    EXPECT_EQ(refusal_of("mg ==== b\r\n"), "CLIENT_ERROR error decoding key");
}

TEST(TextRequest, SwallowsTheValueAfterAFaultInAMetaSet) {
    const auto parsed = parse_request("ms key 10 T\r\n");
    ASSERT_EQ(parsed.step, Step::refused);
    EXPECT_EQ(parsed.refusal, "CLIENT_ERROR bad token in command line format");
    EXPECT_EQ(parsed.swallow_bytes, 12U);
}

TEST(TextRequest, RefusesMetaFlagsThatAreNone) {
    EXPECT_EQ(refusal_of("mg key ! v\r\n"), "CLIENT_ERROR invalid flag");
    EXPECT_EQ(refusal_of("mg key v v\r\n"), "CLIENT_ERROR duplicate flag");
    EXPECT_EQ(refusal_of("mg key \xff\r\n"), "CLIENT_ERROR duplicate flag");
    EXPECT_EQ(refusal_of("mg key T99999999999\r\n"), "CLIENT_ERROR bad token in command line format");
    EXPECT_EQ(refusal_of("mg key O" + std::string(32, 'o') + "\r\n"), "CLIENT_ERROR opaque token too long");
    EXPECT_EQ(refusal_of("md key q q\r\n"), "CLIENT_ERROR invalid or duplicate flag");
    EXPECT_EQ(refusal_of("ms key -5\r\n"), "CLIENT_ERROR bad command line format");
    EXPECT_EQ(refusal_of("mg key" + std::string(" a b c d e f g h i j k l m n o p q r s t u") + "\r\n"),
              "CLIENT_ERROR invalid flag");
}

}  // namespace
}  // namespace tmm::caches::memcache
