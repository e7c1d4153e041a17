// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/shared_link.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

constexpr std::uint64_t fast = std::uint64_t{1} << 40;  // bytes a second

TEST(SharedLinkTest, CountsWhatEachProgramGot) {
    for (const std::uint64_t rate : {std::uint64_t{0}, fast}) {
        SharedLink link(rate, {});
        const std::uint32_t one = link.add_program(1);
        EXPECT_TRUE(link.wait_turn(one, Urgency::demand, 4096));
        const std::uint32_t two = link.add_program(1);
        EXPECT_TRUE(link.wait_turn(two, Urgency::demand, 8192));
        EXPECT_TRUE(link.wait_turn(one, Urgency::demand, 4096));
        EXPECT_EQ(link.share(one).bytes, 8192U);
        EXPECT_EQ(link.share(one).all_bytes, 16384U);
        EXPECT_EQ(link.share(two).all_bytes, 12288U) << "of what came since it was there";
        link.remove_program(one);
        EXPECT_TRUE(link.wait_turn(two, Urgency::demand, 4096));
    }
}

TEST(SharedLinkTest, APrefetchThatWouldBeLateIsNotSent) {
    SharedLink link(fast, {});
    const std::uint32_t program = link.add_program(1);
    EXPECT_FALSE(link.wait_turn(program, Urgency::prefetch, 4096, TimePoint()));
    EXPECT_EQ(link.share(program).bytes, 0U);
    EXPECT_TRUE(link.wait_turn(program, Urgency::prefetch, 4096, TimePoint::max()));
    SharedLink patient(fast, {.drop_late = false});
    EXPECT_TRUE(patient.wait_turn(patient.add_program(1), Urgency::prefetch, 4096, TimePoint()));
}

TEST(SharedLinkTest, MoreBytesThanOfATurnTakeSeveral) {
    SharedLink link(fast, {});
    const std::uint32_t program = link.add_program(1);
    const std::uint32_t bytes = 3 * link.max_bytes() + 1;
    EXPECT_TRUE(link.wait_turn(program, Urgency::demand, bytes));
    EXPECT_EQ(link.share(program).bytes, bytes);
}

TEST(SharedLinkTest, HurryingWithoutAPrefetchDoesNothing) {
    SharedLink link(fast, {});
    const std::uint32_t program = link.add_program(1);
    EXPECT_FALSE(link.hurry(program));
    EXPECT_TRUE(link.wait_turn(program, Urgency::demand, 4096));
}

}  // namespace
}  // namespace tmm::far
