// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/preload/maps_line.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

TEST(MapsLineTest, FindsPrivateAnonymousMemory) {
    const MapsLine heap = parse_maps_line("5581a000-5583b000 rw-p 00000000 00:00 0                          [heap]");
    EXPECT_EQ(heap.first, 0x5581a000U);
    EXPECT_EQ(heap.last, 0x5583b000U);
    EXPECT_TRUE(heap.is_private_anonymous);
    EXPECT_TRUE(parse_maps_line("7f00-7f01 rw-p 00000000 00:00 0 ").is_private_anonymous);
    EXPECT_TRUE(parse_maps_line("7f00-7f01 rw-p 00000000 00:00 0 [anon: arena]").is_private_anonymous);
}

TEST(MapsLineTest, LeavesAllOthersAlone) {
    for (const char* const line :
         {"7f00-7f01 rw-s 00000000 00:00 0 ", "7f00-7f01 r--p 00000000 00:00 0 ", "7f00-7f01 rwxp 00000000 00:00 0 ",
          "7ffc-7ffd rw-p 00000000 00:00 0 [stack]", "7f00-7f01 rw-p 00001000 08:01 1234 /lib/libc.so.6",
          "7f00-7f01 rw-p 00000000 00:01 99 /memfd:x (deleted)", "", "x", "7f00", "7f00-", "7f00-7f01", "-"})
        EXPECT_FALSE(parse_maps_line(line).is_private_anonymous) << line;
}

}  // namespace
}  // namespace tmm::far
