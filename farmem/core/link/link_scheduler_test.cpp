// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/link/link_scheduler.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tmm::far {

namespace {

using std::chrono::microseconds;

class LinkSchedulerTest : public testing::Test {
protected:
    RequestId demand(std::uint32_t program, std::uint64_t tag, std::uint32_t bytes = 4096) {
        return scheduler_.submit({program, Urgency::demand, bytes, {}, tag});
    }
    RequestId prefetch(std::uint32_t program, std::uint64_t tag, microseconds deadline = std::chrono::hours(1)) {
        return scheduler_.submit({program, Urgency::prefetch, 4096, TimePoint(deadline), tag});
    }
    // Returns the tag of the next request; 0 if there is none.
    std::uint64_t next(microseconds now = {}) {
        const auto request = scheduler_.next(TimePoint(now), microseconds(10), dropped_);
        return request ? request->tag : 0;
    }

    LinkScheduler scheduler_;
    std::vector<LinkRequest> dropped_;
};

TEST_F(LinkSchedulerTest, SendsDemandBeforePrefetches) {
    const auto program = scheduler_.add_program(1);
    prefetch(program, 1);
    demand(program, 2);
    demand(program, 3);
    EXPECT_EQ(next(), 2U);
    EXPECT_EQ(next(), 3U);
    EXPECT_EQ(next(), 1U);
    EXPECT_EQ(next(), 0U);
    EXPECT_EQ(scheduler_.nr_waiting(), 0U);
}

TEST_F(LinkSchedulerTest, DividesBytesByWeight) {
    const auto light = scheduler_.add_program(1);
    const auto heavy = scheduler_.add_program(3);
    std::map<std::uint64_t, int> sent;
    for (int i = 0; i < 400; ++i) {
        demand(light, 1);
        demand(heavy, 2);
    }
    for (int i = 0; i < 400; ++i)
        ++sent[next()];
    EXPECT_NEAR(sent[1], 100, 1);
    EXPECT_NEAR(sent[2], 300, 1);
}

TEST_F(LinkSchedulerTest, CountsBytesNotRequests) {
    const auto small = scheduler_.add_program(1);
    const auto large = scheduler_.add_program(1);
    std::map<std::uint64_t, int> sent;
    for (int i = 0; i < 500; ++i) {
        demand(small, 1, 4096);
        demand(large, 2, 4 * 4096);
    }
    for (int i = 0; i < 500; ++i)
        ++sent[next()];
    EXPECT_NEAR(sent[1], 400, 1);
}

TEST_F(LinkSchedulerTest, AnIdleShareIsNotSavedUp) {
    const auto idle = scheduler_.add_program(1);
    const auto busy = scheduler_.add_program(1);
    for (int i = 0; i < 200; ++i)
        demand(busy, 2);
    for (int i = 0; i < 100; ++i)
        EXPECT_EQ(next(), 2U);
    std::map<std::uint64_t, int> sent;
    for (int i = 0; i < 100; ++i)
        demand(idle, 1);
    for (int i = 0; i < 100; ++i)
        ++sent[next()];
    EXPECT_NEAR(sent[1], 50, 1);
}

TEST_F(LinkSchedulerTest, DropsPrefetchesThatWouldArriveLate) {
    const auto program = scheduler_.add_program(1);
    prefetch(program, 1, microseconds(109));
    const RequestId late = prefetch(program, 2, microseconds(100));
    prefetch(program, 3, microseconds(110));
    EXPECT_EQ(next(microseconds(100)), 3U);
    ASSERT_EQ(dropped_.size(), 2U);
    EXPECT_EQ(dropped_[0].tag, 1U);
    EXPECT_EQ(dropped_[1].tag, 2U);
    EXPECT_FALSE(scheduler_.reissue(late));
}

TEST_F(LinkSchedulerTest, DemandIsNeverDropped) {
    const auto program = scheduler_.add_program(1);
    demand(program, 1);
    EXPECT_EQ(next(std::chrono::hours(100)), 1U);
    EXPECT_TRUE(dropped_.empty());
}

TEST_F(LinkSchedulerTest, AReissuedPrefetchIsDemandBehindTheOthers) {
    const auto program = scheduler_.add_program(1);
    prefetch(program, 1);
    const RequestId needed = prefetch(program, 2, microseconds(1));
    demand(program, 3);
    EXPECT_TRUE(scheduler_.reissue(needed));
    EXPECT_FALSE(scheduler_.reissue(needed));
    EXPECT_EQ(next(microseconds(100)), 3U);
    EXPECT_EQ(next(microseconds(100)), 2U);
    EXPECT_EQ(next(microseconds(100)), 1U);
    EXPECT_FALSE(scheduler_.reissue(needed));
}

TEST_F(LinkSchedulerTest, WithdrawnBytesAreNotSent) {
    const auto program = scheduler_.add_program(1);
    const RequestId some = demand(program, 1, 3 * 4096);
    const RequestId all = prefetch(program, 2);
    EXPECT_TRUE(scheduler_.withdraw(some, 4096));
    EXPECT_TRUE(scheduler_.withdraw(all, 4096));
    EXPECT_FALSE(scheduler_.withdraw(all, 4096));
    const auto sent = scheduler_.next(TimePoint(), microseconds(10), dropped_);
    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->bytes, 2U * 4096);
    EXPECT_FALSE(scheduler_.withdraw(some, 4096)) << "it was sent";
    EXPECT_EQ(scheduler_.nr_waiting(), 0U);
}

TEST_F(LinkSchedulerTest, ARemovedProgramLeavesNoRequests) {
    const auto gone = scheduler_.add_program(1);
    const auto other = scheduler_.add_program(1);
    demand(gone, 1);
    prefetch(gone, 2);
    demand(other, 3);
    scheduler_.remove_program(gone);
    EXPECT_EQ(next(), 3U);
    EXPECT_EQ(next(), 0U);
    EXPECT_EQ(scheduler_.add_program(5), gone);
}

TEST_F(LinkSchedulerTest, ANewProgramDoesNotPayForAnEarlierOne) {
    const auto gone = scheduler_.add_program(1);
    const auto other = scheduler_.add_program(100);
    demand(gone, 1, 1 << 20);
    EXPECT_EQ(next(), 1U);
    scheduler_.remove_program(gone);
    EXPECT_EQ(scheduler_.add_program(100), gone);
    for (int i = 0; i < 4; ++i)
        demand(other, 2);
    demand(gone, 3);
    EXPECT_EQ(next(), 3U);
}

TEST_F(LinkSchedulerTest, ARequestAtASlowLinkIsAPage) {
    EXPECT_EQ(max_request_bytes(1 << 20), page_bytes);
    EXPECT_EQ(max_request_bytes(16 << 20), page_bytes);
    EXPECT_EQ(max_request_bytes(125'000'000), 7 * page_bytes);
    EXPECT_EQ(max_request_bytes(UINT64_MAX), 1U << 24);
    EXPECT_EQ(max_request_bytes(0), 1U << 24) << "a link that is never full";
}

TEST_F(LinkSchedulerTest, WithoutRulesItIsAQueue) {
    scheduler_ = LinkScheduler({.fair = false, .demand_first = false, .drop_late = false, .reissue = false});
    const auto one = scheduler_.add_program(1);
    const auto other = scheduler_.add_program(100);
    const RequestId first = prefetch(one, 1, microseconds(1));
    demand(other, 2);
    demand(one, 3);
    EXPECT_FALSE(scheduler_.reissue(first));
    scheduler_.remove_program(one);
    EXPECT_EQ(scheduler_.add_program(1), one);
    EXPECT_EQ(next(microseconds(100)), 2U);
    demand(one, 4);
    scheduler_.remove_program(other);
    EXPECT_EQ(next(microseconds(100)), 4U);
}

}  // namespace

}  // namespace tmm::far
