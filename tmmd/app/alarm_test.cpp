// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests a daemon that gives, to which the kernel reports a stall between two ticks.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "tmmd/app/daemon_fixture.hpp"
#include "tmmd/os/cgroup/test_cgroups.hpp"

namespace tmm::app {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

using os::slice;

class AlarmTest : public DaemonFixture {
protected:
    AlarmTest() {
        tree_.file(slice + "/cgroup.freeze", "0").file(slice + "/cgroup.procs", "");
        tree_.file(slice + "/povray.scope/cgroup.events", "populated 1\nfrozen 0\n");
        tree_.file(slice + "/povray.scope/cgroup.procs", "").file(slice + "/povray.scope/cgroup.freeze", "0");
        set_waited("proc", seconds(0));
        set_waited("user.slice", seconds(0));
    }
    // Sets the time that tasks have waited for memory so far; cgroup: or proc for the machine.
    void set_waited(const std::string& cgroup, microseconds time) {
        const std::string file = cgroup == "proc" ? "proc/pressure/memory" : "sys/fs/cgroup/" + cgroup + "/memory.pressure";
        tree_.file(file, "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + std::to_string(time.count()) + "\n");
    }
    // The triggers overwrote the counters of these files, as they do not in the kernel.
    void reset_counters() {
        set_waited("proc", seconds(0));
        set_waited("user.slice", seconds(0));
    }
    Daemon make_giving(bool dry_run = false) {
        Daemon daemon = make_daemon(dry_run);
        EXPECT_TRUE(daemon.start(now_));
        run_for(daemon, 40);
        reset_counters();
        run_for(daemon, 1);
        return daemon;
    }
    // The kernel reports an alarm, some time after the last tick.
    void alarm(Daemon& daemon, milliseconds after) {
        std::vector<pollfd> reports = daemon.alarm_files();
        for (pollfd& report : reports)
            report.revents = POLLPRI;
        daemon.take_alarm(reports, later(after));
    }
    // Somebody touches the machine, so that presence is known.
    Daemon make_giving_to_somebody() {
        set_terminal_time(1000);
        Daemon daemon = make_giving();
        set_terminal_time(1500);
        run_for(daemon, 5);
        return daemon;
    }
    void set_terminal_time(int second) {
        const std::string path = (tree_.path() / "dev/tty1").string();
        const std::array times{timespec{second, 0}, timespec{second, 0}};
        ASSERT_EQ(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0), 0);
    }
    bool held() { return tree_.text(slice + "/cgroup.freeze").substr(0, 1) == "1"; }
};

TEST_F(AlarmTest, FreezesContributionsBetweenTwoTicks) {
    Daemon daemon = make_giving();
    ASSERT_EQ(daemon.alarm_files().size(), 1U) << "user.slice";
    const std::size_t written = machine_.written.size();
    alarm(daemon, milliseconds(150));
    EXPECT_TRUE(held());
    EXPECT_EQ(daemon.decided().wanted().given.kind, core::GivingKind::waiting);
    EXPECT_EQ(machine_.written.size(), written) << "the limits stay";
    daemon.tick(later(milliseconds(850)));
    EXPECT_TRUE(held()) << "less than a second";
    run_for(daemon, 1);
    EXPECT_FALSE(held()) << "a calm second";
}

TEST_F(AlarmTest, HoldsThemWhileOpaqueTasksWait) {
    Daemon daemon = make_giving();
    alarm(daemon, milliseconds(150));
    microseconds waited(0);
    for (int i = 0; i < 5; ++i) {
        waited += milliseconds(70);
        set_waited("proc", waited);
        set_waited("user.slice", waited);
        run_for(daemon, 1);
        EXPECT_TRUE(held()) << i;
    }
    run_for(daemon, 2);
    EXPECT_FALSE(held());
}

TEST_F(AlarmTest, TheMachinesAlarmMayBeAContributions) {
    std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup/user.slice");
    set_waited("transparent.slice", seconds(0));
    Daemon daemon = make_daemon();
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 40);
    ASSERT_EQ(daemon.alarm_files().size(), 1U);
    set_waited("proc", seconds(0));
    run_for(daemon, 2);
    set_waited("proc", milliseconds(400));
    set_waited("transparent.slice", milliseconds(400));
    alarm(daemon, milliseconds(400));
    EXPECT_FALSE(held());
    run_for(daemon, 1);
    set_waited("proc", milliseconds(540));
    set_waited("transparent.slice", milliseconds(500));
    alarm(daemon, milliseconds(200));
    EXPECT_TRUE(held());
}

TEST_F(AlarmTest, WithoutContributionsTheKernelIsAskedForNone) {
    tree_.file(slice + "/povray.scope/cgroup.events", "populated 0\nfrozen 0\n");
    Daemon daemon = make_giving();
    EXPECT_TRUE(daemon.alarm_files().empty());
    tree_.file(slice + "/povray.scope/cgroup.events", "populated 1\nfrozen 0\n");
    tree_.file("sys/fs/cgroup/cgroup.stat", "nr_descendants 3\nnr_dying_descendants 0\n");
    run_for(daemon, 1);
    EXPECT_EQ(daemon.alarm_files().size(), 1U);
}

TEST_F(AlarmTest, ADryRunAsksForNone) {
    const Daemon daemon = make_giving(true);
    EXPECT_TRUE(daemon.alarm_files().empty());
}

TEST_F(AlarmTest, TheAdministratorSaysHowMuchWaitingIsAnAlarm) {
    Daemon daemon = make_giving();
    config::Config config = every_second();
    config.giving.pressure.max_stall = 0.2;
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(tree_.text("sys/fs/cgroup/user.slice/memory.pressure").substr(0, 17), "some 50000 500000");
    config.giving.pressure.max_stall.reset();
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_TRUE(daemon.alarm_files().empty());
}

TEST_F(AlarmTest, AKernelWithoutPressureIsLoggedOnce) {
    std::filesystem::remove_all(tree_.path() / "proc/pressure");
    std::filesystem::remove_all(tree_.path() / "sys/fs/cgroup/user.slice");
    testing::internal::CaptureStderr();
    const Log log("test", LogLevel::warning, false);
    Daemon daemon = make_daemon(log);
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_TRUE(run_for(daemon, 100));
    const std::string text = testing::internal::GetCapturedStderr();
    const auto at = text.find("proc/pressure/memory");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find("proc/pressure/memory", at + 1), std::string::npos) << text;
}

// The presence is five seconds old at most; an alarm does not wait for the next reading.
TEST_F(AlarmTest, WhoComesBackIsSeenAtOnce) {
    tree_.file("dev/tty1", "");
    Daemon daemon = make_giving_to_somebody();
    run_for(daemon, 600);
    // The budget of the absence goes.
    for (int i = 0; i < 100; ++i) {
        alarm(daemon, milliseconds(100));
        daemon.tick(later(milliseconds(900)));
    }
    ASSERT_FALSE(held());
    alarm(daemon, milliseconds(100));
    EXPECT_FALSE(held()) << "nobody is there";
    daemon.tick(later(milliseconds(900)));
    daemon.tick(later(milliseconds(1000)));
    set_terminal_time(2000);
    alarm(daemon, milliseconds(100));
    EXPECT_TRUE(held());
}

// The daemon's own need is 3000 pages and the margin 512; the test's machine has 10,000.
TEST_F(AlarmTest, WhoComesBackGetsMemoryFromFrozenContributionsInOneRequest) {
    tree_.file("dev/tty1", "").file(slice + "/memory.current", "900000000\n");
    Daemon daemon = make_giving_to_somebody();
    run_for(daemon, 200);
    machine_.opaque = core::Pages(2000);
    machine_.transparent = core::Pages(8000);
    run_for(daemon, 5);
    EXPECT_TRUE(machine_.asked_to_evict.empty()) << "nobody is there";
    EXPECT_FALSE(held());
    set_terminal_time(2000);
    run_for(daemon, 5);
    ASSERT_EQ(machine_.asked_to_evict.size(), 1U);
    EXPECT_EQ(daemon.decided().wanted().given.reason.code, core::ReasonCode::lack);
    EXPECT_TRUE(held());
    machine_.opaque = core::Pages(3000);
    machine_.transparent = core::Pages(7000);
    run_for(daemon, 1);
    EXPECT_FALSE(held());
}

TEST_F(AlarmTest, ContributionsDoNotWaitForSwapThatHangs) {
    tree_.file("dev/tty1", "").file(slice + "/memory.current", "900000000\n");
    log_.set_max_level(LogLevel::warning);
    machine_.evictor_hangs = true;
    Daemon daemon = make_giving_to_somebody();
    run_for(daemon, 200);
    machine_.opaque = core::Pages(2000);
    machine_.transparent = core::Pages(8000);
    set_terminal_time(2000);
    testing::internal::CaptureStderr();
    run_for(daemon, 6);
    EXPECT_TRUE(held());
    run_for(daemon, 50);
    EXPECT_TRUE(held());
    run_for(daemon, 20);
    EXPECT_FALSE(held());
    run_for(daemon, 600);
    EXPECT_FALSE(held());
    const std::string text = testing::internal::GetCapturedStderr();
    const auto at = text.find("within a minute");
    ASSERT_NE(at, std::string::npos) << text;
    EXPECT_EQ(text.find("within a minute", at + 1), std::string::npos) << text;
    EXPECT_EQ(machine_.asked_to_evict.size(), 2U) << "the request and its withdrawal";
}

TEST_F(AlarmTest, WhoComesBackToAMachineThatIsWellHoldsNobody) {
    tree_.file("dev/tty1", "").file(slice + "/memory.current", "900000000\n");
    Daemon daemon = make_giving_to_somebody();
    run_for(daemon, 200);
    set_terminal_time(2000);
    for (int i = 0; i < 70; ++i) {
        run_for(daemon, 1);
        EXPECT_FALSE(held()) << i;
    }
    EXPECT_TRUE(machine_.asked_to_evict.empty());
}

}  // namespace
}  // namespace tmm::app
