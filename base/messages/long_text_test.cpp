// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/messages/long_text.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm {
namespace {

TEST(LongText, ComesAsItWasSent) {
    const auto ends = MessageSocket::pair().value();
    EXPECT_EQ(receive_long(ends.second, no_wait).value(), std::nullopt);
    for (const std::size_t size : {std::size_t{1}, max_message_bytes, max_message_bytes + 1, std::size_t{3} << 20}) {
        std::string text(size, 'x');
        text.back() = 'y';
        ASSERT_TRUE(send_long(ends.first, text)) << size;
        EXPECT_TRUE(receive_long(ends.second, no_wait).value() == text) << size;
    }
    EXPECT_FALSE(send_long(ends.first, ""));
}

}  // namespace
}  // namespace tmm
