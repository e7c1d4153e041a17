// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/seen_memories.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

constexpr uid_t mallory = 1000;
constexpr uid_t victim = 1001;

class SeenMemoriesTest : public testing::Test {
protected:
    MemoryOrder compare(pid_t one, pid_t other) {
        ++comparisons_;
        if (ended_.contains(one) || ended_.contains(other))
            return MemoryOrder::unknown;
        const int memory = one % memories_;
        const int others = other % memories_;
        return memory == others ? MemoryOrder::same : memory < others ? MemoryOrder::before : MemoryOrder::after;
    }

    int memories_ = 7;  // a process has the memory of this remainder
    std::set<pid_t> ended_;
    int comparisons_ = 0;
    SeenMemories seen_{[this](pid_t one, pid_t other) { return compare(one, other); }};
};

TEST_F(SeenMemoriesTest, EachIsNewOnceForItsUser) {
    int nr_new = 0;
    for (pid_t process = 1; process <= 700; ++process)
        nr_new += seen_.add(mallory, process);
    EXPECT_EQ(nr_new, 7);
    EXPECT_TRUE(seen_.add(victim, 701));
    EXPECT_FALSE(seen_.add(victim, 708));
    seen_.clear();
    EXPECT_TRUE(seen_.add(mallory, 1));
}

TEST_F(SeenMemoriesTest, ManyTakeFewComparisons) {
    memories_ = 1 << 20;
    for (pid_t process = 1; process <= 4096; ++process)
        EXPECT_TRUE(seen_.add(mallory, process * 7919));
    EXPECT_LE(comparisons_, 4096 * 12);
}

TEST_F(SeenMemoriesTest, OneThatEndedHidesNone) {
    for (pid_t process = 1; process <= 7; ++process)
        EXPECT_TRUE(seen_.add(mallory, process));
    ended_ = {3, 4};
    EXPECT_TRUE(seen_.add(mallory, 10)) << "nobody is known to have its memory any more";
    EXPECT_FALSE(seen_.add(mallory, 17));
    EXPECT_FALSE(seen_.add(mallory, 12));
    ended_.insert(24);
    EXPECT_TRUE(seen_.add(mallory, 24)) << "it has ended itself: whoever reads it will see";
    EXPECT_FALSE(seen_.add(mallory, 31));
}

TEST(SeenMemories, WithoutAnAnswerOfTheKernelEachIsNew) {
    const TempTree tree;
    const RootDir root = tree.root();
    SeenMemories seen(compare_memories(root));
    for (int i = 0; i < 3; ++i)
        EXPECT_TRUE(seen.add(mallory, ::getpid())) << "no /proc, so its numbers are no processes";
}

int wait_for_signal(void*) {
    for (;;)
        ::pause();
}

TEST(SeenMemories, TheKernelTellsThatProcessesShareTheirs) {
    const RootDir root = RootDir::open("/").value();
    const CompareMemories compare = compare_memories(root);
    if (compare(::getpid(), ::getpid()) != MemoryOrder::same)
        GTEST_SKIP() << "no kcmp(2)";
    alignas(16) static char stack[1 << 16];
    const pid_t sharing = ::clone(wait_for_signal, stack + sizeof stack, CLONE_VM | SIGCHLD, nullptr);
    ASSERT_GT(sharing, 0);
    const pid_t own = ::fork();
    if (own == 0)
        wait_for_signal(nullptr);
    SeenMemories seen(compare);
    EXPECT_TRUE(seen.add(mallory, ::getpid()));
    EXPECT_FALSE(seen.add(mallory, sharing));
    EXPECT_TRUE(seen.add(mallory, own));
    for (const pid_t process : {sharing, own}) {
        ::kill(process, SIGKILL);
        ::waitpid(process, nullptr, 0);
    }
}

}  // namespace
}  // namespace tmm::os
