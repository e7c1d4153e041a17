// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/cgroup/evictor.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

class EvictorTest : public testing::Test {
protected:
    void add(const std::string& cgroup, const std::string& bytes) {
        tree_.file(cgroup + "/memory.current", bytes + "\n").file(cgroup + "/memory.reclaim", "");
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    ReclaimingEvictor evictor_{root_};
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

TEST_F(EvictorTest, EndsInTheMiddle) {
    add("a", "18000000000000000000");
    EXPECT_TRUE(evictor_.evict("a"));
}

}  // namespace
}  // namespace tmm::os
