// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/limits/saved_knobs.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

const std::string user_min = "sys/fs/cgroup/user.slice/memory.min";
const std::string system_min = "sys/fs/cgroup/system.slice/memory.min";
const std::string file = SavedKnobs::default_file;

class SavedKnobsTest : public testing::Test {
protected:
    SavedKnobsTest() { tree_.dir("run/tmm").file(user_min, "0\n").file(system_min, "16777216\n"); }

    SavedKnobs open() {
        SavedKnobs knobs(root_);
        const auto begun = knobs.begin();
        EXPECT_TRUE(begun) << begun.error().message();
        return knobs;
    }
    // A test's file keeps the end of a longer text; the kernel's do not.
    void changed(const std::string& path, const std::string& text) { tree_.file(path, text + "\n"); }

    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(SavedKnobsTest, GiveOldValuesBack) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}, {system_min, "20971520"}}));
    EXPECT_EQ(tree_.text(user_min), "4096");
    EXPECT_EQ(knobs.before(system_min), "16777216");
    EXPECT_EQ(knobs.before("nothing"), "");
    changed(user_min, "4096");
    ASSERT_TRUE(knobs.write({{user_min, "8192"}}));
    changed(user_min, "8192");
    ASSERT_TRUE(knobs.restore());
    EXPECT_EQ(tree_.text(user_min).substr(0, 1), "0");
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "16777216");
    EXPECT_EQ(tree_.text(file), "");
}

TEST_F(SavedKnobsTest, AnotherRunGivesBackWhatAKilledOneLeft) {
    ASSERT_TRUE(open().write({{user_min, "4096"}}));
    EXPECT_EQ(tree_.text(user_min), "4096");
    ASSERT_TRUE(open().restore());
    EXPECT_EQ(tree_.text(user_min).substr(0, 1), "0");
}

TEST_F(SavedKnobsTest, ACrashBetweenSavingAndWritingLosesNothing) {
    ASSERT_TRUE(open().write({{system_min, "20971520"}}));
    ASSERT_TRUE(open().write({{system_min, "30000000"}}));
    changed(system_min, "20971520");  // the second write did not happen
    ASSERT_TRUE(open().restore());
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "16777216");
}

TEST_F(SavedKnobsTest, WhatSomebodyElseChangedStaysTheirs) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}, {system_min, "20971520"}}));
    changed(user_min, "777");
    ASSERT_TRUE(knobs.write({{user_min, "8192"}}));
    EXPECT_EQ(tree_.text(user_min), "777\n");
    EXPECT_EQ(knobs.theirs(), std::vector<std::string>{user_min});
    ASSERT_TRUE(knobs.restore());
    EXPECT_EQ(tree_.text(user_min), "777\n");
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "16777216");
}

TEST_F(SavedKnobsTest, WhatChangedJustBeforeTheEndStaysTheirsToo) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}}));
    changed(user_min, "777");
    ASSERT_TRUE(knobs.restore());
    EXPECT_EQ(tree_.text(user_min), "777\n");
}

TEST_F(SavedKnobsTest, ACgroupThatWasMadeAnewGetsTheSettingAgain) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}}));
    ASSERT_TRUE(knobs.write({{user_min, "8192"}}));
    changed(user_min, "0");
    ASSERT_TRUE(knobs.write({{user_min, "8192"}}));
    EXPECT_EQ(tree_.text(user_min).substr(0, 4), "8192");
}

TEST_F(SavedKnobsTest, AVanishedCgroupIsNoError) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}, {system_min, "20971520"}}));
    std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup/user.slice");
    EXPECT_TRUE(knobs.write({{user_min, "8192"}}));
    EXPECT_EQ(knobs.before(user_min), "");
    EXPECT_TRUE(knobs.restore());
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "16777216");
}

// As when the memory controller is switched off below a cgroup, and on again.
TEST_F(SavedKnobsTest, AKnobThatVanishesAloneIsSetWhenItIsBack) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}}));
    std::filesystem::remove(tree_.path() / user_min);
    EXPECT_TRUE(knobs.write({{user_min, "8192"}, {system_min, "20971520"}}));
    EXPECT_FALSE(std::filesystem::exists(tree_.path() / user_min));
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "20971520");
    changed(user_min, "0");
    EXPECT_TRUE(knobs.write({{user_min, "8192"}}));
    EXPECT_EQ(tree_.text(user_min).substr(0, 4), "8192");
    EXPECT_TRUE(knobs.theirs().empty()) << "nobody changed it";
}

TEST_F(SavedKnobsTest, ARefusedWriteIsNamedAndStopsNoOther) {
    // A file with a number that nobody can write, not even root. It is written first.
    const std::string refused = "sys/fs/cgroup/a.slice/memory.min";
    std::filesystem::create_directories(tree_.path() / "sys/fs/cgroup/a.slice");
    std::filesystem::create_symlink("/proc/self/oom_score", tree_.path() / refused);
    SavedKnobs knobs = open();
    for (const char* value : {"20971520", "30000000"}) {
        ASSERT_TRUE(knobs.write({{refused, "4096"}, {system_min, value}}));
        EXPECT_NE(knobs.left_out().find(refused), std::string::npos) << knobs.left_out();
        EXPECT_EQ(tree_.text(system_min).substr(0, 8), value);
    }
    EXPECT_TRUE(knobs.theirs().empty()) << "nobody changed it";
    EXPECT_FALSE(knobs.restore());
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "16777216");
    EXPECT_EQ(tree_.text(file).substr(0, refused.size()), refused) << "the next run tries again";
    EXPECT_EQ(tree_.text(file).find(system_min), std::string::npos);
}

TEST_F(SavedKnobsTest, TheFileHasRoomForTheFirstOfEachUser) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes cgroups of several users";
    std::vector<KnobValue> values{{user_min, "4096"}};
    std::string parent = "sys/fs/cgroup";
    for (int depth = 0; depth < 6; ++depth)
        parent += "/" + std::string(250, 'y');
    for (int i = 0; i < 600; ++i) {
        const std::string name = std::to_string(i);
        const std::string folder = parent + "/" + std::string(250 - name.size(), 'x') + name;
        tree_.file(folder + "/memory.min", "0\n");
        values.push_back({folder + "/memory.min", "4096"});
    }
    ASSERT_EQ(::chown((tree_.path() / "sys/fs/cgroup" / std::string(250, 'y')).c_str(), 1000, 1000), 0);
    values.push_back({system_min, "20971520"});
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write(values));
    EXPECT_NE(knobs.left_out().find("no room"), std::string::npos);
    EXPECT_NE(knobs.left_out().find("user 1000"), std::string::npos);
    EXPECT_EQ(tree_.text(user_min), "4096");
    EXPECT_EQ(tree_.text(system_min).substr(0, 8), "20971520");
    EXPECT_EQ(tree_.text(values[100].path), "4096");
    EXPECT_EQ(tree_.text(values[600].path), "0\n");
    ASSERT_TRUE(knobs.write({values[0]}));
    EXPECT_EQ(knobs.left_out(), "");
}

TEST_F(SavedKnobsTest, TheFileForgetsVanishedCgroups) {
    SavedKnobs knobs = open();
    ASSERT_TRUE(knobs.write({{user_min, "4096"}, {system_min, "20971520"}}));
    std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup/user.slice");
    ASSERT_TRUE(knobs.write({}));
    EXPECT_EQ(tree_.text(file).find("user.slice"), std::string::npos);
    EXPECT_NE(tree_.text(file).find("system.slice"), std::string::npos);
}

TEST_F(SavedKnobsTest, WritesNothingThatItCannotSave) {
    SavedKnobs knobs = open();
    std::filesystem::remove_all(tree_.path() / "run");
    EXPECT_FALSE(knobs.write({{user_min, "4096"}}));
    EXPECT_EQ(tree_.text(user_min), "0\n");
    EXPECT_FALSE(SavedKnobs(root_).begin());
    tree_.dir("run");
    EXPECT_TRUE(open().write({{user_min, "4096"}}));
}

TEST_F(SavedKnobsTest, HoldsPathsOfAnyKind) {
    const std::vector<std::string> paths{"sys/fs/cgroup/a b/memory.min", "sys/fs/cgroup/dev\\x2ddisk/memory.min"};
    for (const std::string& path : paths)
        tree_.file(path, "0\n");
    {
        SavedKnobs knobs = open();
        ASSERT_TRUE(knobs.write({{paths[0], "4096"}, {paths[1], "4096"}, {user_min, "4096 4096"}}));
    }
    EXPECT_EQ(tree_.text(user_min), "0\n") << "no value";
    for (const std::string& path : paths)
        EXPECT_EQ(tree_.text(path), "4096") << path;
    ASSERT_TRUE(open().restore());
    for (const std::string& path : paths)
        EXPECT_EQ(tree_.text(path).substr(0, 1), "0") << path;
}

TEST_F(SavedKnobsTest, ADamagedFileIsNamedWithItsLineAndSetAside) {
    tree_.file(file, user_min + " 0 4096 0\nnonsense\n");
    std::filesystem::permissions(tree_.path() / file, std::filesystem::perms(0600));
    const auto begun = SavedKnobs(root_).begin();
    ASSERT_FALSE(begun);
    EXPECT_EQ(begun.error().code(), EINVAL);
    EXPECT_NE(begun.error().message().find("knobs:2: not 'PATH BEFORE OURS PREVIOUS'"), std::string::npos);
    EXPECT_TRUE(std::filesystem::exists(tree_.path() / (file + ".bad")));
    changed(user_min, "4096");
    ASSERT_TRUE(open().restore());
    EXPECT_EQ(tree_.text(user_min).substr(0, 1), "0") << "the line before the damage";
}

TEST_F(SavedKnobsTest, NoOtherFileIsWritten) {
    tree_.file("etc/passwd", "2").file("etc/memory.x", "2");
    for (const char* path : {"etc/passwd", "sys/fs/cgroup/../../../etc/memory.x", "sys/fs/cgroup/user.slice/cgroup.kill"}) {
        tree_.file(file, std::string(path) + " 1 2 2\n");
        std::filesystem::permissions(tree_.path() / file, std::filesystem::perms(0600));
        EXPECT_EQ(SavedKnobs(root_).begin().error().code(), EINVAL) << path;
        ASSERT_TRUE(open().restore());
    }
    EXPECT_EQ(tree_.text("etc/passwd"), "2");
    EXPECT_EQ(tree_.text("etc/memory.x"), "2");
}

// The end of a second tmmd must not take the settings of the first away.
TEST_F(SavedKnobsTest, OnlyOneProcessHasThem) {
    SavedKnobs knobs = open();
    SavedKnobs second(root_);
    const auto refused = second.begin();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code(), EBUSY);
    EXPECT_NE(refused.error().message().find("another tmmd is running"), std::string::npos);
    EXPECT_FALSE(second.begun());
    EXPECT_TRUE(knobs.begin());
}

}  // namespace
}  // namespace tmm::os
