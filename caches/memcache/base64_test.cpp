// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/memcache/base64.hpp"

#include <gtest/gtest.h>

namespace tmm::caches::memcache {
namespace {

TEST(Base64, HasTheVectorsOfRfc4648) {
    const std::pair<std::string, std::string> vectors[]{{"", ""},
                                                        {"f", "Zg=="},
                                                        {"fo", "Zm8="},
                                                        {"foo", "Zm9v"},
                                                        {"foob", "Zm9vYg=="},
                                                        {"fooba", "Zm9vYmE="},
                                                        {"foobar", "Zm9vYmFy"}};
    for (const auto& [bytes, text] : vectors) {
        EXPECT_EQ(encode_base64(bytes), text);
        EXPECT_EQ(decode_base64(text), bytes);
    }
    EXPECT_EQ(decode_base64(encode_base64("\xff\xfe\xfd")), "\xff\xfe\xfd");
}

TEST(Base64, RefusesOtherText) {
    for (const char* const text : {"Zg=", "Zg", "Z===", "Zg==Zg==", "Zm9 ", "Zm9\n"})
        EXPECT_FALSE(decode_base64(text).has_value()) << text;
}

}  // namespace
}  // namespace tmm::caches::memcache
