// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/core/program.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace tmm::far {
namespace {

constexpr std::uint32_t nr_slots = 256;
constexpr std::uint64_t limit = 1024;  // 128 of them are slots

class ProgramTest : public testing::Test {
protected:
    ProgramTest() { program_.set_hand(space_, true); }

    void touch(PageNumber page, SpaceId space) {
        const Answer answer = program_.fault(space, page);
        ASSERT_NE(answer.how, Answer::How::wait) << page;
        program_.filled(space, page);
    }
    void touch(PageRange range) {
        for (PageNumber page = range.first; page < range.last; ++page)
            touch(page, space_);
    }
    // Carries out all orders: the content of a page is its number, and a page in `zeros` has none.
    void evict_all() {
        for (Orders orders = program_.evict(now_); !orders.orders.empty(); orders = program_.evict(now_)) {
            for (const Order& order : orders.orders)
                evicted(order);
            program_.batch_done(space_, true, now_);
            store();
        }
    }
    void touch_and_evict(PageRange range) {
        for (PageNumber page = range.first; page < range.last; ++page) {
            touch(page, space_);
            evict_all();
        }
    }
    void evicted(const Order& order) {
        program_.evicted(order.slot, Outcome::moved, {.hash = {order.page, changes_[order.page]}});
    }
    void store() {
        for (const Write& write : program_.write(now_, nr_slots))
            program_.written(now_, write.slot, true);
    }
    Where where(PageNumber page) { return program_.where(space_, page); }

    Program program_{nr_slots, limit};
    SpaceId space_ = program_.add_space();
    TimePoint now_{};
    std::map<PageNumber, std::uint64_t> changes_;
};

TEST_F(ProgramTest, PagesThatWereNeverSeenAreZero) {
    EXPECT_EQ(where(7), Where::zero);
    EXPECT_EQ(program_.fault(space_, 7).how, Answer::How::zero);
    program_.filled(space_, 7);
    EXPECT_EQ(where(7), Where::local);
    EXPECT_EQ(program_.nr_local(), 1U);
}

TEST_F(ProgramTest, TheOldestLeaveAndTheLimitHolds) {
    touch({0, program_.max_local()});
    evict_all();
    EXPECT_EQ(where(0), Where::far);
    EXPECT_EQ(where(program_.max_local() - 1), Where::local);
    EXPECT_LT(program_.nr_local(), program_.max_local());
    program_.check();
}

TEST_F(ProgramTest, AFullProgramWaitsForRoomWhileSomebodyMakesIt) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    ASSERT_FALSE(orders.orders.empty());
    EXPECT_EQ(program_.fault(space_, 5000).how, Answer::How::wait);
    EXPECT_EQ(program_.fault(space_, 5000, true).how, Answer::How::zero) << "the hand waits for this one";
    EXPECT_EQ(program_.fault(space_, orders.orders[0].page, true).how, Answer::How::wait) << "it is in transit";
    for (const Order& order : orders.orders)
        program_.evicted(order.slot, Outcome::refused, {});
    program_.batch_done(space_, false, now_);
    EXPECT_TRUE(program_.evict(now_).orders.empty());
    EXPECT_EQ(program_.fault(space_, 5000).how, Answer::How::zero)
        << "nobody makes room: beyond the limit is better than for ever";
    EXPECT_FALSE(program_.evict(now_ + std::chrono::seconds(1)).orders.empty());
    program_.check();
}

TEST_F(ProgramTest, APageIsTakenBackFromTheWriteList) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    evicted(orders.orders[0]);
    const PageNumber page = orders.orders[0].page;
    EXPECT_EQ(where(page), Where::write_list);
    const Answer answer = program_.fault(space_, page);
    EXPECT_EQ(answer.how, Answer::How::slot);
    EXPECT_EQ(answer.slot, orders.orders[0].slot);
    program_.filled(space_, page);
    EXPECT_TRUE(program_.write(now_, nr_slots).empty());
    EXPECT_TRUE(program_.take_drops().empty()) << "the store never had it";
    program_.check();
}

TEST_F(ProgramTest, ACleanPageLeavesWithoutAWrite) {
    touch({0, program_.max_local()});
    evict_all();
    touch(0, space_);
    touch({2000, 2000 + program_.max_local()});  // makes all others leave
    const std::uint64_t writes = program_.counters().writes;
    evict_all();
    touch({4000, 4000 + 2 * max_batch});
    evict_all();
    EXPECT_EQ(where(0), Where::far);
    EXPECT_GE(program_.counters().clean_evictions, 1U);
    EXPECT_EQ(program_.counters().evictions - program_.counters().clean_evictions, program_.counters().writes);
    EXPECT_GT(program_.counters().writes, writes);
    program_.check();
}

TEST_F(ProgramTest, AChangedPageIsWrittenAnewAndKeepsItsEntry) {
    touch({0, program_.max_local()});
    evict_all();
    // It comes back and changes.
    const Answer before = program_.fault(space_, 0);
    program_.filled(space_, 0);
    changes_[0] = 1;
    touch({2000, 2000 + program_.max_local()});
    evict_all();
    const Answer after = program_.fault(space_, 0);
    EXPECT_EQ(after.entry, before.entry);
    EXPECT_GT(after.version, before.version);
    program_.check();
}

TEST_F(ProgramTest, ZerosNeedNoStore) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    program_.evicted(orders.orders[0].slot, Outcome::moved, {.is_zero = true, .hash = {}});
    EXPECT_EQ(where(orders.orders[0].page), Where::zero);
    EXPECT_TRUE(program_.write(now_, nr_slots).empty());
    program_.check();
}

TEST_F(ProgramTest, WhatTheProgramDropsReadsAsZerosAndIsForgotten) {
    touch({0, program_.max_local()});
    evict_all();
    const Orders none = program_.evict(now_);
    EXPECT_TRUE(none.orders.empty());
    program_.removed(space_, {0, 10000});
    EXPECT_EQ(program_.nr_local(), 0U);
    EXPECT_EQ(program_.nr_far(), 0U);
    EXPECT_FALSE(program_.take_drops().empty());
    EXPECT_EQ(program_.fault(space_, 0).how, Answer::How::zero);
    program_.check();
}

TEST_F(ProgramTest, APageThatIsDroppedInTransitStaysDropped) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    program_.removed(space_, {orders.orders[0].page, orders.orders[0].page + 1});
    touch(orders.orders[0].page, space_);
    evicted(orders.orders[0]);
    EXPECT_EQ(where(orders.orders[0].page), Where::local) << "the new page, not the old content";
    program_.check();
}

TEST_F(ProgramTest, PagesMoveWithTheirMapping) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    evicted(orders.orders[0]);
    program_.moved(space_, {0, 4096}, 100000);
    EXPECT_EQ(program_.where(space_, 0), Where::zero);
    EXPECT_EQ(program_.where(space_, 100000), Where::write_list);
    EXPECT_EQ(program_.where(space_, 100001), Where::leaving);
    EXPECT_EQ(program_.where(space_, 100000 + program_.max_local() - 1), Where::local);
    evicted(orders.orders[1]);
    EXPECT_EQ(program_.where(space_, 100001), Where::write_list);
    program_.check();
}

TEST_F(ProgramTest, APageThatMovedToWhereAnotherWasSeenKeepsItsContent) {
    touch({0, program_.max_local()});
    evict_all();
    ASSERT_EQ(where(0), Where::far);
    const std::uint32_t nr_moves = program_.nr_moves(space_);
    program_.moved(space_, {0, 1}, 5000);
    EXPECT_FALSE(program_.present(space_, {5000, 5001}, nr_moves)) << "seen before";
    EXPECT_EQ(where(5000), Where::far);
    program_.check();
}

TEST_F(ProgramTest, AChildReadsWhatItsParentHadAtTheFork) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    evicted(orders.orders[0]);
    store();
    const SpaceId child = program_.fork(space_);
    evicted(orders.orders[1]);
    store();
    for (const PageNumber page : {orders.orders[0].page, orders.orders[1].page}) {
        const Answer parents = program_.fault(space_, page);
        program_.filled(space_, page);
        const Answer from_child = program_.fault(child, page);
        EXPECT_NE(from_child.how, Answer::How::zero);
        EXPECT_EQ(from_child.version, parents.version);
        program_.filled(child, page);
    }
    program_.check();
    program_.remove_space(space_);
    program_.check();
}

TEST_F(ProgramTest, WhatADeadHandTookIsLostToTheChildAndNeverZero) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    const SpaceId child = program_.fork(space_);
    program_.remove_space(space_);
    EXPECT_EQ(program_.fault(child, orders.orders[0].page).how, Answer::How::lost);
    EXPECT_TRUE(program_.present(child, {orders.orders[0].page, orders.orders[0].page + 1}, 0));
    EXPECT_EQ(program_.where(child, orders.orders[0].page), Where::local) << "unless it had it all the time";
    program_.check();
}

class PrefetchTest : public ProgramTest {
protected:
    // Pages from 0 on are far.
    PrefetchTest() {
        for (const PageNumber first : {0, 2000, 4000}) {
            touch({first, first + program_.max_local()});
            evict_all();
        }
    }
    std::vector<Prefetch> prefetch(PageRange pages, std::uint64_t window = 1024) {
        Wishes wishes;
        for (PageNumber page = pages.first; page < pages.last; ++page)
            wishes.add({page, now_, {.thread = static_cast<std::uint32_t>(page)}});
        refused_.reset();
        return program_.prefetch(space_, wishes, window, refused_);
    }

    std::optional<Wish> refused_;
};

TEST_F(PrefetchTest, TakesNoMoreThanHalfOfTheSlots) {
    EXPECT_EQ(prefetch({0, 40}).size(), 40U);
    EXPECT_FALSE(refused_);
    EXPECT_EQ(prefetch({40, 80}).size(), limit / 16 - 40);
    EXPECT_EQ(refused_->page, limit / 16);
    program_.check();
}

TEST_F(PrefetchTest, TakesNoMoreThanItsWindow) {
    EXPECT_EQ(prefetch({0, 40}, 8).size(), 8U);
    EXPECT_TRUE(prefetch({8, 40}, 8).empty());
}

TEST_F(PrefetchTest, AHitSaysWhoAskedForThePage) {
    const std::vector<Prefetch> fetched = prefetch({3, 4});
    EXPECT_EQ(program_.in_slot(space_, 3), no_slot) << "not yet";
    const Answer coming = program_.fault(space_, 3);
    EXPECT_EQ(coming.how, Answer::How::coming);
    EXPECT_EQ(coming.hit->thread, 3U);
    program_.prefetched(fetched[0].slot, true);
    EXPECT_EQ(program_.in_slot(space_, 3), fetched[0].slot);
    const Answer there = program_.fault(space_, 3);
    EXPECT_EQ(there.how, Answer::How::slot);
    EXPECT_EQ(there.hit->thread, 3U);
    program_.filled(space_, 3);
    EXPECT_EQ(program_.counters().used, 1U);
    EXPECT_TRUE(program_.take_unused().empty());
    program_.check();
}

TEST_F(PrefetchTest, ACancelledOneIsDemand) {
    const std::vector<Prefetch> fetched = prefetch({3, 4});
    program_.prefetched(fetched[0].slot, false);
    EXPECT_EQ(program_.fault(space_, 3).how, Answer::How::fetch);
    EXPECT_FALSE(program_.fault(space_, 4).hit);
    program_.check();
}

TEST_F(PrefetchTest, PagesThatNobodyUsedAreReported) {
    for (const Prefetch& one : prefetch({0, 8}))
        program_.prefetched(one.slot, true);
    touch({6000, 6000 + program_.max_local()});
    evict_all();
    const std::vector<Origin> unused = program_.take_unused();
    ASSERT_EQ(unused.size(), 8U);
    EXPECT_EQ(unused[0].thread, 0U);
    EXPECT_EQ(program_.counters().unused, 8U);
    program_.check();
}

TEST_F(ProgramTest, APageThatComesBackKeepsItsEntry) {
    touch({0, 2 * program_.max_local()});
    evict_all();
    const std::uint64_t allocations = program_.counters().allocations;
    // Page 0 comes back, is written to, and leaves again.
    touch(0, space_);
    EXPECT_EQ(program_.counters().reservations, 1U);
    ++changes_[0];
    touch({4000, 4000 + program_.max_local()});
    evict_all();
    EXPECT_EQ(where(0), Where::far);
    const std::uint64_t later = program_.counters().allocations;
    EXPECT_EQ(later - allocations, program_.counters().evictions - allocations - 1);
    EXPECT_TRUE(program_.take_drops().empty());
}

TEST_F(ProgramTest, AFullPartitionGetsTheEntriesOfLocalPages) {
    touch({0, 2 * program_.max_local()});
    evict_all();
    touch(0, space_);
    touch(1, space_);
    evict_all();
    ASSERT_EQ(where(1), Where::local);
    touch({4000, 4000 + program_.max_local() - program_.nr_local()});
    for (Orders orders = program_.evict(now_); !orders.orders.empty(); orders = program_.evict(now_)) {
        for (const Order& order : orders.orders)
            evicted(order);
        program_.batch_done(space_, true, now_);
    }
    for (const Write& write : program_.write(now_, nr_slots))
        program_.written(now_, write.slot, false);
    EXPECT_EQ(program_.counters().cancellations, 2U);
    EXPECT_EQ(program_.take_drops().size(), 2U);
    EXPECT_EQ(where(1), Where::local);
    program_.check();
    // All that were local leave, except the two; then they leave like any other.
    now_ += std::chrono::seconds(1);
    const std::array<PageNumber, turns_without_entry + 1> later{10000, 20000, 30000};
    for (const PageNumber first : later) {
        touch_and_evict({first, first + program_.max_local()});
        EXPECT_EQ(where(0), first == later.back() ? Where::far : Where::local) << first;
        EXPECT_EQ(where(1), where(0));
        EXPECT_EQ(where(4000), Where::far);
    }
    program_.check();
}

TEST_F(ProgramTest, APageThatCameBackWhileItsWriteFailedLeavesNoSlotBehind) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    ASSERT_FALSE(orders.orders.empty());
    for (const Order& order : orders.orders)
        evicted(order);
    program_.batch_done(space_, true, now_);
    const std::vector<Write> writes = program_.write(now_, 1);
    ASSERT_EQ(writes.size(), 1U);
    touch(orders.orders[0].page, space_);
    program_.written(now_, writes[0].slot, false);
    program_.check();
    EXPECT_EQ(program_.counters().cancellations, 1U);
}

TEST(KeptEntriesTest, CanBeSwitchedOff) {
    Program program(nr_slots, limit, false);
    const SpaceId space = program.add_space();
    program.set_hand(space, true);
    for (PageNumber page = 0; page < program.max_local(); ++page)
        program.filled(space, page);
    const Orders orders = program.evict({});
    program.evicted(orders.orders[0].slot, Outcome::moved, {.hash = {1, 1}});
    for (const Write& write : program.write({}, 1))
        program.written({}, write.slot, true);
    program.filled(space, orders.orders[0].page);
    EXPECT_EQ(program.take_drops().size(), 1U);
    EXPECT_EQ(program.counters().reservations, 0U);
    program.check();
}

TEST_F(ProgramTest, AFailingStoreLeavesTheContentWhereItIs) {
    touch({0, program_.max_local()});
    const Orders orders = program_.evict(now_);
    evicted(orders.orders[0]);
    for (const Write& write : program_.write(now_, nr_slots))
        program_.written(now_, write.slot, false);
    EXPECT_EQ(where(orders.orders[0].page), Where::write_list);
    EXPECT_EQ(program_.fault(space_, orders.orders[0].page, true).how, Answer::How::slot);
    EXPECT_TRUE(program_.write(now_, nr_slots).empty());
    EXPECT_EQ(program_.write(now_ + std::chrono::seconds(1), nr_slots).size(), 1U);
    program_.check();
}

TEST_F(ProgramTest, AStoreThatTakesOnlySomePagesHoldsUpNoOthers) {
    touch({0, program_.max_local()});
    for (PageNumber round = 1; round <= 2; ++round) {
        const Orders orders = program_.evict(now_);
        for (const Order& order : orders.orders)
            evicted(order);
        program_.batch_done(space_, true, now_);
        const std::vector<Write> writes = program_.write(now_, nr_slots);
        ASSERT_EQ(writes.size(), orders.orders.size()) << "the refused page waits, and no other";
        for (const Write& write : writes)
            program_.written(now_, write.slot, write.slot != writes.front().slot);
        touch({round * 5000, round * 5000 + program_.max_local() - program_.nr_local()});
        EXPECT_EQ(program_.fault(space_, round * 5000 + 4999).how, Answer::How::zero) << "nobody makes room";
    }
    EXPECT_EQ(program_.write(now_ + std::chrono::seconds(1), nr_slots).size(), 2U);
    program_.check();
}

TEST_F(ProgramTest, ALowerLimitMakesPagesLeave) {
    program_.set_limit(8 * limit);
    touch({0, 4 * limit});
    evict_all();
    EXPECT_EQ(program_.nr_local(), 4 * limit);
    program_.set_limit(limit);
    evict_all();
    EXPECT_LT(program_.nr_local(), limit);
    program_.check();
}

}  // namespace
}  // namespace tmm::far
