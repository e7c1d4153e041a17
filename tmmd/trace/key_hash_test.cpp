// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/key_hash.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tmm::trace {
namespace {

TEST(KeyHash, IsSipHash) {
    // The reference implementation's vector for the message 00 01 ... 07 with the key 00 01 ... 0f.
    constexpr KeyHash hash(0x0706050403020100, 0x0f0e0d0c0b0a0908);
    static_assert(hash(0x0706050403020100) == 0x93f5f5799a932462);
}

TEST(KeyHash, KeepsKeysApart) {
    constexpr KeyHash hash(1, 2);
    std::set<core::PageKey> keys;
    for (core::PageKey key = 0; key < 10'000; ++key)
        keys.insert(hash(key));
    EXPECT_EQ(keys.size(), 10'000U);
}

TEST(KeyHash, EachRecordingHasItsOwn) {
    const auto one = KeyHash::random();
    const auto other = KeyHash::random();
    ASSERT_TRUE(one && other);
    EXPECT_EQ((*one)(7), (*one)(7));
    EXPECT_NE((*one)(7), (*other)(7));
}

}  // namespace
}  // namespace tmm::trace
