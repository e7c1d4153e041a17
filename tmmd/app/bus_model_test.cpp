// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/bus_model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>

#include "tmmd/app/daemon_fixture.hpp"

namespace tmm::app {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

TEST(CapsInForce, WithoutAnyAreNone) {
    EXPECT_EQ(caps_in_force({}, {}), wire::Caps());
}

TEST(CapsInForce, AreTheStricterOfBoth) {
    core::Caps owner{
        .max_bytes = Bytes(100), .max_percent = 50, .only_when_idle = true, .only_on_mains = false, .quiet_hours = {}};
    core::Caps administrator{
        .max_bytes = Bytes(200), .max_percent = 10, .only_when_idle = false, .only_on_mains = true, .quiet_hours = {}};
    const wire::Caps both{.max_bytes = 100, .max_percent = 10, .only_when_idle = true, .only_on_mains = true, .quiet_hours = ""};
    EXPECT_EQ(caps_in_force(owner, administrator), both);
    owner.quiet_hours = core::QuietHours{60, 120};
    EXPECT_EQ(caps_in_force(owner, administrator).quiet_hours, "01:00-02:00");
    administrator.quiet_hours = core::QuietHours{22 * 60, 7 * 60};
    EXPECT_EQ(caps_in_force(owner, administrator).quiet_hours, "22:00-07:00");
}

class BusModelTest : public DaemonFixture {
protected:
    BusModelTest() {
        add(scope);
        EXPECT_TRUE(daemon_.start(now_));
        run_for(daemon_, 1);
    }

    void add(const std::string& cgroup) {
        tree_.file(cgroup + "/cgroup.procs", "").file(cgroup + "/cgroup.freeze", "0");
        tree_.file(cgroup + "/cgroup.events", "populated 1\nfrozen 0\n").file(cgroup + "/memory.current", "4096\n");
    }
    // Adds a process of the user who runs this test.
    void add_process(pid_t pid, const std::string& cgroup) {
        tree_.file("proc/" + std::to_string(pid) + "/cgroup",
                   "3:cpu:/x\n0::/" + cgroup.substr(cgroup.find("cgroup/") + 7) + "\n");
    }

    const std::string slice = "sys/fs/cgroup/transparent.slice";
    const std::string scope = slice + "/povray.scope";
    Daemon daemon_ = make_daemon();
    BusModel model_{daemon_, root_, [this] { return now_; }};
};

TEST_F(BusModelTest, TellsBytes) {
    const wire::Status status = model_.status();
    const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    EXPECT_EQ(status.total_bytes, 10000 * page);
    EXPECT_EQ(status.opaque_bytes, 4000 * page);
    EXPECT_EQ(status.transparent_bytes, 5000 * page);
    EXPECT_EQ(status.free_bytes, 1000 * page);
    EXPECT_EQ(status.source, "test");
    EXPECT_EQ(status.source_reason, "a test");
    EXPECT_NE(status.reason, "");
    EXPECT_EQ(status.reason_code, "learning");
}

TEST(ReasonValues, AreInBytesWhateverAPageHas) {
    core::Reason reason;
    EXPECT_EQ(values_of(reason, Bytes(4096)), wire::Values());
    reason.code = core::ReasonCode::corrected;
    reason.total = core::Pages(100);
    reason.need = core::Pages(40);
    reason.opaque_limit = core::Pages(50);
    reason.allowed = core::Pages(30);
    reason.cap = core::Pages(30);
    reason.expected_misses_per_s = 0.4;
    const wire::Values expected{{"total-bytes", std::uint64_t{1'638'400}},      {"need-bytes", std::uint64_t{655'360}},
                                {"opaque-limit-bytes", std::uint64_t{819'200}}, {"allowed-bytes", std::uint64_t{491'520}},
                                {"cap-bytes", std::uint64_t{491'520}},          {"expected-misses-per-second", 0.4}};
    EXPECT_EQ(values_of(reason, Bytes(16384)), expected);
}

TEST(ReasonValues, EachCodeHasItsOwn) {
    core::Reason reason;
    reason.code = core::ReasonCode::quiet_hours;
    reason.quiet_hours = "22:00-07:00";
    reason.by_administrator = true;
    EXPECT_EQ(values_of(reason, Bytes(4096)),
              (wire::Values{{"quiet-hours", std::string("22:00-07:00")}, {"by-administrator", true}}));
    reason = {};
    reason.code = core::ReasonCode::in_use;
    reason.idle_after = core::Seconds(300);
    EXPECT_EQ(values_of(reason, Bytes(4096)), (wire::Values{{"idle-after-seconds", std::uint64_t{300}}}));
    reason = {};
    reason.code = core::ReasonCode::pressure;
    reason.stall = 0.2;
    EXPECT_EQ(values_of(reason, Bytes(4096)), (wire::Values{{"stall", 0.2}}));
    reason = {};
    reason.code = core::ReasonCode::compressed_swap;
    reason.swap = core::Pages(2);
    EXPECT_EQ(values_of(reason, Bytes(16384)), (wire::Values{{"swap-bytes", std::uint64_t{32'768}}}));
    core::Reason lack;
    lack.code = core::ReasonCode::lack;
    lack.lack = core::Pages(3);
    EXPECT_EQ(values_of(lack, Bytes(4096)), (wire::Values{{"lack-bytes", std::uint64_t{12'288}}}));
}

TEST_F(BusModelTest, AKernelWithoutTmmHasACodeOfItsOwn) {
    machine_.scanner_broken = machine_.no_kernel = true;
    run_for(daemon_, 2);
    EXPECT_EQ(model_.status().state, "trouble");
    EXPECT_EQ(model_.status().reason_code, "no-kernel");
    machine_.scanner_broken = machine_.no_kernel = false;
    run_for(daemon_, 2);
    EXPECT_EQ(model_.status().reason_code, "measured");
}

TEST_F(BusModelTest, TellsTroubleWithTheReason) {
    machine_.scanner_broken = true;
    run_for(daemon_, 1);
    const wire::Status status = model_.status();
    EXPECT_EQ(status.state, "trouble");
    EXPECT_THAT(status.reason, HasSubstr("scanner broke"));
    EXPECT_EQ(status.reason_code, "trouble");
    EXPECT_TRUE(status.reason_values.empty());
    EXPECT_EQ(status.source, "none");
    EXPECT_EQ(status.opaque_limit_bytes, wire::no_limit);
    EXPECT_TRUE(std::isnan(status.expected_slowdown));
}

TEST_F(BusModelTest, APauseHasAnEnd) {
    EXPECT_EQ(model_.status().paused_until_us, 0U);
    EXPECT_FALSE(model_.status().owner_decided);
    EXPECT_TRUE(model_.apply_command(core::Pause{seconds(60)}));
    EXPECT_EQ(model_.status().state, "paused");
    EXPECT_TRUE(model_.status().owner_decided);
    EXPECT_EQ(model_.status().paused_until_us, 1'800'000'000'000'000U + 61'000'000U) << "one tick of a second came before";
    EXPECT_TRUE(model_.apply_command(core::Pause{}));
    EXPECT_EQ(model_.status().paused_until_us, wire::until_resumed);
    EXPECT_EQ(model_.decisions(1).at(0).kind, "paused");
    EXPECT_EQ(model_.decisions(1).at(0).reason_code, "paused");
    EXPECT_TRUE(model_.apply_command(core::Resume{}));
    EXPECT_EQ(model_.status().paused_until_us, 0U);
}

TEST_F(BusModelTest, TellsTheOwnersWishesForSoftMemory) {
    EXPECT_EQ(model_.soft_shares(), wire::SoftShares());
    ASSERT_TRUE(model_.apply_command(core::CapSoft{Bytes(5)}));
    for (uid_t user = 0; user < core::max_weighed_users; ++user)
        ASSERT_TRUE(model_.apply_command(core::WeighSoft{user, 200}));
    EXPECT_EQ(model_.apply_command(core::WeighSoft{9999, 200}).error().code(), EUSERS);
    ASSERT_TRUE(model_.apply_command(core::WeighSoft{9999, core::usual_soft_weight}));
    const wire::SoftShares shares = model_.soft_shares();
    EXPECT_EQ(shares.max_bytes, 5U);
    EXPECT_EQ(shares.weights.size(), core::max_weighed_users);
    EXPECT_EQ(shares.weights.back(), (wire::SoftWeight{core::max_weighed_users - 1, 200}));
}

TEST_F(BusModelTest, AContributionIsSteeredByItsNumber) {
    const auto there = model_.contributions();
    ASSERT_EQ(there.size(), 1U);
    EXPECT_EQ(there[0].memory_bytes, 4096U);
    EXPECT_EQ(there[0].weight, bus::default_weight) << "without a processor controller";
    EXPECT_TRUE(model_.steer(there[0].id, bus::Steering::pause));
    EXPECT_EQ(model_.contributions()[0].state, "paused");
    EXPECT_TRUE(model_.steer(there[0].id, bus::Steering::resume));
    EXPECT_EQ(model_.contributions()[0].state, "running");
    EXPECT_EQ(model_.steer(there[0].id + 1, bus::Steering::stop).error().code(), ENOENT);
}

TEST_F(BusModelTest, ACallerRegistersItsOwnCgroup) {
    add_process(42, scope);
    const auto id = model_.register_contribution(42, ::getuid(), "Wächter");
    ASSERT_TRUE(id);
    EXPECT_EQ(model_.contributions()[0].id, *id);
    EXPECT_EQ(model_.contributions()[0].name, "Wächter");
}

TEST_F(BusModelTest, OneThatHasJustBegunIsFound) {
    add(slice + "/new.scope");
    add_process(43, slice + "/new.scope");
    EXPECT_TRUE(model_.register_contribution(43, ::getuid(), "new"));
    EXPECT_EQ(model_.contributions().size(), 2U);
}

TEST_F(BusModelTest, WhatIsNotTheCallersIsNotRegistered) {
    add_process(42, scope);
    add_process(44, "sys/fs/cgroup/user.slice");
    EXPECT_EQ(model_.register_contribution(42, ::getuid() + 1, "x").error().code(), ENXIO) << "another user's process";
    EXPECT_EQ(model_.register_contribution(44, ::getuid(), "x").error().code(), ENXIO) << "opaque";
    EXPECT_EQ(model_.register_contribution(45, ::getuid(), "x").error().code(), ENXIO) << "the process has ended";
    EXPECT_EQ(model_.register_contribution(0, ::getuid(), "x").error().code(), ENXIO) << "the bus does not know the process";
}

}  // namespace
}  // namespace tmm::app
