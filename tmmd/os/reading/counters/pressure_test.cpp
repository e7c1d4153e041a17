// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/pressure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/reading/counters/pressure_text.hpp"

namespace tmm::os {
namespace {

using std::chrono::seconds;

class OpaquePressureTest : public testing::Test {
protected:
    void machine(std::uint64_t us) { tree_.file("proc/pressure/memory", pressure(us)); }
    void cgroup(const std::string& path, std::uint64_t us) {
        tree_.file(std::string(cgroup_mount) + "/" + path + "/memory.pressure", pressure(us));
    }
    std::optional<double> after(int time_s) { return pressure_.share(transparent_, now_ += seconds(time_s)); }

    TempTree tree_;
    RootDir root_ = tree_.root();
    OpaquePressure pressure_{root_};
    std::vector<std::string> transparent_;
    core::AwakeTime now_{seconds(100)};
};

TEST_F(OpaquePressureTest, TheLargestCgroupsWithoutAContribution) {
    const std::string mount = cgroup_mount;
    tree_.dir(mount + "/system.slice/ssh.service").dir(mount + "/init.scope").dir(mount + "/user.slice/a/app.slice");
    tree_.dir(mount + "/user.slice/a/transparent.slice/povray.scope").dir(mount + "/user.slice/b/app.slice");
    EXPECT_EQ(opaque_cgroups(root_, {mount + "/user.slice/a/transparent.slice"}),
              (std::vector<std::string>{mount + "/init.scope", mount + "/system.slice", mount + "/user.slice/a/app.slice",
                                        mount + "/user.slice/b"}));
    EXPECT_EQ(opaque_cgroups(root_, {}),
              (std::vector<std::string>{mount + "/init.scope", mount + "/system.slice", mount + "/user.slice"}));
    EXPECT_TRUE(opaque_cgroups(TempTree().root(), {}).empty());
}

// One user's cgroups would otherwise hide that another one's programs wait.
TEST_F(OpaquePressureTest, NoUserTakesTheShareOfAnother) {
    const std::string mount = cgroup_mount;
    for (int i = 0; i < 300; ++i)
        tree_.dir(mount + "/crowd/" + std::to_string(i));
    tree_.dir(mount + "/crowd/transparent.slice").dir(mount + "/victim/app.slice").dir(mount + "/victim/transparent.slice");
    const bool is_root = ::geteuid() == 0;
    const auto give = [&](const char* cgroup, uid_t user) {
        return ::chown((tree_.path() / mount / cgroup).c_str(), user, user) == 0;
    };
    ASSERT_TRUE(!is_root || (give("crowd", 1000) && give("victim", 1001)));
    const auto found = opaque_cgroups(root_, {mount + "/crowd/transparent.slice", mount + "/victim/transparent.slice"});
    EXPECT_LE(found.size(), max_opaque_per_user + 1);
    EXPECT_GE(found.size(), max_opaque_per_user / 2);
    const bool seen = std::find(found.begin(), found.end(), mount + "/victim/app.slice") != found.end();
    EXPECT_EQ(seen, is_root) << "only root can try more than one user";
}

TEST_F(OpaquePressureTest, WhatContributionsWaitDoesNotCount) {
    transparent_ = {std::string(cgroup_mount) + "/transparent.slice"};
    machine(1'000'000);
    cgroup("user.slice", 500'000);
    cgroup("transparent.slice", 900'000);
    EXPECT_EQ(after(1), std::nullopt) << "too early";
    machine(6'000'000);
    cgroup("user.slice", 1'500'000);
    cgroup("transparent.slice", 5'900'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0.1);
}

TEST_F(OpaquePressureTest, SeveralAtOnceAreNotMoreThanTheMachine) {
    machine(0);
    cgroup("a.slice", 0);
    cgroup("b.slice", 0);
    after(1);
    machine(5'000'000);
    cgroup("a.slice", 4'000'000);
    cgroup("b.slice", 4'000'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0.5);
}

TEST_F(OpaquePressureTest, WithoutCgroupsTheMachineCounts) {
    machine(0);
    after(1);
    machine(1'000'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0.1);
}

TEST_F(OpaquePressureTest, TheWindowIsAMinute) {
    machine(0);
    after(0);
    machine(6'000'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0.6);
    for (int i = 0; i < 5; ++i)
        after(10);
    EXPECT_DOUBLE_EQ(after(0).value(), 0.1) << "6 s of 60";
    EXPECT_DOUBLE_EQ(after(10).value(), 0);
}

TEST_F(OpaquePressureTest, ReadsEveryFiveSecondsAtMost) {
    machine(0);
    after(0);
    after(5);
    machine(1'000'000);
    EXPECT_DOUBLE_EQ(after(4).value(), 0);
    EXPECT_DOUBLE_EQ(after(1).value(), 0.1);
}

TEST_F(OpaquePressureTest, ACgroupThatAppearsBringsNoPast) {
    machine(0);
    cgroup("a.slice", 0);
    after(0);
    machine(10'000'000);
    cgroup("b.slice", 50'000'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0);
    cgroup("b.slice", 51'000'000);
    machine(11'000'000);
    EXPECT_DOUBLE_EQ(after(10).value(), 0.05);
}

TEST_F(OpaquePressureTest, AKernelThatDoesNotCountSaysNothing) {
    EXPECT_EQ(after(10), std::nullopt);
    EXPECT_EQ(after(10), std::nullopt);
    machine(5'000'000);
    EXPECT_EQ(after(10), std::nullopt) << "the first number is only the base";
    EXPECT_DOUBLE_EQ(after(10).value(), 0);
    tree_.file("proc/pressure/memory", "");
    EXPECT_EQ(after(10), std::nullopt);
}

}  // namespace
}  // namespace tmm::os
