// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the owner's commands in a daemon that learns and gives.
#include <gtest/gtest.h>

#include <cmath>

#include "tmmd/app/bus_model.hpp"
#include "tmmd/app/daemon_fixture.hpp"
#include "tmmd/os/page_size.hpp"

namespace tmm::app {
namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr os::Limits nothing_given{core::Pages(10000), core::Pages(0)};

class OwnerCommandsTest : public DaemonFixture {
protected:
    OwnerCommandsTest() {
        tree_.file("sys/fs/cgroup/transparent.slice/cgroup.freeze", "0").file("sys/fs/cgroup/transparent.slice/cgroup.procs", "");
    }
    Outputs kept() {
        Outputs outputs;
        outputs.settings.emplace(root_, "var/lib/tmm/owner.conf", 65536);
        outputs.history.emplace(storage::StateFile(root_, "var/lib/tmm/history"));
        return outputs;
    }
    // Returns a daemon that gives.
    Daemon make_giving() {
        Daemon daemon = make_daemon(false, kept());
        EXPECT_TRUE(daemon.start(now_));
        run_for(daemon, 40);
        given_ = machine_.written.back();
        EXPECT_GT(given_.transparent, core::Pages(5000));
        return daemon;
    }
    void start_contribution() {
        const std::string povray = "sys/fs/cgroup/transparent.slice/povray.scope/";
        tree_.file(povray + "cgroup.events", "populated 1\nfrozen 0\n")
            .file(povray + "cgroup.procs", "")
            .file(povray + "cgroup.freeze", "0");
    }
    bool held() { return tree_.text("sys/fs/cgroup/transparent.slice/cgroup.freeze").substr(0, 1) == "1"; }

    os::Limits given_;
};

TEST_F(OwnerCommandsTest, APauseCountsAtOnceAndEndsByItself) {
    Daemon daemon = make_giving();
    ASSERT_TRUE(daemon.apply_command(core::Pause{minutes(5)}, now_));
    EXPECT_EQ(machine_.written.back(), nothing_given);
    EXPECT_TRUE(held());
    EXPECT_EQ(daemon.decided().wanted().given.kind, core::GivingKind::paused);
    EXPECT_EQ(daemon.decided().settings(now_).paused_until, now_.wall + minutes(5));
    run_for(daemon, 299);
    EXPECT_EQ(machine_.written.back(), nothing_given) << "the policy goes on to decide, without effect";
    EXPECT_TRUE(held());
    run_for(daemon, 1);
    EXPECT_GT(machine_.written.back().transparent, core::Pages(5000));
    EXPECT_FALSE(held());
}

TEST_F(OwnerCommandsTest, APauseDoesNotWaitForTheDisk) {
    Daemon daemon = make_giving();
    bool was_saved = true;
    machine_.on_write = [&] { was_saved = root_.exists("var/lib/tmm/owner.conf"); };
    ASSERT_TRUE(daemon.apply_command(core::Pause{}, now_));
    EXPECT_FALSE(was_saved) << "the limits come first";
    EXPECT_TRUE(root_.exists("var/lib/tmm/owner.conf"));
}

TEST_F(OwnerCommandsTest, ResumedAndTurnedOffAndOn) {
    Daemon daemon = make_giving();
    ASSERT_TRUE(daemon.apply_command(core::Pause{}, now_));
    ASSERT_TRUE(daemon.apply_command(core::Resume{}, now_));
    EXPECT_EQ(machine_.written.back(), given_);
    EXPECT_FALSE(held());
    ASSERT_TRUE(daemon.apply_command(core::Switch{false}, now_));
    EXPECT_EQ(machine_.written.back(), nothing_given);
    EXPECT_TRUE(held());
    ASSERT_TRUE(daemon.apply_command(core::Switch{true}, now_));
    EXPECT_EQ(machine_.written.back(), given_);
}

TEST_F(OwnerCommandsTest, CapsBoundTheLimits) {
    Daemon daemon = make_giving();
    core::CapsChange caps;
    caps.max_bytes = 1000 * os::page_bytes();
    ASSERT_TRUE(daemon.apply_command(core::ChangeCaps{caps}, now_));
    EXPECT_EQ(machine_.written.back(), (os::Limits{core::Pages(9000), core::Pages(1000)}));
    EXPECT_FALSE(held());
    EXPECT_EQ(daemon.kernel().in_force()->transparent, core::Pages(1000));
}

TEST_F(OwnerCommandsTest, AReloadBringsTheAdministratorsBounds) {
    Daemon daemon = make_giving();
    config::Config config = every_second();
    config.giving.caps.max_percent = 5;
    daemon.set_config(config);
    run_for(daemon, 1);
    EXPECT_EQ(machine_.written.back(), (os::Limits{core::Pages(9500), core::Pages(500)}));
}

TEST_F(OwnerCommandsTest, OutlivesARestart) {
    {
        Daemon daemon = make_giving();
        ASSERT_TRUE(daemon.apply_command(core::Pause{minutes(5)}, now_));
        daemon.release_all();
    }
    EXPECT_FALSE(held()) << "a daemon that ends holds no contribution";
    Daemon daemon = make_daemon(false, kept());
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 1);
    EXPECT_TRUE(held());
    EXPECT_EQ(daemon.decided().wanted().given.kind, core::GivingKind::paused);
    run_for(daemon, 299);
    EXPECT_FALSE(held());
}

TEST_F(OwnerCommandsTest, HoldsContributionsWhileOpaqueTasksWait) {
    start_contribution();
    const auto waited = [&](int stalled_s) {
        tree_.file("proc/pressure/memory",
                   "some avg10=0.00 avg60=0.00 avg300=0.00 total=" + std::to_string(stalled_s) + "000000\n");
    };
    waited(0);
    Daemon daemon = make_giving();
    EXPECT_FALSE(daemon.condition().under_pressure);
    waited(30);
    run_for(daemon, 5);
    EXPECT_TRUE(held());
    EXPECT_TRUE(daemon.condition().under_pressure);
    EXPECT_EQ(machine_.written.back(), nothing_given);
    EXPECT_EQ(daemon.usage().decisions().newest(1).front().reason, daemon.decided().wanted().given.reason);
    EXPECT_TRUE(machine_.asked_to_evict.empty()) << "the owner waits for the disk";
    run_for(daemon, 70);
    EXPECT_FALSE(held());
    EXPECT_FALSE(daemon.condition().under_pressure);
    EXPECT_GT(machine_.written.back().transparent, core::Pages(5000));
}

TEST_F(OwnerCommandsTest, HoldsContributionsWhoseSwapTakesTheOwnersMemory) {
    start_contribution();
    Daemon daemon = make_giving();
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/zram0 partition 1048576 5000 100\n")
        .file("proc/meminfo", "MemTotal: 100000 kB\n")
        .file("sys/block/zram0/mm_stat", "40960000 20480000 20971520 0 0 0 0 0 0\n");
    machine_.total = given_.opaque / 2;
    run_for(daemon, 1);
    EXPECT_TRUE(held());
    EXPECT_EQ(daemon.decided().wanted().given.kind, core::GivingKind::waiting);
    tree_.file("proc/swaps", "Filename Type Size Used Priority\n/dev/vda2 partition 1048576 5000 100\n");
    run_for(daemon, 1);
    EXPECT_FALSE(held()) << "swap on a disk takes no memory";
}

TEST_F(OwnerCommandsTest, HoldsThoughTheScannerIsBroken) {
    Daemon daemon = make_giving();
    machine_.scanner_broken = true;
    run_for(daemon, 2);
    EXPECT_TRUE(daemon.condition().trouble);
    EXPECT_EQ(daemon.condition().reason, "scanner broke");
    EXPECT_EQ(daemon.kernel().in_force(), std::nullopt);
    ASSERT_TRUE(daemon.apply_command(core::Pause{}, now_));
    EXPECT_TRUE(held());
    EXPECT_EQ(machine_.written.back(), given_) << "no sink is open";
    machine_.scanner_broken = false;
    run_for(daemon, 1);
    EXPECT_EQ(machine_.written.back(), nothing_given);
    EXPECT_FALSE(daemon.condition().trouble);
}

TEST_F(OwnerCommandsTest, ASliceThatBeginsDuringAPauseIsHeldSoon) {
    Daemon daemon = make_daemon(config::Config{});
    ASSERT_TRUE(daemon.start(now_));
    machine_.owner_works = false;
    run_for(daemon, 600);
    ASSERT_TRUE(daemon.apply_command(core::Switch{false}, now_));
    tree_.file("sys/fs/cgroup/user.slice/transparent.slice/cgroup.freeze", "0");
    run_for(daemon, 5);
    EXPECT_EQ(tree_.text("sys/fs/cgroup/user.slice/transparent.slice/cgroup.freeze").substr(0, 1), "1");
}

TEST_F(OwnerCommandsTest, ADryRunHoldsNobody) {
    Daemon daemon = make_daemon(true);
    ASSERT_TRUE(daemon.start(now_));
    run_for(daemon, 2);
    ASSERT_TRUE(daemon.apply_command(core::Pause{}, now_));
    EXPECT_FALSE(held());
    EXPECT_TRUE(machine_.written.empty());
}

TEST_F(OwnerCommandsTest, TellsWhatIsUsedAndGiven) {
    Daemon daemon = make_giving();
    const wire::Status status = status_of(daemon, now_);
    const std::uint64_t page = os::page_bytes().count();
    EXPECT_EQ(status.state, "giving");
    EXPECT_EQ(status.total_bytes, 10000 * page);
    EXPECT_EQ(status.opaque_bytes, 4000 * page);
    EXPECT_EQ(status.transparent_bytes, 5000 * page);
    EXPECT_EQ(status.free_bytes, 1000 * page);
    EXPECT_EQ(status.transparent_limit_bytes, given_.transparent.count() * page);
    EXPECT_EQ(status.source_reason, "a test");
    EXPECT_TRUE(std::isnan(status.measured_stall)) << "no pressure file in this tree";
    EXPECT_DOUBLE_EQ(status.given_byte_seconds, 39.0 * 5000 * static_cast<double>(page));
    const auto rows = daemon.usage().history().rows(core::Resolution::minutes);
    ASSERT_FALSE(rows.empty());
    EXPECT_DOUBLE_EQ(rows.back().mean.opaque, 4000.0 * os::page_bytes().as_double());
}

TEST_F(OwnerCommandsTest, DecisionsAreKept) {
    Daemon daemon = make_giving();
    ASSERT_TRUE(daemon.apply_command(core::Pause{}, now_));
    const auto decisions = daemon.usage().decisions().newest(100);
    ASSERT_GE(decisions.size(), 3U);
    EXPECT_EQ(decisions.front().kind, "paused");
    EXPECT_EQ(decisions.back().kind, "waiting") << "the daemon had to learn first";
}

TEST_F(OwnerCommandsTest, TheHistoryOutlivesARestart) {
    double before = 0;
    {
        Daemon daemon = make_giving();
        daemon.save_state();
        before = daemon.usage().history().given_byte_seconds();
    }
    Daemon daemon = make_daemon(false, kept());
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_DOUBLE_EQ(daemon.usage().history().given_byte_seconds(), before);
}

TEST_F(OwnerCommandsTest, AHistoryThatMakesNoSenseIsSetAside) {
    const std::string text = storage::wrap_state("rubbish\n");
    tree_.file("var/lib/tmm/history", text);
    Daemon daemon = make_daemon(false, kept());
    ASSERT_TRUE(daemon.start(now_));
    EXPECT_EQ(tree_.text("var/lib/tmm/history.bad"), text);
}

TEST_F(OwnerCommandsTest, FaultsAfterABreakAreCounted) {
    Daemon daemon = make_giving();
    machine_.owner_works = false;
    run_for(daemon, 130);
    EXPECT_EQ(daemon.usage().last_return_faults(), 0U);
    machine_.owner_works = true;
    tree_.file("proc/vmstat", "pgmajfault 45\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
    run_for(daemon, 5);
    EXPECT_EQ(daemon.usage().last_return_faults(), 40U);
    run_for(daemon, 60);
    tree_.file("proc/vmstat", "pgmajfault 90\nworkingset_refault_anon 1\nworkingset_refault_file 1\n");
    run_for(daemon, 1);
    EXPECT_EQ(daemon.usage().last_return_faults(), 40U) << "the return's minute is over";
    std::uint64_t in_history = 0;
    for (const core::UsageRow& row : daemon.usage().history().rows(core::Resolution::minutes))
        in_history += row.faults_after_returns;
    EXPECT_EQ(in_history, 40U);
}

}  // namespace
}  // namespace tmm::app
