// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"
#include "tmmd/os/limits/applied_limits.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::os {
namespace {

const std::string guest = top + "transparent.slice";

// A machine of 100,000 pages. Its owner has 60,000, a contribution 30,000.
class StockLimitsTest : public testing::Test {
protected:
    StockLimitsTest() {
        tree_.dir("run/tmm").file("proc/swaps", "Filename Type Size Used Priority\n/dev/vda partition 1000 0 -2\n");
        tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0007\n").file("proc/meminfo", "SwapFree: 1000000 kB\n");
        cgroup("user.slice", 50000);
        cgroup("system.slice", 10000);
        cgroup("transparent.slice", 30000);
        memory(10000, 90000, 30000);
    }

    void cgroup(const std::string& name, int pages) {
        tree_.file(top + name + "/memory.current", std::to_string(pages * page_bytes().count()) + "\n");
        for (const char* knob : {"/memory.min", "/memory.low"})
            tree_.file(top + name + knob, "0\n");
        for (const char* knob : {"/memory.high", "/memory.max", "/memory.swap.max"})
            tree_.file(top + name + knob, "max\n");
    }
    // Pages on the lists of the machine and of the contribution.
    void memory(int free, int used, int transparent, const std::string& contribution = guest) {
        tree_.file("proc/vmstat", "nr_free_pages " + std::to_string(free) + "\nnr_inactive_anon " + std::to_string(used - 4) +
                                      "\nnr_active_anon 1\nnr_inactive_file 1\nnr_active_file 1\nnr_unevictable 1\n");
        const auto bytes = std::to_string(transparent * page_bytes().count());
        tree_.file(contribution + "/memory.stat",
                   "inactive_anon " + bytes + "\nactive_anon 0\ninactive_file 0\nactive_file 0\nunevictable 0\n");
    }
    void swap_on(const std::string& device) {
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n" + device + " partition 1000 0 -2\n");
    }

    // Applies the limits as the daemon does.
    void apply(AppliedLimits& sink, int opaque) {
        ASSERT_TRUE(sink.follow({guest}));
        const auto written = sink.write({core::Pages(opaque), core::Pages(100000 - opaque)});
        ASSERT_TRUE(written) << written.error().message();
    }
    AppliedLimits open() { return AppliedLimits(KernelLimits::open_cgroups(root_).value()); }
    [[nodiscard]] std::uint64_t pages(const std::string& path) const {
        return std::stoull(tree_.text(top + path)) / page_bytes().count();
    }
    [[nodiscard]] std::string first_word(const std::string& path) const {
        const std::string text = tree_.text(top + path);
        return text.substr(0, text.find('\n'));
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(StockLimitsTest, ReadsTheClassesFromTheLists) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest}));
    const auto usage = sink.usage();
    ASSERT_TRUE(usage);
    EXPECT_EQ(usage->total, core::Pages(100000));
    EXPECT_EQ(usage->opaque, core::Pages(60000));
    EXPECT_EQ(usage->transparent, core::Pages(30000));
}

TEST_F(StockLimitsTest, ProtectsByMinWithTheMultiGenLru) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
    EXPECT_EQ(pages("system.slice/memory.min"), 10000U);
    EXPECT_EQ(first_word("user.slice/memory.low"), "0");
    EXPECT_EQ(first_word("transparent.slice/memory.min"), "0");
}

TEST_F(StockLimitsTest, ProtectsByLowWithTheClassicLru) {
    tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0000\n");
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.low"), 50000U);
    EXPECT_EQ(first_word("user.slice/memory.min"), "0");
}

TEST_F(StockLimitsTest, FollowsASwitchOfTheLru) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    tree_.file("sys/kernel/mm/lru_gen/enabled", "0x0006\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.low"), 50000U);
    EXPECT_EQ(first_word("user.slice/memory.min").substr(0, 1), "0");
}

TEST_F(StockLimitsTest, LeavesTheExcessOverTheLimitUnprotected) {
    AppliedLimits sink = open();
    apply(sink, 30000);
    EXPECT_EQ(pages("user.slice/memory.min"), 25000U);
    EXPECT_EQ(pages("system.slice/memory.min"), 5000U);
}

TEST_F(StockLimitsTest, AnAdministratorsProtectionIsTheLeast) {
    tree_.file(top + "system.slice/memory.min", std::to_string(8000 * page_bytes().count()));
    AppliedLimits sink = open();
    apply(sink, 30000);
    EXPECT_EQ(pages("system.slice/memory.min"), 8000U);
}

TEST_F(StockLimitsTest, FencesContributionsByTheKindOfSwap) {
    {
        AppliedLimits sink = open();
        apply(sink, 80000);
        EXPECT_EQ(pages("transparent.slice/memory.high"), 38000U);  // what is free but 2 %
        EXPECT_EQ(first_word("transparent.slice/memory.max"), "max");
        EXPECT_EQ(first_word("transparent.slice/memory.swap.max"), "max");
        swap_on("/dev/zram0");
        ASSERT_TRUE(sink.follow({guest}));
        EXPECT_EQ(pages("transparent.slice/memory.high"), 36000U) << "but 4 %";
        EXPECT_EQ(pages("transparent.slice/memory.swap.max"), 4000U);
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n");
        ASSERT_TRUE(sink.follow({guest}));
        EXPECT_EQ(pages("transparent.slice/memory.max"), 38000U);
        EXPECT_EQ(first_word("transparent.slice/memory.high").substr(0, 3), "max");
        EXPECT_EQ(first_word("transparent.slice/memory.swap.max").substr(0, 3), "max");
    }
    EXPECT_EQ(first_word("transparent.slice/memory.max").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, ReadsEachList) {
    tree_.file(
        "proc/vmstat",
        "nr_free_pages 7\nnr_inactive_anon 10\nnr_active_anon 200\nnr_inactive_file 3000\nnr_active_file 40000\nnr_unevictable "
        "500000\n");
    const auto bytes = [](int pages) { return std::to_string(pages * page_bytes().count()) + "\n"; };
    tree_.file(guest + "/memory.stat", "inactive_anon " + bytes(1) + "active_anon " + bytes(20) + "inactive_file " + bytes(300) +
                                           "active_file " + bytes(4000) + "unevictable " + bytes(50000));
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(sink.usage()->transparent, core::Pages(54321));
    EXPECT_EQ(sink.usage()->opaque, core::Pages(543210 - 54321));
    EXPECT_EQ(sink.usage()->total, core::Pages(543217));
}

TEST_F(StockLimitsTest, AVanishedContributionHasNoMemory) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest, top + "transparent.slice-gone"}));
    EXPECT_EQ(sink.usage()->transparent, core::Pages(30000));
}

TEST_F(StockLimitsTest, ChangesNothingBeforeTheFirstLimit) {
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(first_word("user.slice/memory.min"), "0");
    EXPECT_EQ(first_word("transparent.slice/memory.high"), "max");
}

TEST_F(StockLimitsTest, ASmallChangeIsNotWritten) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    tree_.file(top + "user.slice/memory.current", std::to_string(50500 * page_bytes().count()) + "\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
}

// A scope exists before its process is there, and the process may stay small.
TEST_F(StockLimitsTest, ProtectsASmallCgroupThatWasFoundEmpty) {
    const int small = static_cast<int>((128 << 10) / page_bytes().count());
    cgroup("new.scope", 0);
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(first_word("new.scope/memory.min"), "0");
    tree_.file(top + "new.scope/memory.current", std::to_string(small * page_bytes().count()) + "\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("new.scope/memory.min"), static_cast<std::uint64_t>(small));
}

TEST_F(StockLimitsTest, AnAdministratorsBoundOfAContributionIsTheMost) {
    const std::string high = guest + "/memory.high";
    tree_.file(high, std::to_string(20000 * page_bytes().count()));
    {
        AppliedLimits sink = open();
        apply(sink, 80000);
        EXPECT_EQ(pages("transparent.slice/memory.high"), 20000U);
    }
    EXPECT_EQ(pages("transparent.slice/memory.high"), 20000U);
}

TEST_F(StockLimitsTest, OnlyADeviceOfZramIsInMemory) {
    AppliedLimits sink = open();
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n/zram-is-a-file file 1000 0 -2\n");
    apply(sink, 80000);
    EXPECT_EQ(first_word("transparent.slice/memory.swap.max"), "max");
    swap_on("/dev/zd0");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(first_word("transparent.slice/memory.swap.max"), "max");
    // Beside a disk it is used first.
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/vda partition 1000 0 -2\n/dev/zram1 partition 1000 0 100\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("transparent.slice/memory.swap.max"), 4000U);
}

TEST_F(StockLimitsTest, NeverLowersAContributionsLimitBelowItsUsage) {
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n");
    memory(0, 100000, 40000);
    AppliedLimits sink = open();
    apply(sink, 90000);
    EXPECT_EQ(pages("transparent.slice/memory.max"), 40000U);
}

// A frozen contribution would lose a process by the write itself.
TEST_F(StockLimitsTest, ALimitCountsMemoryThatIsOnNoList) {
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n");
    cgroup("transparent.slice", 45000);
    memory(0, 100000, 40000);
    AppliedLimits sink = open();
    apply(sink, 100000);
    EXPECT_EQ(pages("transparent.slice/memory.max"), 45000U);
    swap_on("/dev/vda");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("transparent.slice/memory.high"), 45000U);
}

// The kernel would kill one process of it, and leave it without.
TEST_F(StockLimitsTest, AContributionWithoutSwapDiesAsOne) {
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n");
    const std::vector<std::string> tops{guest, top + "user.slice/marked"};
    for (const char* cgroup : {"transparent.slice", "transparent.slice/a.scope", "transparent.slice/b", "user.slice/marked"})
        tree_.file(top + cgroup + "/memory.oom.group", "0\n");
    tree_.file(top + "user.slice/memory.oom.group", "0\n").file(top + "transparent.slice/own/memory.oom.group", "1\n");
    {
        AppliedLimits sink = open();
        apply(sink, 80000);
        ASSERT_TRUE(sink.follow(tops));
        EXPECT_EQ(tree_.text(guest + "/a.scope/memory.oom.group"), "1\n");
        EXPECT_EQ(tree_.text(guest + "/b/memory.oom.group"), "1\n");
        EXPECT_EQ(tree_.text(top + "user.slice/marked/memory.oom.group"), "1\n");
        EXPECT_EQ(tree_.text(guest + "/memory.oom.group"), "0\n") << "others must not die with it";
        EXPECT_EQ(tree_.text(top + "user.slice/memory.oom.group"), "0\n");
        tree_.file(guest + "/a.scope/memory.oom.group", "0\n").file(guest + "/new.scope/memory.oom.group", "0\n");
        ASSERT_TRUE(sink.follow(tops));
        EXPECT_EQ(tree_.text(guest + "/a.scope/memory.oom.group"), "1\n") << "systemd resets it when it reloads units";
        EXPECT_EQ(tree_.text(guest + "/new.scope/memory.oom.group"), "1\n");
        EXPECT_EQ(sink.problem(), "");
    }
    EXPECT_EQ(tree_.text(guest + "/a.scope/memory.oom.group"), "0\n");
    EXPECT_EQ(tree_.text(top + "user.slice/marked/memory.oom.group"), "0\n");
    EXPECT_EQ(tree_.text(guest + "/own/memory.oom.group"), "1\n") << "its own choice";
}

TEST_F(StockLimitsTest, WhereNoLimitKillsContributionsKeepTheirOomGroup) {
    const std::string group = guest + "/a.scope/memory.oom.group";
    tree_.file(group, "0\n");
    AppliedLimits sink = open();
    for (const char* device : {"/dev/vda", "/dev/zram0"}) {
        swap_on(device);
        apply(sink, 80000);
        EXPECT_EQ(tree_.text(group), "0\n") << device;
        tree_.file("proc/swaps", "Filename Type Size Used Priority\n");
        ASSERT_TRUE(sink.follow({guest}));
        EXPECT_EQ(tree_.text(group), "1\n");
        swap_on(device);
        ASSERT_TRUE(sink.follow({guest}));
        EXPECT_EQ(tree_.text(group), "0\n") << device << ": given back";
    }
}

// Nothing of it can leave then, and nothing but the owner's memory could give way.
TEST_F(StockLimitsTest, AContributionThatHasFilledItsShareOfZramWaits) {
    swap_on("/dev/zram0");
    memory(1000, 99000, 30000);
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("transparent.slice/memory.high"), 30000U) << "it keeps what it has, and gets no more";
}

TEST_F(StockLimitsTest, ContributionsSwapToMemoryStepByStep) {
    swap_on("/dev/zram0");
    tree_.file(guest + "/memory.swap.current", std::to_string(7000 * page_bytes().count()));
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest}));
    ASSERT_TRUE(sink.write({core::Pages(80000), core::Pages(20000), core::Pages(1500)}));
    EXPECT_EQ(pages("transparent.slice/memory.swap.max"), 8500U);
    // Nothing compresses, so they cannot leave memory either.
    ASSERT_TRUE(sink.write({core::Pages(100000), core::Pages(0), core::Pages(100)}));
    EXPECT_EQ(pages("transparent.slice/memory.swap.max"), 7100U);
}

TEST_F(StockLimitsTest, AllIsProtectedWhereEvictingFreesNothing) {
    swap_on("/dev/zram0");
    memory(1000, 99000, 39000);
    AppliedLimits sink = open();
    ASSERT_TRUE(sink.follow({guest}));
    ASSERT_TRUE(sink.write({core::Pages(40000), core::Pages(20000), core::Pages(0), true}));
    EXPECT_LT(pages("user.slice/memory.min"), 40000U);
    ASSERT_TRUE(sink.write({core::Pages(40000), core::Pages(20000), core::Pages(0), false}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U) << "the kernel would evict it page by page, to no end";
}

// As while giving is paused. Their pages have to go somewhere.
TEST_F(StockLimitsTest, ContributionsThatMayHaveNothingCanBeSwappedOut) {
    swap_on("/dev/zram0");
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("transparent.slice/memory.swap.max"), 4000U);
    apply(sink, 100000);
    EXPECT_EQ(first_word("transparent.slice/memory.swap.max").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, FollowsTheUsageOfTheOwner) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    tree_.file(top + "user.slice/memory.current", std::to_string(55000 * page_bytes().count()) + "\n");
    memory(5000, 95000, 30000);
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 55000U);
}

// Then nothing but the owner's files can give way to a program that starts.
TEST_F(StockLimitsTest, ATenthOfMemoryStaysReclaimableWhereContributionsCannotBeSwappedOut) {
    tree_.file("proc/meminfo", "SwapFree: 0 kB\n");
    memory(1000, 99000, 39000);
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.min"), 42500U);
    EXPECT_EQ(pages("system.slice/memory.min"), 8500U);
}

// The owner's anonymous pages cannot be swapped out either.
TEST_F(StockLimitsTest, ATenthOfMemoryThatStaysReclaimableCanReallyLeave) {
    const auto bytes = [](int pages) { return std::to_string(pages * page_bytes().count()) + "\n"; };
    const auto lists = [&](const std::string& name, int file, int anonymous) {
        tree_.file(top + name + "/memory.stat", "inactive_anon " + bytes(anonymous) + "active_anon 0\ninactive_file " +
                                                    bytes(file) + "active_file 0\nunevictable 0\n");
    };
    tree_.file("proc/meminfo", "SwapFree: 0 kB\n");
    lists("user.slice", 20000, 30000);
    lists("system.slice", 0, 10000);
    memory(1000, 99000, 39000);
    {
        AppliedLimits sink = open();
        apply(sink, 80000);
        EXPECT_NEAR(static_cast<double>(pages("user.slice/memory.min")), 27500, 60)
            << "9,000 of 20,000 files, and as much of the rest";
        EXPECT_NEAR(static_cast<double>(pages("system.slice/memory.min")), 5500, 20);
        tree_.file("proc/meminfo", "SwapFree: 1000000 kB\n");
        ASSERT_TRUE(sink.follow({guest}));
        EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
    }
    tree_.file("proc/meminfo", "SwapFree: 0 kB\n").file("sys/kernel/mm/lru_gen/enabled", "0x0000\n");
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.low"), 42500U) << "memory.low yields before the kernel kills";
}

// Nobody is there to protect it from, and memory that cannot leave has the kernel kill.
TEST_F(StockLimitsTest, WithoutContributedMemoryNothingIsProtectedWhileNothingIsGiven) {
    AppliedLimits sink = open();
    memory(40000, 60000, 0);
    apply(sink, 100000);
    EXPECT_EQ(first_word("user.slice/memory.min"), "0");
    EXPECT_NE(first_word("transparent.slice/memory.high"), "max") << "a program that starts there finds a fence";
    memory(10000, 90000, 30000);
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U) << "at the next tick";
    ASSERT_TRUE(sink.follow({}));
    EXPECT_EQ(first_word("user.slice/memory.min").substr(0, 1), "0") << "given back";
    EXPECT_EQ(first_word("transparent.slice/memory.high").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, WhileSomethingIsGivenAContributionMayStartAtAnyTime) {
    AppliedLimits sink = open();
    memory(40000, 60000, 0);
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
}

// A limit that is full keeps contributions' memory in, though swap is free.
TEST_F(StockLimitsTest, ContributionsGoToSwapOnlyAsFarAsLimitsPermit) {
    const auto bytes = [](int pages) { return std::to_string(pages * page_bytes().count()) + "\n"; };
    memory(1000, 99000, 39000);
    tree_.file(guest + "/memory.swap.max", bytes(20000)).file(guest + "/memory.swap.current", bytes(14000));
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.min"), 47500U) << "1,000 are free, 6,000 may leave, so 3,000 of 60,000 have to";
    tree_.file(guest + "/memory.swap.max", "max\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
}

TEST_F(StockLimitsTest, ALimitOfSwapAboveAContributionCounts) {
    cgroup("user.slice/transparent.slice", 30000);
    const std::string users = top + "user.slice/transparent.slice";
    memory(1000, 99000, 30000, users);
    tree_.file(top + "user.slice/memory.swap.max", "0\n").file(top + "user.slice/memory.swap.current", "0\n");
    const auto protection_of_system = [&] {
        AppliedLimits sink = open();
        EXPECT_TRUE(sink.follow({users}));
        EXPECT_TRUE(sink.write({core::Pages(100000), core::Pages(0)}));
        return pages("system.slice/memory.min");
    };
    EXPECT_EQ(protection_of_system(), 7750U) << "of 40,000 opaque pages 9,000 have to leave";
    tree_.file(top + "user.slice/memory.swap.max", "max\n");
    EXPECT_EQ(protection_of_system(), 10000U);
}

TEST_F(StockLimitsTest, ALimitOfSwapOfOneContributionCounts) {
    memory(1000, 99000, 39000);
    memory(1000, 99000, 38000, guest + "/a.scope");
    tree_.file(guest + "/a.scope/memory.swap.max", "0\n").file(guest + "/a.scope/memory.swap.current", "0\n");
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(pages("user.slice/memory.min"), 43333U) << "1,000 are free, 1,000 may leave, so 8,000 of 60,000 have to";
    tree_.file(guest + "/a.scope/memory.swap.max", "max\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
}

TEST_F(StockLimitsTest, SetsAgainWhatSystemdResets) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    tree_.file(top + "user.slice/memory.min", "0\n");
    tree_.file(top + "transparent.slice/memory.high", "max\n");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
    EXPECT_EQ(pages("transparent.slice/memory.high"), 38000U);
    EXPECT_EQ(sink.problem(), "");
}

TEST_F(StockLimitsTest, LeavesNothingBesideAContributionThatEnded) {
    cgroup("user.slice/app.slice", 40000);
    cgroup("user.slice/transparent.slice", 10000);
    AppliedLimits sink = open();
    apply(sink, 80000);
    ASSERT_TRUE(sink.follow({guest, top + "user.slice/transparent.slice"}));
    EXPECT_EQ(pages("user.slice/app.slice/memory.min"), 40000U);
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(first_word("user.slice/app.slice/memory.min").substr(0, 1), "0");
    EXPECT_EQ(first_word("user.slice/transparent.slice/memory.high").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, RestoresAllAtItsEnd) {
    {
        AppliedLimits sink = open();
        apply(sink, 80000);
    }
    EXPECT_EQ(first_word("user.slice/memory.min").substr(0, 1), "0");
    EXPECT_EQ(first_word("transparent.slice/memory.high").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, ASecondOneNeitherSetsNorRestores) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    {
        AppliedLimits second = open();  // as a dry run
        ASSERT_TRUE(second.follow({guest}));
        EXPECT_EQ(second.write({core::Pages(30000), core::Pages(70000)}).error().code(), EBUSY);
    }
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
}

TEST_F(StockLimitsTest, KeepsWhatIsInForceIfItCannotSaveMore) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    std::filesystem::rename(tree_.path() / "run/tmm", tree_.path() / "run/elsewhere");
    cgroup("new.slice", 5000);
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("user.slice/memory.min"), 50000U);
    EXPECT_EQ(first_word("new.slice/memory.min"), "0");
    EXPECT_NE(sink.problem().find("run/tmm"), std::string::npos) << sink.problem();
    std::filesystem::rename(tree_.path() / "run/elsewhere", tree_.path() / "run/tmm");
    ASSERT_TRUE(sink.follow({guest}));
    EXPECT_EQ(pages("new.slice/memory.min"), 5000U);
    EXPECT_EQ(sink.problem(), "");
}

TEST_F(StockLimitsTest, SaysSoIfItCanSaveNothing) {
    std::filesystem::remove_all(tree_.path() / "run");
    AppliedLimits sink = open();
    EXPECT_FALSE(sink.write({core::Pages(80000), core::Pages(20000)}));
}

// As memory.max of a contribution, after swap was switched on while no tmmd ran.
TEST_F(StockLimitsTest, GivesBackWhatAKilledOneLeft) {
    tree_.file(guest + "/memory.max", "4096\n").file("run/tmm/knobs", guest + "/memory.max max 4096 max\n");
    std::filesystem::permissions(tree_.path() / "run/tmm/knobs", std::filesystem::perms(0600));
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(first_word("transparent.slice/memory.max").substr(0, 3), "max");
}

TEST_F(StockLimitsTest, AnAdministratorsProtectionOfAllIsNotLowered) {
    tree_.file(top + "system.slice/memory.min", "max\n");
    AppliedLimits sink = open();
    apply(sink, 30000);
    EXPECT_EQ(first_word("system.slice/memory.min"), "max");
}

TEST_F(StockLimitsTest, NamesWhatSomebodyElseChanged) {
    AppliedLimits sink = open();
    apply(sink, 80000);
    EXPECT_EQ(sink.problem(), "");
    tree_.file(top + "user.slice/memory.min", "777\n");
    apply(sink, 30000);
    EXPECT_EQ(tree_.text(top + "user.slice/memory.min"), "777\n");
    EXPECT_NE(sink.problem().find("user.slice/memory.min"), std::string::npos);
    tree_.file(top + "system.slice/memory.min", "777\n");
    apply(sink, 80000);
    EXPECT_NE(sink.problem().find("system.slice/memory.min, "), std::string::npos) << sink.problem();
}

TEST_F(StockLimitsTest, NeedsProtectionThatReachesBelow) {
    tree_.file("proc/mounts", "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nsdelegate 0 0\n");
    const auto refused = KernelLimits::open_cgroups(root_);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message().find("memory_recursiveprot"), std::string::npos);
    tree_.file("proc/mounts", "proc /proc proc rw 0 0\ncgroup2 /sys/fs/cgroup cgroup2 rw,nsdelegate,memory_recursiveprot 0 0\n");
    EXPECT_TRUE(KernelLimits::open_cgroups(root_));
}

TEST_F(StockLimitsTest, AMissingCounterIsNamed) {
    tree_.file("proc/vmstat", "nr_inactive_anon 1\n");
    AppliedLimits sink = open();
    const auto usage = sink.usage();
    ASSERT_FALSE(usage);
    EXPECT_NE(usage.error().message().find("proc/vmstat"), std::string::npos);
}

}  // namespace
}  // namespace tmm::os
