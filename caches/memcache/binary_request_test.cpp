// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/binary_request.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches::memcache {
namespace {

constexpr Limits limits{.max_value_bytes = 100};

std::string packet_of(BinaryOpcode opcode, std::string_view extras, std::string_view key, std::string_view value,
                      unsigned char magic = binary_request_magic) {
    BinaryPacket packet;
    packet.opcode = opcode;
    packet.opaque = 0x01020304;
    packet.cas = 0x1122334455667788;
    packet.extras = extras;
    packet.key = key;
    std::string text;
    append_binary(text, magic, packet, value.size());
    return text.append(value);
}

TEST(BinaryRequest, ReadsWhatIsWritten) {
    const std::string bytes = packet_of(BinaryOpcode::set, "12345678", "key", "value");
    for (std::size_t size = 0; size < bytes.size(); ++size)
        ASSERT_EQ(parse_binary(bytes.substr(0, size), limits).step, Step::incomplete);
    const std::string more = bytes + "more";
    const auto parsed = parse_binary(more, limits);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.used, bytes.size());
    const BinaryPacket& packet = parsed.request.packet;
    EXPECT_EQ(packet.opcode, BinaryOpcode::set);
    EXPECT_EQ(packet.opaque, 0x01020304U);
    EXPECT_EQ(packet.cas, 0x1122334455667788U);
    EXPECT_EQ(packet.extras, "12345678");
    EXPECT_EQ(packet.key, "key");
    EXPECT_EQ(packet.value, "value");
}

TEST(BinaryRequest, ReadsReplies) {
    const std::string bytes = packet_of(BinaryOpcode::get, "1234", "", "value", binary_reply_magic);
    const auto parsed = parse_binary_reply(bytes, limits);
    ASSERT_EQ(parsed.step, Step::request);
    EXPECT_EQ(parsed.request.value, "value");
    EXPECT_EQ(parse_binary_reply(packet_of(BinaryOpcode::get, "", "", ""), limits).step, Step::closed);
    EXPECT_EQ(parse_binary_reply(packet_of(BinaryOpcode::get, "", "", std::string(1000, 'v'), binary_reply_magic), limits).step,
              Step::closed);
}

TEST(BinaryRequest, ClosesOnContradictingLengths) {
    std::string bytes = packet_of(BinaryOpcode::get, "", "key", "");
    bytes[11] = 2;  // the body is shorter than its key
    EXPECT_EQ(parse_binary(bytes, limits).step, Step::closed);
    EXPECT_EQ(parse_binary("\x81", limits).step, Step::closed);
}

TEST(BinaryRequest, SwallowsWhatIsTooLarge) {
    const std::string bytes = packet_of(BinaryOpcode::set, "12345678", "key", std::string(101, 'v'));
    const auto value = parse_binary(bytes, limits);
    ASSERT_EQ(value.step, Step::request);
    EXPECT_EQ(value.request.frame, BinaryStatus::too_large);
    EXPECT_EQ(value.request.packet.key, "key");
    EXPECT_EQ(value.swallow_bytes, 101U);
    const auto key = parse_binary(packet_of(BinaryOpcode::get, "", std::string(251, 'k'), ""), limits);
    ASSERT_EQ(key.step, Step::request);
    EXPECT_EQ(key.request.frame, BinaryStatus::invalid);
    EXPECT_EQ(key.used, binary_header_bytes);
    EXPECT_EQ(key.swallow_bytes, 251U);
}

TEST(BinaryRequest, KnowsQuietCommands) {
    EXPECT_EQ(plain_opcode(BinaryOpcode::gatkq).opcode, BinaryOpcode::gatk);
    EXPECT_TRUE(plain_opcode(BinaryOpcode::setq).quiet);
    EXPECT_FALSE(plain_opcode(BinaryOpcode::set).quiet);
}

}  // namespace
}  // namespace tmm::caches::memcache
