// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincClient and BoincSwitch against stand-ins for tmm-boinc and systemd. client_test.cpp has main().
#include "tray-app/client/boinc_client.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/tests/fake_daemon.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

class BoincClientTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(bus_.start()); }

    void connect_to_boinc() {
        ASSERT_TRUE(boinc_.start());
        system_bus_.start();
        client_.watch(true);
        ASSERT_TRUE(becomes(Link::connected));
    }

    bool becomes(Link link) {
        return eventually([&] { return client_.snapshot().link == link; });
    }

    [[nodiscard]] const BoincStatus& status() const { return client_.snapshot().status; }

    PrivateBus bus_;
    FakeBoinc boinc_;
    SystemBus system_bus_;
    BoincClient client_{&system_bus_};
};

TEST_F(BoincClientTest, ReadsEveryProperty) {
    connect_to_boinc();
    EXPECT_EQ(status().state, u"working"_s);
    EXPECT_EQ(status().client_version, u"7.20.5"_s);
    ASSERT_EQ(status().tasks.size(), 5);
    const BoincTask& waiting = status().tasks[2];
    EXPECT_EQ(waiting.project, u"World Community Grid"_s);
    EXPECT_EQ(waiting.application, u"Mapping Cancer Markers"_s);
    EXPECT_EQ(waiting.name, u"MCM1_0229814_2381_1"_s);
    EXPECT_EQ(waiting.state, u"waiting"_s);
    EXPECT_EQ(waiting.progress, 0.4102);
    EXPECT_EQ(waiting.needed_bytes, static_cast<quint64>(1.2 * (1ULL << 30)));
    ASSERT_EQ(status().days.size(), 7);
    EXPECT_EQ(status().days[0].checkpointed_s, 3.1 * 3600);
    EXPECT_GT(status().days[6].date, status().days[0].date);
}

TEST_F(BoincClientTest, FollowsChanges) {
    connect_to_boinc();
    boinc_.set(
        {{u"State"_s, u"read-only"_s}, {u"Message"_s, u"no password"_s}, {u"TasksOutside"_s, 3}, {u"Tasks"_s, QJsonArray()}});
    ASSERT_TRUE(eventually([&] { return status().state == u"read-only"_s; }));
    EXPECT_EQ(status().message, u"no password"_s);
    EXPECT_EQ(status().tasks_outside, 3U);
    EXPECT_TRUE(status().tasks.isEmpty());
    EXPECT_EQ(status().days.size(), 7) << "it did not change";
}

TEST_F(BoincClientTest, FindsAnAdapterThatComesGoesAndComesAgain) {
    system_bus_.start();
    client_.watch(true);
    ASSERT_TRUE(becomes(Link::no_daemon));
    for (int times = 0; times < 2; ++times) {
        ASSERT_TRUE(boinc_.start());
        ASSERT_TRUE(becomes(Link::connected));
        EXPECT_EQ(status().tasks.size(), 5);
        boinc_.stop();
        ASSERT_TRUE(becomes(Link::no_daemon));
        EXPECT_TRUE(status().tasks.isEmpty()) << "nobody vouches for them";
    }
}

TEST_F(BoincClientTest, TheBusMayGoAndComeBack) {
    connect_to_boinc();
    bus_.stop();
    ASSERT_TRUE(becomes(Link::no_bus));
    boinc_.stop();
    ASSERT_TRUE(bus_.start());
    ASSERT_TRUE(boinc_.start());
    EXPECT_TRUE(becomes(Link::connected));
}

TEST_F(BoincClientTest, FollowsOnlyWhileWatching) {
    connect_to_boinc();
    client_.watch(false);
    const QSignalSpy changes(&client_, &BoincClient::snapshot_changed);
    boinc_.set({{u"State"_s, u"trouble"_s}});
    // Another watcher has seen the change, which came before.
    BoincClient other(&system_bus_);
    other.watch(true);
    ASSERT_TRUE(eventually([&] { return other.snapshot().status.state == u"trouble"_s; }));
    EXPECT_TRUE(changes.isEmpty());
    client_.watch(true);
    EXPECT_TRUE(eventually([&] { return status().state == u"trouble"_s; }));
}

TEST_F(BoincClientTest, IgnoresValuesOfOtherTypes) {
    connect_to_boinc();
    const BoincStatus before = status();
    for (const QString& value : {u"'text'"_s, u"uint32 5"_s, u"[uint32 5]"_s, u"['a', 'b']"_s, u"(1, 2.0)"_s, u"{'name': <5>}"_s,
                                 u"[('2026-11-23', 'two', 3.0)]"_s, u"[{'name': 'x'}]"_s, u"<[{'name': <'x'>}]>"_s}) {
        boinc_.send(u"Tasks"_s, value);
        boinc_.send(u"Days"_s, value);
        boinc_.send(u"TasksOutside"_s, u"'many'"_s);
    }
    boinc_.send(u"Tasks"_s, u"[{'name': <'odd'>, 'project': <[{'a': <5>}]>, 'progress': <('x', 1)>}]"_s);
    ASSERT_TRUE(eventually([&] { return status().tasks.size() == 1; }));
    EXPECT_EQ(status().tasks[0].name, u"odd"_s);
    EXPECT_EQ(status().tasks[0].project, QString());
    EXPECT_EQ(status().days, before.days);
    EXPECT_EQ(status().tasks_outside, 0U);
}

TEST_F(BoincClientTest, TakesNoMoreThanItShows) {
    connect_to_boinc();
    QJsonArray tasks;
    for (int number = 0; number < 2000; ++number)
        tasks << QJsonObject{{u"name"_s, QString::number(number)}};
    boinc_.set({{u"Tasks"_s, tasks}});
    ASSERT_TRUE(eventually([&] { return status().tasks.size() != 5; }));
    EXPECT_EQ(status().tasks.size(), 256);
}

class BoincSwitchTest : public testing::Test {
protected:
    void SetUp() override { ASSERT_TRUE(bus_.start()); }

    void connect_to_systemd() {
        ASSERT_TRUE(systemd_.start());
        systemd_.set_boinc(u"disabled"_s);
        system_bus_.start();
        ASSERT_TRUE(eventually([&] { return units().adapter == UnitFile::disabled; }));
    }

    [[nodiscard]] const BoincUnits& units() const { return switch_.units(); }

    // Returns the result of the request.
    Failure answer() {
        EXPECT_TRUE(eventually([&] { return !answers_.isEmpty(); }));
        EXPECT_FALSE(switch_.busy());
        return answers_.isEmpty() ? Failure() : answers_.takeFirst().at(1).value<Failure>();
    }

    PrivateBus bus_;
    FakeSystemd systemd_;
    SystemBus system_bus_;
    BoincSwitch switch_{&system_bus_};
    QSignalSpy answers_{&switch_, &BoincSwitch::finished};
};

TEST_F(BoincSwitchTest, ReadsTheUnits) {
    connect_to_systemd();
    EXPECT_EQ(units(), (BoincUnits{UnitFile::enabled, UnitFile::disabled}));
    systemd_.set_units({{u"tmm-boinc.service"_s, u"enabled"_s}});
    switch_.read();
    EXPECT_TRUE(eventually([&] { return units() == BoincUnits{UnitFile::absent, UnitFile::enabled}; }));
}

TEST_F(BoincSwitchTest, WithoutSystemdNothingIsKnown) {
    system_bus_.start();
    switch_.turn(true);
    EXPECT_TRUE(explain(Request::boinc_on, answer()).contains(u"systemd does not answer"_s));
    EXPECT_EQ(units(), BoincUnits());
}

TEST_F(BoincSwitchTest, TurnsOnAndOff) {
    connect_to_systemd();
    switch_.turn(true);
    EXPECT_TRUE(switch_.busy());
    switch_.turn(false);  // nothing, while it is busy
    EXPECT_FALSE(answer());
    EXPECT_EQ(units().adapter, UnitFile::enabled) << "known before the answer";
    switch_.turn(false);
    EXPECT_FALSE(answer());
    EXPECT_EQ(units().adapter, UnitFile::disabled);
    EXPECT_EQ(systemd_.take_calls(), (QJsonArray{u"tmm-boinc-enable.service"_s, u"tmm-boinc-disable.service"_s}));
}

TEST_F(BoincSwitchTest, RestartsTheClient) {
    connect_to_systemd();
    switch_.restart_client();
    EXPECT_FALSE(answer());
    EXPECT_EQ(systemd_.take_calls(), QJsonArray{u"boinc-client.service"_s});
    EXPECT_EQ(units(), (BoincUnits{UnitFile::enabled, UnitFile::disabled}));
    systemd_.set_result(u"failed"_s);
    switch_.restart_client();
    EXPECT_TRUE(explain(Request::boinc_restart, answer()).endsWith(u"journalctl -u boinc-client"_s));
    systemd_.set_units({});
    switch_.restart_client();
    EXPECT_EQ(explain(Request::boinc_restart, answer()), u"BOINC was not restarted. It does not run as boinc-client.service."_s);
}

TEST_F(BoincSwitchTest, WaitsForTheEndOfItsJob) {
    connect_to_systemd();
    systemd_.set_result(u"never"_s);
    switch_.turn(true);
    ASSERT_TRUE(eventually([&] { return !systemd_.take_calls().isEmpty(); }));
    // Replies arrive in order, so systemd's answer has arrived after this one.
    BoincSwitch other(&system_bus_);
    QSignalSpy known(&other, &BoincSwitch::changed);
    other.read();
    ASSERT_TRUE(eventually([&] { return !known.isEmpty(); }));
    EXPECT_TRUE(answers_.isEmpty());
    EXPECT_TRUE(switch_.busy());
    bus_.stop();
    EXPECT_EQ(answer().error, u"org.freedesktop.DBus.Error.Disconnected"_s);
}

TEST_F(BoincSwitchTest, AJobMayEndBeforeSystemdAnswers) {
    connect_to_systemd();
    systemd_.set_result(u"early"_s);
    switch_.turn(true);
    EXPECT_FALSE(answer());
}

TEST_F(BoincSwitchTest, ABadEndOfTheJobIsAFailure) {
    connect_to_systemd();
    for (const QString& result : {u"failed"_s, u"timeout"_s, u"canceled"_s, u"dependency"_s}) {
        systemd_.set_result(result);
        switch_.turn(true);
        const Failure failure = answer();
        EXPECT_EQ(failure.error, job_failed);
        EXPECT_EQ(failure.message, result);
        EXPECT_EQ(units().adapter, UnitFile::disabled);
    }
}

TEST_F(BoincSwitchTest, ARefusalIsAFailure) {
    connect_to_systemd();
    const QString denied = u"org.freedesktop.DBus.Error.AccessDenied"_s;
    systemd_.refuse(denied);
    switch_.turn(true);
    EXPECT_EQ(answer().error, denied);
    systemd_.refuse({});
    switch_.turn(true);
    EXPECT_FALSE(answer()) << "another try";
    systemd_.set_units({});
    switch_.turn(false);
    EXPECT_EQ(answer().error, u"org.freedesktop.systemd1.NoSuchUnit"_s);
}

}  // namespace
}  // namespace tmm::tray
