// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/stall_alarm.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "tmmd/os/cgroup/transparent_cgroups.hpp"
#include "tmmd/os/reading/counters/pressure_text.hpp"

namespace tmm::os {
namespace {

using core::Seconds;

const std::string mount = cgroup_mount;
const std::string machine = "proc/pressure/memory";
const std::string trigger = std::string("some 50000 500000") + '\0';

class StallAlarmTest : public testing::Test {
protected:
    void add(const std::string& cgroup, bool populated = true) {
        tree_.file(mount + "/" + cgroup + "/memory.pressure", "");
        tree_.file(mount + "/" + cgroup + "/cgroup.events", populated ? "populated 1\nfrozen 0\n" : "populated 0\nfrozen 0\n");
    }
    Result<void> follow() { return alarm_.follow({mount + "/transparent.slice"}, Seconds(0.05), Seconds(0.5)); }
    std::string text_of(const std::string& cgroup) { return tree_.text(mount + "/" + cgroup + "/memory.pressure"); }
    // As poll(2) does for a file.
    std::vector<pollfd> report(short events) {
        std::vector<pollfd> files = alarm_.files();
        files.front().revents = events;
        return files;
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    StallAlarm alarm_{root_};
};

TEST_F(StallAlarmTest, EachOpaqueCgroupHasATrigger) {
    tree_.file(machine, "");
    add("system.slice");
    add("user.slice");
    add("transparent.slice");
    add("dev-mqueue.mount", false);
    ASSERT_TRUE(follow());
    EXPECT_EQ(text_of("system.slice"), trigger);
    EXPECT_EQ(text_of("user.slice"), trigger);
    EXPECT_EQ(text_of("transparent.slice"), "") << "the waiting of contributions raises no alarm";
    EXPECT_EQ(text_of("dev-mqueue.mount"), "") << "nobody can wait there";
    EXPECT_EQ(tree_.text(machine), "");
    EXPECT_TRUE(alarm_.opaque_only());
    ASSERT_EQ(alarm_.files().size(), 2U);
    EXPECT_EQ(alarm_.files().front().events, POLLPRI);
}

TEST_F(StallAlarmTest, FollowsCgroupsAsTheyComeAndGo) {
    add("system.slice");
    ASSERT_TRUE(follow());
    const int file = alarm_.files().front().fd;
    add("user.slice");
    ASSERT_TRUE(follow());
    ASSERT_EQ(alarm_.files().size(), 2U);
    EXPECT_EQ(alarm_.files().front().fd, file) << "a trigger that is set stays";
    std::filesystem::remove_all(tree_.path() / mount / "system.slice");
    ASSERT_TRUE(follow());
    ASSERT_EQ(alarm_.files().size(), 1U);
    EXPECT_EQ(text_of("user.slice"), trigger);
    alarm_.close();
    EXPECT_TRUE(alarm_.files().empty());
    EXPECT_FALSE(alarm_.opaque_only());
}

TEST_F(StallAlarmTest, AnotherThresholdSetsThemAnew) {
    add("system.slice");
    ASSERT_TRUE(follow());
    tree_.file(mount + "/system.slice/memory.pressure", "");
    ASSERT_TRUE(follow());
    EXPECT_EQ(text_of("system.slice"), "");
    ASSERT_TRUE(alarm_.follow({}, Seconds(0.1), Seconds(0.5)));
    EXPECT_EQ(text_of("system.slice"), std::string("some 100000 500000") + '\0');
}

TEST_F(StallAlarmTest, WithoutOpaqueCgroupsTheMachineHasATrigger) {
    tree_.file(machine, "");
    add("transparent.slice");
    ASSERT_TRUE(follow());
    EXPECT_EQ(tree_.text(machine), trigger);
    EXPECT_EQ(alarm_.files().size(), 1U);
    EXPECT_FALSE(alarm_.opaque_only());
    add("system.slice");
    ASSERT_TRUE(follow());
    EXPECT_EQ(alarm_.files().size(), 1U);
    EXPECT_TRUE(alarm_.opaque_only());
}

// Else whoever has many cgroups beside a contribution would have the machine's trigger, which contributions raise.
TEST_F(StallAlarmTest, UsersShareTheTriggersInTurn) {
    if (::geteuid() != 0)
        GTEST_SKIP() << "only root makes cgroups of several users";
    tree_.file(machine, "");
    for (std::size_t i = 0; i < 2 * StallAlarm::max_cgroups; ++i) {
        const std::string name = "a" + std::to_string(i);
        add(name);
        ASSERT_EQ(::chown((tree_.path() / "sys/fs/cgroup" / name).c_str(), 1000, 1000), 0);
    }
    add("system.slice");
    ASSERT_TRUE(follow());
    EXPECT_EQ(alarm_.files().size(), StallAlarm::max_cgroups);
    EXPECT_TRUE(alarm_.opaque_only());
    EXPECT_NE(tree_.text("sys/fs/cgroup/system.slice/memory.pressure"), "");
}

TEST_F(StallAlarmTest, AKernelWithoutPressureIsAnError) {
    add("system.slice");
    std::filesystem::remove(tree_.path() / mount / "system.slice/memory.pressure");
    EXPECT_EQ(follow().error().code(), ENOENT);
    EXPECT_TRUE(alarm_.files().empty());
    tree_.file(machine, "");
    EXPECT_TRUE(follow()) << "it is tried again";
}

TEST_F(StallAlarmTest, AnAlarmIsTaken) {
    add("system.slice");
    add("user.slice");
    ASSERT_TRUE(follow());
    EXPECT_FALSE(alarm_.take(report(0)));
    EXPECT_TRUE(alarm_.take(report(POLLPRI)));
    const std::vector<pollfd> unknown{{12345, POLLPRI, POLLPRI}};
    EXPECT_FALSE(alarm_.take(unknown)) << "closed since the poll";
}

TEST_F(StallAlarmTest, ACgroupThatIsGoneIsPolledNoMore) {
    add("system.slice");
    add("user.slice");
    ASSERT_TRUE(follow());
    EXPECT_FALSE(alarm_.take(report(POLLERR | POLLPRI)));
    EXPECT_EQ(alarm_.files().size(), 1U);
    EXPECT_TRUE(alarm_.take(report(POLLPRI)));
}

TEST_F(StallAlarmTest, CountsTheWaitingOfOpaqueTasks) {
    const std::vector<std::string> contributions{mount + "/transparent.slice"};
    tree_.file(machine, pressure(1'000'000));
    tree_.file(contributions[0] + "/memory.pressure", pressure(1'000'000));
    const auto first = alarm_.waited(contributions);
    ASSERT_TRUE(first);
    tree_.file(machine, pressure(1'500'000));
    tree_.file(contributions[0] + "/memory.pressure", pressure(1'400'000));
    EXPECT_DOUBLE_EQ((alarm_.waited(contributions).value() - *first).count(), 0.1) << "surely not of contributions";
    tree_.file(mount + "/user.slice/memory.pressure", pressure(0));
    alarm_.waited(contributions);
    tree_.file(mount + "/user.slice/memory.pressure", pressure(200'000));
    tree_.file(machine, pressure(2'500'000));
    EXPECT_DOUBLE_EQ((alarm_.waited(contributions).value() - *first).count(), 0.3);
    std::filesystem::remove(tree_.path() / machine);
    EXPECT_EQ(alarm_.waited(contributions), std::nullopt);
}

}  // namespace
}  // namespace tmm::os
