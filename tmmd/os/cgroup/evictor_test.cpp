// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/evictor.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

class EvictorTest : public testing::Test {
protected:
    void add(const std::string& cgroup, const std::string& bytes) {
        tree_.file(cgroup + "/memory.current", bytes + "\n").file(cgroup + "/memory.reclaim", "");
    }

    // Waits for the thread's result.
    void evict_part(const std::string& cgroup, Bytes bytes) {
        EXPECT_TRUE(evictor_.evict_part(cgroup, bytes));
        evictor_.wait();
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ReclaimingEvictor evictor_{root_, std::chrono::milliseconds(0)};
};

TEST_F(EvictorTest, AsksForAllInSteps) {
    add("a", "4096");
    add("b", "900000000");
    EXPECT_TRUE(evictor_.evict("a"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "4096");
    EXPECT_EQ(tree_.text("b/memory.reclaim"), std::to_string(ReclaimingEvictor::step_bytes));
}

TEST_F(EvictorTest, AsksForNothingWhereNothingIs) {
    add("a", "0");
    EXPECT_TRUE(evictor_.evict("a"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "");
}

TEST_F(EvictorTest, GoesOnAfterWhatCannotBeDone) {
    tree_.file("old/memory.current", "4096\n");  // a kernel without memory.reclaim
    add("b", "4096");
    EXPECT_TRUE(evictor_.evict("vanished"));
    EXPECT_TRUE(evictor_.evict("old"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.wait();
    EXPECT_EQ(tree_.text("b/memory.reclaim"), "4096");
}

TEST_F(EvictorTest, SparedOnesAreNotWaitedFor) {
    // Enough memory to keep its steps going for ever.
    add("a", "18000000000000000000");
    add("b", "4096");
    EXPECT_TRUE(evictor_.evict("a"));
    EXPECT_TRUE(evictor_.evict("b"));
    evictor_.spare("a");
    evictor_.wait();
    EXPECT_EQ(tree_.text("b/memory.reclaim"), "4096");
}

TEST_F(EvictorTest, APartIsOneRequest) {
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 1\n");
    evict_part("a", Bytes(100'000'000));
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "100000000");
    EXPECT_FALSE(evictor_.evicts_parts());
}

TEST_F(EvictorTest, NoPartIsTakenFromARunningContribution) {
    for (const char* events : {"populated 1\nfrozen 0\n", "", "populated 1\n"}) {
        add("a", "900000000");
        tree_.file("a/cgroup.events", events);
        evict_part("a", Bytes(4096));
        EXPECT_EQ(tree_.text("a/memory.reclaim"), "") << events;
    }
    evict_part("vanished", Bytes(4096));
}

TEST_F(EvictorTest, AWithdrawnPartIsNotWaitedFor) {
    ReclaimingEvictor patient(root_, std::chrono::hours(1));
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 0\n");
    EXPECT_TRUE(patient.evict_part("a", Bytes(4096)));
    EXPECT_TRUE(patient.evicts_parts());
    patient.spare("a");
    EXPECT_FALSE(patient.evicts_parts());
    patient.wait();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "");
}

TEST_F(EvictorTest, APartGoesBeforeAPause) {
    add("paused", "18000000000000000000");
    add("a", "900000000");
    tree_.file("a/cgroup.events", "populated 1\nfrozen 1\n");
    EXPECT_TRUE(evictor_.evict("paused"));
    EXPECT_TRUE(evictor_.evict_part("a", Bytes(4096)));
    while (evictor_.evicts_parts())
        std::this_thread::yield();
    EXPECT_EQ(tree_.text("a/memory.reclaim"), "4096");
    evictor_.spare("paused");
    evictor_.wait();
}

TEST_F(EvictorTest, EndsInTheMiddle) {
    add("a", "18000000000000000000");
    EXPECT_TRUE(evictor_.evict("a"));
}

}  // namespace
}  // namespace tmm::os
