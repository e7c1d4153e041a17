// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/sip_hash.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches {
namespace {

// The secret and the texts are those of the paper's vectors for SipHash-2-4. Another program, which computes these, made the
// hashes.
TEST(SipHash, IsSipHash13) {
    const HashSecret secret{0x0706'0504'0302'0100U, 0x0f0e'0d0c'0b0a'0908U};
    std::string text;
    for (char i = 0; i < 15; ++i) {
        text += i;
    }
    EXPECT_EQ(sip_hash(text.substr(0, 0), secret), 0xabac'0158'050f'c4dcU);
    EXPECT_EQ(sip_hash(text.substr(0, 1), secret), 0xc9f4'9bf3'7d57'ca93U);
    EXPECT_EQ(sip_hash(text.substr(0, 8), secret), 0x3690'9511'8d29'9a8eU);
    EXPECT_EQ(sip_hash(text, secret), 0xd320'd86d'2a51'9956U);
}

TEST(SipHash, DependsOnTheSecret) {
    EXPECT_NE(sip_hash("key", {1, 2}), sip_hash("key", {1, 3}));
}

}  // namespace
}  // namespace tmm::caches
