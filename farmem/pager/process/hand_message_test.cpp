// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/process/hand_message.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

bool is_taken(const HandMessage& message, std::size_t bytes) {
    return parse_hand_message({reinterpret_cast<const char*>(&message), bytes}, 1000).has_value();
}

HandMessage present(HandRange range) {
    HandMessage message{};
    message.kind = MessageKind::present;
    message.count = 1;
    message.ranges[0] = range;
    return message;
}

constexpr std::size_t one_range = message_header_bytes + sizeof(HandRange);

TEST(HandMessageTest, TakesWhatAHandSays) {
    HandMessage message{};
    message.kind = MessageKind::size;
    message.number = 12;
    EXPECT_TRUE(is_taken(message, message_header_bytes));
    message.kind = MessageKind::done;
    message.count = nr_batches - 1;
    EXPECT_TRUE(is_taken(message, message_header_bytes));
    EXPECT_TRUE(is_taken(present({4096, 1001 * 4096}), one_range));
}

TEST(HandMessageTest, RefusesWhatWouldHarmThePager) {
    HandMessage message{};
    EXPECT_FALSE(is_taken(message, 0));
    EXPECT_FALSE(is_taken(message, message_header_bytes - 1));
    EXPECT_FALSE(is_taken(message, message_header_bytes));
    message.kind = MessageKind::evict;
    EXPECT_FALSE(is_taken(message, message_header_bytes));
    message.kind = MessageKind::done;
    message.count = nr_batches;
    EXPECT_FALSE(is_taken(message, message_header_bytes));
    EXPECT_FALSE(is_taken(present({4096, 8192}), one_range - 1));
    for (const HandRange range : {HandRange{4096, 4096}, HandRange{8192, 4096}, HandRange{1, 4096}, HandRange{4096, 4097},
                                  HandRange{0, 1001 * 4096}, HandRange{0, ~std::uint64_t{0} - 4095}})
        EXPECT_FALSE(is_taken(present(range), one_range)) << range.first << " " << range.last;
    HandMessage many = present({4096, 8192});
    many.count = HandMessage::max_ranges + 1;
    EXPECT_FALSE(is_taken(many, sizeof many));
}

}  // namespace
}  // namespace tmm::far
