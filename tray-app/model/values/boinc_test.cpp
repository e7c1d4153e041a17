// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/values/boinc.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr double infinity = std::numeric_limits<double>::infinity();

QVariantMap task(const QString& name) {
    return {{u"project"_s, u"Einstein@Home"_s},
            {u"application"_s, u"Pulsars"_s},
            {u"name"_s, name},
            {u"state"_s, u"waiting"_s},
            {u"progress"_s, 0.5},
            {u"memory-bytes"_s, quint64{1} << 30},
            {u"swap-bytes"_s, quint64{4096}},
            {u"needed-bytes"_s, quint64{5}},
            {u"outside"_s, true}};
}

BoincStatus with_tasks(const QVariantList& tasks) {
    BoincStatus status;
    read_boinc({{u"Tasks"_s, tasks}}, status);
    return status;
}

BoincStatus with_days(const QVariantList& days) {
    BoincStatus status;
    read_boinc({{u"Days"_s, days}}, status);
    return status;
}

QVariant day(const QVariant& date, const QVariant& checkpointed_s, const QVariant& byte_seconds) {
    return QVariantList{date, checkpointed_s, byte_seconds};
}

TEST(BoincValues, AreRead) {
    BoincStatus status;
    read_boinc({{u"State"_s, u"read-only"_s},
                {u"Message"_s, u"no password"_s},
                {u"ClientVersion"_s, u"7.20.5"_s},
                {u"TasksOutside"_s, quint32{2}},
                {u"OtherClients"_s, QStringList{u"Another one runs."_s}},
                {u"Tasks"_s, QVariantList{task(u"a"_s)}},
                {u"Days"_s, QVariantList{day(u"2026-11-23"_s, 3600.0, 7200.0)}}},
               status);
    EXPECT_EQ(status.state, u"read-only"_s);
    EXPECT_EQ(status.message, u"no password"_s);
    EXPECT_EQ(status.client_version, u"7.20.5"_s);
    EXPECT_EQ(status.tasks_outside, 2U);
    EXPECT_EQ(status.other_clients, QStringList{u"Another one runs."_s});
    const BoincTask expected{u"Einstein@Home"_s, u"Pulsars"_s, u"a"_s, u"waiting"_s, 0.5, 1ULL << 30, 4096, 5, true};
    EXPECT_EQ(status.tasks, QList<BoincTask>{expected});
    EXPECT_EQ(status.days, (QList<BoincDay>{{QDate(2026, 11, 23), 3600, 7200}}));
}

TEST(BoincValues, OfAWrongTypeChangeNothing) {
    BoincStatus status;
    read_boinc({{u"State"_s, u"working"_s}, {u"TasksOutside"_s, quint32{2}}, {u"Tasks"_s, QVariantList{task(u"a"_s)}}}, status);
    read_boinc({{u"State"_s, 7},
                {u"Message"_s, QVariantMap()},
                {u"TasksOutside"_s, u"3"_s},
                {u"Tasks"_s, u"none"_s},
                {u"Days"_s, 1.0},
                {u"Weather"_s, u"rain"_s}},
               status);
    EXPECT_EQ(status.state, u"working"_s);
    EXPECT_EQ(status.message, QString());
    EXPECT_EQ(status.tasks_outside, 2U);
    EXPECT_EQ(status.tasks.size(), 1);
    EXPECT_TRUE(status.days.isEmpty());
}

TEST(BoincValues, OtherClientsAreBounded) {
    BoincStatus status;
    QStringList many;
    many.fill(QString(5000, u'x'), 100);
    read_boinc({{u"OtherClients"_s, many}}, status);
    EXPECT_EQ(status.other_clients.size(), max_boinc_others);
    EXPECT_EQ(status.other_clients[0].size(), max_boinc_message);
    read_boinc({{u"OtherClients"_s, u"one"_s}}, status);
    EXPECT_EQ(status.other_clients.size(), max_boinc_others) << "no list";
    read_boinc({{u"OtherClients"_s, QStringList()}}, status);
    EXPECT_TRUE(status.other_clients.isEmpty());
}

TEST(BoincValues, OfATaskMayBeMissingOrMalformed) {
    const BoincStatus status = with_tasks(
        {QVariantMap(), 5, u"task"_s,
         QVariantMap{
             {u"name"_s, 5}, {u"progress"_s, u"0.5"_s}, {u"memory-bytes"_s, -1}, {u"needed-bytes"_s, 1.5}, {u"outside"_s, 1}}});
    ASSERT_EQ(status.tasks.size(), 2) << "what is no map is no task";
    for (const BoincTask& each : status.tasks) {
        EXPECT_TRUE(std::isnan(each.progress));
        EXPECT_EQ(each.name, QString());
        EXPECT_EQ(each.memory_bytes, 0U);
        EXPECT_EQ(each.needed_bytes, 0U);
        EXPECT_FALSE(each.outside);
    }
}

TEST(BoincValues, ProgressIsAShare) {
    const auto progress_of = [](double progress) {
        return with_tasks({QVariantMap{{u"progress"_s, progress}}}).tasks.at(0).progress;
    };
    EXPECT_EQ(progress_of(1.7), 1);
    EXPECT_EQ(progress_of(-3), 0);
    EXPECT_TRUE(std::isnan(progress_of(infinity)));
    EXPECT_TRUE(std::isnan(progress_of(not_known)));
}

TEST(BoincValues, AreBounded) {
    QVariantList many;
    for (int number = 0; number < 1000; ++number)
        many << task(QString::number(number));
    EXPECT_EQ(with_tasks(many).tasks.size(), 256);
    QVariantList month;
    for (int number = 0; number < 100; ++number)
        month << day(u"2026-11-23"_s, 1.0, 1.0);
    EXPECT_EQ(with_days(month).days.size(), 31);
    const QString endless(1'000'000, u'x');
    BoincStatus status;
    read_boinc({{u"State"_s, endless}, {u"Message"_s, endless}, {u"ClientVersion"_s, endless}}, status);
    EXPECT_EQ(status.state.size(), 256);
    EXPECT_EQ(status.message.size(), 1024);
    EXPECT_EQ(status.client_version.size(), 256);
    EXPECT_EQ(with_tasks({task(endless)}).tasks.at(0).name.size(), 256);
}

TEST(BoincValues, ADayThatIsNoneIsLeftOut) {
    EXPECT_TRUE(
        with_days({day(u"yesterday"_s, 1.0, 1.0), day(u"2026-02-30"_s, 1.0, 1.0), day(5, 1.0, 1.0),
                   day(u"2026-11-23"_s, infinity, 1.0), day(u"2026-11-23"_s, 1.0, not_known), day(u"2026-11-23"_s, -1.0, 1.0),
                   day(u"2026-11-23"_s, u"1"_s, 1.0), QVariantList{u"2026-11-23"_s}, u"2026-11-23"_s})
            .days.isEmpty());
}

TEST(BoincUnits, OnlyAnUnusedAdapterIsOffered) {
    EXPECT_EQ(unit_file_of(u"enabled"_s), UnitFile::enabled);
    EXPECT_EQ(unit_file_of(u"disabled"_s), UnitFile::disabled);
    EXPECT_EQ(unit_file_of(u"masked"_s), UnitFile::other);
    const auto all = {UnitFile::unknown, UnitFile::absent, UnitFile::disabled, UnitFile::enabled, UnitFile::other};
    for (const UnitFile client : all) {
        for (const UnitFile adapter : all) {
            const bool there = client == UnitFile::disabled || client == UnitFile::enabled;
            EXPECT_EQ(may_offer_boinc({client, adapter}), there && adapter == UnitFile::disabled);
        }
    }
}

TEST(BoincUnits, AComputerWithoutBoincIsNotBothered) {
    EXPECT_FALSE(concerns_boinc({Link::no_daemon, {}}, {}));
    EXPECT_FALSE(concerns_boinc({Link::connecting, {}}, {UnitFile::absent, UnitFile::absent}));
    EXPECT_FALSE(concerns_boinc({Link::no_daemon, {}}, {UnitFile::other, UnitFile::absent})) << "a masked unit";
    EXPECT_TRUE(concerns_boinc({Link::connected, {}}, {})) << "a tmm-boinc started by hand";
    EXPECT_TRUE(concerns_boinc({Link::no_daemon, {}}, {UnitFile::enabled, UnitFile::absent}));
    EXPECT_TRUE(concerns_boinc({Link::no_daemon, {}}, {UnitFile::absent, UnitFile::enabled}));
}

}  // namespace
}  // namespace tmm::tray
