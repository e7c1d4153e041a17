// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/transfer/shared_link.hpp"

#include <gtest/gtest.h>

namespace tmm::far {
namespace {

using Turn = SharedLink::Turn;

constexpr std::uint64_t fast = std::uint64_t{1} << 40;  // bytes a second
constexpr std::uint64_t slow = std::uint64_t{1} << 20;  // a page takes 4 ms

TEST(SharedLinkTest, CountsWhatEachProgramGot) {
    for (const std::uint64_t rate : {std::uint64_t{0}, fast}) {
        SharedLink link(rate, {}, {});
        const std::uint32_t one = link.add_program(1);
        link.carry(one, 4096);
        const std::uint32_t two = link.add_program(1);
        link.carry(two, 8192);
        link.carry(one, 4096);
        EXPECT_EQ(link.share(one).bytes, 8192U);
        EXPECT_EQ(link.share(one).all_bytes, 16384U);
        EXPECT_EQ(link.share(two).all_bytes, 12288U) << "of what came since it was there";
        link.remove_program(one);
        link.carry(two, 4096);
    }
}

TEST(SharedLinkTest, APrefetchThatWouldBeLateIsNotSent) {
    SharedLink link(fast, {}, {});
    const std::uint32_t program = link.add_program(1);
    Turn late(link, program, Urgency::prefetch, 4096, TimePoint());
    EXPECT_FALSE(late.look());
    EXPECT_TRUE(late.is_dropped());
    EXPECT_EQ(link.share(program).bytes, 0U);
    Turn early(link, program, Urgency::prefetch, 4096, TimePoint::max());
    early.wait();
    EXPECT_FALSE(early.is_dropped());
    SharedLink patient(fast, {}, {.drop_late = false});
    Turn other(patient, patient.add_program(1), Urgency::prefetch, 4096, TimePoint());
    other.wait();
    EXPECT_FALSE(other.is_dropped());
}

TEST(SharedLinkTest, MoreBytesThanOfATurnTakeSeveral) {
    SharedLink link(fast, {}, {});
    const std::uint32_t program = link.add_program(1);
    const std::uint32_t bytes = 3 * link.max_bytes() + 1;
    link.carry(program, bytes);
    EXPECT_EQ(link.share(program).bytes, bytes);
}

TEST(SharedLinkTest, ATurnEndsALatencyAfterItsStart) {
    constexpr std::chrono::milliseconds latency(5);
    for (const std::uint64_t rate : {std::uint64_t{0}, fast}) {
        SharedLink link(rate, latency, {});
        const std::uint32_t program = link.add_program(1);
        const TimePoint start = std::chrono::steady_clock::now();
        Turn one(link, program, Urgency::demand, 4096);
        Turn other(link, program, Urgency::demand, 4096);
        EXPECT_TRUE(one.look());
        one.wait();
        EXPECT_GE(std::chrono::steady_clock::now() - start, latency);
        EXPECT_EQ(link.share(program).bytes, 8192U) << "the other was sent meanwhile";
    }
}

TEST(SharedLinkTest, APrefetchIsGivenUpUnlessItWasSent) {
    for (const bool reissues : {true, false}) {
        SharedLink link(slow, {}, {.reissue = reissues});
        const std::uint32_t program = link.add_program(1);
        Turn sent(link, program, Urgency::prefetch, 4096, TimePoint::max());
        EXPECT_FALSE(sent.give_up(4096));
        Turn waits(link, program, Urgency::prefetch, 4096, TimePoint::max());
        EXPECT_TRUE(waits.look());
        EXPECT_EQ(waits.give_up(4096), reissues);
    }
}

TEST(SharedLinkTest, ATurnThatEndsLeavesTheQueue) {
    SharedLink link(slow, {}, {});
    const std::uint32_t program = link.add_program(1);
    Turn first(link, program, Urgency::demand, 4096);
    { const Turn forgotten(link, program, Urgency::demand, 4096); }
    link.carry(program, 4096);
    EXPECT_EQ(link.share(program).bytes, 8192U);
}

}  // namespace
}  // namespace tmm::far
