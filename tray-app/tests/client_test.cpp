// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QSignalSpy>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/tests/fake_daemon.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr quint64 gigabyte = 1ULL << 30;
const QString not_authorized = u"org.transparentmemory.Tmm1.Error.NotAuthorized"_s;
const QString first_contribution = u"/org/transparentmemory/Tmm1/contributions/1"_s;

class ClientTest : public testing::Test {
protected:
    void connect_to_daemon() {
        ASSERT_TRUE(bus_.start());
        ASSERT_TRUE(daemon_.start());
        client_.start();
        ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::connected; }));
    }

    // Returns the result of the last request.
    Failure answer() {
        EXPECT_TRUE(eventually([&] { return !answers_.isEmpty(); }));
        return answers_.isEmpty() ? Failure() : answers_.takeFirst().at(1).value<Failure>();
    }

    PrivateBus bus_;
    FakeDaemon daemon_;
    DaemonClient client_;
    QSignalSpy answers_{&client_, &DaemonClient::request_finished};
};

TEST_F(ClientTest, FindsABusThatComesLater) {
    client_.start();
    EXPECT_EQ(client_.snapshot().link, Link::no_bus);
    ASSERT_TRUE(bus_.start());
    EXPECT_TRUE(eventually([&] { return client_.snapshot().link == Link::no_daemon; }));
}

TEST_F(ClientTest, FindsADaemonThatComesGoesAndComesAgain) {
    ASSERT_TRUE(bus_.start());
    client_.start();
    ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::no_daemon; }));
    for (int times = 0; times < 2; ++times) {
        ASSERT_TRUE(daemon_.start());
        ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::connected; }));
        EXPECT_EQ(client_.snapshot().status.total_bytes, 16 * gigabyte);
        daemon_.stop();
        ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::no_daemon; }));
    }
}

TEST_F(ClientTest, TheBusMayGoAndComeBack) {
    connect_to_daemon();
    bus_.stop();
    ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::no_bus; }));
    daemon_.stop();
    ASSERT_TRUE(bus_.start());
    ASSERT_TRUE(daemon_.start());
    EXPECT_TRUE(eventually([&] { return client_.snapshot().link == Link::connected; }));
}

TEST_F(ClientTest, ReadsEveryProperty) {
    connect_to_daemon();
    const Status& status = client_.snapshot().status;
    EXPECT_EQ(status.version, u"0.1.0"_s);
    EXPECT_EQ(status.state, State::giving);
    EXPECT_TRUE(status.reason.startsWith(u"opaque programs need"_s));
    EXPECT_EQ(status.reason_code, u"measured"_s);
    EXPECT_EQ(status.reason_values[u"total-bytes"_s].toULongLong(), 16ULL << 30);
    EXPECT_EQ(status.paused_until_us, 0U);
    EXPECT_NEAR(static_cast<double>(status.opaque_bytes), 5.1 * gigabyte, 1);
    EXPECT_NEAR(static_cast<double>(status.transparent_bytes), 9.2 * gigabyte, 1);
    EXPECT_NEAR(static_cast<double>(status.free_bytes), 1.7 * gigabyte, 1);
    EXPECT_NEAR(static_cast<double>(status.opaque_limit_bytes), 6.2 * gigabyte, 1);
    EXPECT_NEAR(static_cast<double>(status.transparent_limit_bytes), 9.8 * gigabyte, 1);
    EXPECT_EQ(status.expected_slowdown, 0.004);
    EXPECT_EQ(status.measured_stall, 0.0002);
    EXPECT_EQ(status.last_return_faults, 12U);
    EXPECT_EQ(status.caps, Caps());
    EXPECT_EQ(status.source, u"tmm"_s);
    EXPECT_EQ(status.source_reason, u"the kernel has /dev/tmm"_s);
    EXPECT_EQ(status.given_byte_seconds, 812 * 3.6e12);
}

TEST_F(ClientTest, FollowsChanges) {
    connect_to_daemon();
    daemon_.set({{u"State"_s, u"trouble"_s}, {u"OpaqueBytes"_s, 4096}});
    ASSERT_TRUE(eventually([&] { return client_.snapshot().status.state == State::trouble; }));
    EXPECT_EQ(client_.snapshot().status.opaque_bytes, 4096U);
    EXPECT_EQ(client_.snapshot().status.total_bytes, 16 * gigabyte);
    daemon_.set({{u"State"_s, u"dreaming"_s}});
    EXPECT_TRUE(eventually([&] { return client_.snapshot().status.state == State::other; }));
}

TEST_F(ClientTest, AfterARequestTheSnapshotIsWhatTheDaemonSays) {
    connect_to_daemon();
    client_.pause(1800);
    EXPECT_FALSE(answer());
    EXPECT_EQ(client_.snapshot().status.state, State::paused);
    client_.resume();
    EXPECT_FALSE(answer());
    EXPECT_EQ(client_.snapshot().status.state, State::giving);
    client_.set_on(false);
    EXPECT_FALSE(answer());
    EXPECT_EQ(client_.snapshot().status.state, State::off);
    client_.set_caps({{u"max-percent"_s, 25.0}, {u"max-bytes"_s, 4 * gigabyte}});
    EXPECT_FALSE(answer());
    EXPECT_EQ(client_.snapshot().status.caps.max_percent, 25);
    EXPECT_EQ(client_.snapshot().status.caps.max_bytes, 4 * gigabyte);
    const QJsonArray calls = daemon_.take_calls();
    ASSERT_EQ(calls.size(), 4);
    EXPECT_EQ(calls[0].toArray(), (QJsonArray{u""_s, u"Pause"_s, 1800}));
}

TEST_F(ClientTest, TheFirstRetryComesAfterTheShortestWait) {
    client_.start();
    ASSERT_EQ(client_.snapshot().link, Link::no_bus);
    const auto* retry = client_.findChild<QTimer*>();
    ASSERT_NE(retry, nullptr);
    EXPECT_TRUE(retry->isActive());
    EXPECT_EQ(retry->interval(), 2000);
}

TEST_F(ClientTest, ARefusalIsAnAnswer) {
    connect_to_daemon();
    daemon_.refuse(u"SetOn"_s, not_authorized);
    client_.set_on(false);
    const Failure failure = answer();
    EXPECT_EQ(failure.error, not_authorized);
    EXPECT_EQ(client_.snapshot().status.state, State::giving);
}

TEST_F(ClientTest, WithoutADaemonRequestsAreAnsweredToo) {
    ASSERT_TRUE(bus_.start());
    client_.start();
    client_.pause(60);
    EXPECT_EQ(answer().error, u"org.freedesktop.DBus.Error.ServiceUnknown"_s);
    client_.stop_contribution(first_contribution);
    EXPECT_TRUE(answer());
    client_.start_service();
    EXPECT_TRUE(answer()) << "there is no systemd";
}

TEST_F(ClientTest, SystemdStartsTheService) {
    ASSERT_TRUE(bus_.start());
    FakeSystemd systemd({u"tmmd.service"_s, QStringLiteral(TMM_SOURCE_DIR "/tray-app/tests/fake_daemon.py"),
                         QStringLiteral(TMM_SOURCE_DIR "/dbus")});
    ASSERT_TRUE(systemd.start());
    client_.start();
    ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::no_daemon; }));
    client_.start_service();
    EXPECT_FALSE(answer());
    EXPECT_TRUE(eventually([&] { return client_.snapshot().link == Link::connected; }));
}

TEST_F(ClientTest, NoCallStartsTheDaemon) {
    ASSERT_TRUE(bus_.start());
    QFile meson(QStringLiteral(TMM_SOURCE_DIR "/dbus/meson.build"));
    ASSERT_TRUE(meson.open(QIODevice::ReadOnly));
    EXPECT_FALSE(meson.readAll().contains("system-services")) << "systemctl stop tmmd must hold";
}

TEST_F(ClientTest, ADaemonThatDiesLeavesNoRequestUnanswered) {
    connect_to_daemon();
    daemon_.stop();
    client_.pause(60);
    EXPECT_TRUE(answer());
}

TEST_F(ClientTest, ReadsHistoryAndDecisions) {
    connect_to_daemon();
    QSignalSpy histories(&client_, &DaemonClient::history_read);
    client_.read_history(Resolution::days);
    ASSERT_TRUE(eventually([&] { return !histories.isEmpty(); }));
    const auto rows = histories[0][1].value<QList<HistoryRow>>();
    EXPECT_EQ(histories[0][0].value<Resolution>(), Resolution::days);
    ASSERT_GT(rows.size(), 240);
    EXPECT_EQ(rows[0].measured_s, 10800U);
    EXPECT_NEAR(static_cast<double>(rows[0].opaque_bytes + rows[0].transparent_bytes + rows[0].free_bytes), 16.0 * gigabyte, 2);
    QSignalSpy decisions(&client_, &DaemonClient::decisions_read);
    client_.read_decisions(2);
    ASSERT_TRUE(eventually([&] { return !decisions.isEmpty(); }));
    const auto list = decisions[0][0].value<QList<Decision>>();
    ASSERT_EQ(list.size(), 2);
    EXPECT_EQ(list[0].kind, u"measured"_s);
    EXPECT_EQ(list[0].times, 25U);
}

TEST_F(ClientTest, FollowsContributionsOnlyWhileWatching) {
    connect_to_daemon();
    EXPECT_TRUE(client_.contributions().isEmpty());
    client_.watch_contributions(true);
    ASSERT_TRUE(eventually([&] { return client_.contributions().size() == 3; }));
    EXPECT_EQ(client_.contributions()[0].path, first_contribution);
    EXPECT_EQ(client_.contributions()[0].name, u"povray"_s);
    daemon_.set_contribution(1, {{u"MemoryBytes"_s, 4096}, {u"FarBytes"_s, 8192}, {u"State"_s, u"paused"_s}});
    EXPECT_TRUE(eventually([&] { return client_.contributions()[0].memory_bytes == 4096; }));
    EXPECT_EQ(client_.contributions()[0].far_bytes, 8192U);
    EXPECT_EQ(client_.contributions()[0].state, u"paused"_s);
    daemon_.remove_contribution(2);
    EXPECT_TRUE(eventually([&] { return client_.contributions().size() == 2; }));

    client_.watch_contributions(false);
    const QSignalSpy changes(&client_, &DaemonClient::contributions_changed);
    daemon_.set_contribution(1, {{u"MemoryBytes"_s, 8192}});
    daemon_.set({{u"OpaqueBytes"_s, 1}});  // arrives after the change
    ASSERT_TRUE(eventually([&] { return client_.snapshot().status.opaque_bytes == 1; }));
    EXPECT_TRUE(changes.isEmpty());
}

TEST_F(ClientTest, ControlsContributions) {
    connect_to_daemon();
    client_.pause_contribution(first_contribution);
    EXPECT_FALSE(answer());
    client_.resume_contribution(first_contribution);
    EXPECT_FALSE(answer());
    client_.set_weight(first_contribution, 500);
    EXPECT_FALSE(answer());
    client_.stop_contribution(first_contribution);
    EXPECT_FALSE(answer());
    const QString where = u"/contributions/1"_s;
    EXPECT_EQ(daemon_.take_calls(), (QJsonArray{QJsonArray{where, u"Pause"_s}, QJsonArray{where, u"Resume"_s},
                                                QJsonArray{where, u"SetWeight"_s, 500}, QJsonArray{where, u"Stop"_s}}));
    client_.stop_contribution(u"/org/transparentmemory/Tmm1/contributions/99"_s);
    EXPECT_TRUE(answer());
}

TEST_F(ClientTest, PassesNoticesOn) {
    connect_to_daemon();
    QSignalSpy notices(&client_, &DaemonClient::notice_received);
    daemon_.notice(u"pressure"_s, u"held"_s);
    ASSERT_TRUE(eventually([&] { return !notices.isEmpty(); }));
    EXPECT_EQ(notices[0], (QVariantList{u"pressure"_s, u"held"_s}));
}

}  // namespace
}  // namespace tmm::tray

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    const QCoreApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
