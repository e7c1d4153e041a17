// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/record.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tmm::caches {
namespace {

TEST(Record, ComesBackAsItWas) {
    for (const std::string& value : {std::string(), std::string("value"), std::string(100'000, 'x')}) {
        for (const std::string& key : {std::string("k"), std::string(max_key_bytes, 'k')}) {
            for (const std::uint64_t cas :
                 {std::uint64_t{1}, (std::uint64_t{1} << 48U) - 1, std::uint64_t{1} << 48U, UINT64_MAX}) {
                for (const std::uint32_t flags : {0U, 7U, UINT32_MAX}) {
                    Buffer record(value);
                    append_trailer(record, {key, cas, flags, nr_generations - 1});
                    const auto parsed = parse_record(record.view());
                    ASSERT_TRUE(parsed);
                    EXPECT_EQ(record.view().substr(0, parsed->value_bytes), value);
                    EXPECT_EQ(parsed->trailer.key, key);
                    EXPECT_EQ(parsed->trailer.cas, cas);
                    EXPECT_EQ(parsed->trailer.flags, flags);
                    EXPECT_EQ(parsed->trailer.generation, nr_generations - 1);
                }
            }
        }
    }
}

TEST(Record, TakesFewBytesBesidesKeyAndValue) {
    Buffer record(std::string_view("value"));
    append_trailer(record, {"key", 1, 0, 0});
    EXPECT_EQ(record.size(), 5U + 3 + 8);
}

TEST(Record, RefusesWhatIsNone) {
    EXPECT_FALSE(parse_record(""));
    EXPECT_FALSE(parse_record("x"));
    EXPECT_FALSE(parse_record(std::string("\xff\0", 2)));
    EXPECT_FALSE(parse_record(std::string(20, '\xff')));
}

TEST(Buffer, CopiesAndGrows) {
    Buffer buffer(std::string_view("ab"), 2);
    EXPECT_EQ(buffer.capacity(), 4U);
    const char* before = buffer.data();
    buffer.append("cd");
    EXPECT_EQ(buffer.data(), before);
    buffer.append("e");
    EXPECT_EQ(buffer.view(), "abcde");
    Buffer other = std::move(buffer);
    EXPECT_EQ(other.view(), "abcde");
    EXPECT_EQ(buffer.size(), 0U);
    EXPECT_EQ(buffer.view(), "");
}

}  // namespace
}  // namespace tmm::caches
