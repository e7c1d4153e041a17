// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/miss_counter.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"

namespace tmm::os {
namespace {

void set_faults(TempTree& tree, int machine, int transparent) {
    tree.file("proc/vmstat", "pgfault 99999\npgmajfault " + std::to_string(machine) + "\npgmajfault_x 5\n");
    tree.file(slice + "/memory.stat", "anon 1\npgmajfault " + std::to_string(transparent) + "\n");
}

TEST(ParseStat, FindsWholeNamesOnly) {
    EXPECT_EQ(parse_stat("xpgmajfault 1\npgmajfault_x 2\npgmajfault 3\n", "pgmajfault").value(), 3U);
    EXPECT_EQ(parse_stat("pgmajfault 3", "pgmajfault").value(), 3U);
}

TEST(ParseStat, MalformedTextIsAnError) {
    for (const char* bad : {"", "pgmajfault\n", "pgmajfault \n", "pgmajfault x\n", "pgmajfault -1\n",
                            "pgmajfault 99999999999999999999\n", "other 1\n"})
        EXPECT_FALSE(parse_stat(bad, "pgmajfault")) << bad;
}

TEST(MissCounter, CountsWhatIsNotTransparent) {
    TempTree tree;
    const RootDir root = tree.root();
    MissCounter counter(root);
    set_faults(tree, 1000, 200);
    EXPECT_EQ(counter.read_delta({slice}).value(), 0U) << "the first call only starts the count";
    set_faults(tree, 1100, 270);
    EXPECT_EQ(counter.read_delta({slice}).value(), 30U);
    EXPECT_EQ(counter.read_delta({slice}).value(), 0U);
}

TEST(MissCounter, ACgroupThatAppearsCountsFromItsStart) {
    TempTree tree;
    const RootDir root = tree.root();
    MissCounter counter(root);
    tree.file("proc/vmstat", "pgmajfault 10\n");
    EXPECT_EQ(counter.read_delta({}).value(), 0U);
    set_faults(tree, 60, 50);
    EXPECT_EQ(counter.read_delta({slice}).value(), 0U);
}

TEST(MissCounter, ACgroupThatVanishedOrStartedAgainIsNoError) {
    TempTree tree;
    const RootDir root = tree.root();
    MissCounter counter(root);
    set_faults(tree, 1000, 500);
    ASSERT_TRUE(counter.read_delta({slice}));
    set_faults(tree, 1010, 4);
    EXPECT_EQ(counter.read_delta({slice}).value(), 6U) << "a new cgroup with 4 faults of its own";
    std::filesystem::remove_all(tree.path() / slice);
    tree.file("proc/vmstat", "pgmajfault 1012\n");
    EXPECT_EQ(counter.read_delta({slice}).value(), 2U);
}

TEST(MissCounter, WithoutVmstatItFails) {
    const TempTree tree;
    const RootDir root = tree.root();
    MissCounter counter(root);
    EXPECT_EQ(counter.read_delta({}).error().code(), ENOENT);
}

}  // namespace
}  // namespace tmm::os
