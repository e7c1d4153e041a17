// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include <gtest/gtest.h>

#include <QSignalSpy>
#include <chrono>

#include "tray-app/model/contributions_model.hpp"
#include "tray-app/model/notice_filter.hpp"
#include "tray-app/model/retry_delay.hpp"
#include "tray-app/model/usage_summary.hpp"
#include "tray-app/model/values/caps.hpp"
#include "tray-app/model/words/decision_text.hpp"
#include "tray-app/model/words/failure.hpp"
#include "tray-app/model/words/reason_text.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QLocale english(QLocale::English, QLocale::UnitedStates);
const QDateTime now(QDate(2026, 11, 21), QTime(14, 0));

HistoryRow row(qint64 seconds_ago, double stall, quint64 given, quint64 faults) {
    HistoryRow made;
    made.start_us = static_cast<quint64>(now.addSecs(-seconds_ago).toMSecsSinceEpoch()) * 1000;
    made.measured_s = 60;
    made.stall = stall;
    made.transparent_bytes = given;
    made.return_faults = faults;
    return made;
}

TEST(RetryDelay, BeginsWithTheShortestAndDoubles) {
    using namespace std::chrono_literals;
    RetryDelay delay(2s, 15s);
    EXPECT_EQ(delay.next(), 2s);
    EXPECT_EQ(delay.next(), 4s);
    EXPECT_EQ(delay.next(), 8s);
    EXPECT_EQ(delay.next(), 15s);
    EXPECT_EQ(delay.next(), 15s);
    delay.reset();
    EXPECT_EQ(delay.next(), 2s);
}

TEST(UsageSummary, CostIsTheMeanOfMeasuredTime) {
    Snapshot snapshot{Link::connected, {}, {}};
    snapshot.status.last_return_faults = 7;
    const QList<HistoryRow> rows{row(7200, 1, 0, 100), row(600, 0.02, 0, 3), row(540, 0.04, 0, 4), row(480, not_known, 0, 0)};
    const UsageSummary cost = summarize_cost(Range::hour, rows, snapshot, now, english);
    EXPECT_EQ(cost.figure, u"3.0\u00A0%"_s);
    EXPECT_EQ(cost.lines.last(), u"Page faults after you came back: 7; the last time: 7"_s);
    Snapshot soft = snapshot;
    soft.status.soft_bytes = quint64{1} << 30;
    EXPECT_EQ(summarize_cost(Range::hour, rows, soft, now, english).lines.last(),
              u"Soft memory, which they give back when others need it: 1.0\u00A0GiB"_s);
    EXPECT_EQ(summarize_cost(Range::day, rows, snapshot, now, english).lines.last(),
              u"Page faults after you came back: 107; the last time: 7"_s);
}

TEST(UsageSummary, WithoutDataIsADash) {
    const UsageSummary cost = summarize_cost(Range::hour, {}, {}, now, english);
    EXPECT_EQ(cost.figure, u"–"_s);
    EXPECT_TRUE(cost.lines.isEmpty());
    const UsageSummary donation = summarize_donation(Range::hour, {}, {}, now, english);
    EXPECT_EQ(donation.figure, u"–"_s);
    EXPECT_TRUE(donation.lines.isEmpty());
}

TEST(UsageSummary, DonationIsMemoryTimesTime) {
    const quint64 sixty_gib = 60ULL << 30;
    const UsageSummary donation =
        summarize_donation(Range::hour, {row(7200, 0, sixty_gib, 0), row(60, 0, sixty_gib, 0)}, {}, now, english);
    EXPECT_EQ(donation.figure, u"1.0 GiB hours"_s);
}

TEST(QuietHours, AreReadAndWritten) {
    const auto hours = parse_quiet_hours(u"22:00-07:30"_s);
    ASSERT_TRUE(hours);
    EXPECT_EQ(hours->begin, QTime(22, 0));
    EXPECT_EQ(hours->end, QTime(7, 30));
    EXPECT_EQ(format_quiet_hours(*hours), u"22:00-07:30"_s);
    for (const QString& wrong : {u""_s, u"22:00"_s, u"22:00-"_s, u"25:00-07:00"_s, u"1-2-3"_s, u"22:00-07:00-"_s})
        EXPECT_FALSE(parse_quiet_hours(wrong)) << wrong.toStdString();
}

TEST(ChangedCaps, HoldsOnlyDifferencesInTheDaemonsTypes) {
    EXPECT_TRUE(changed_caps({}, {}).isEmpty());
    Caps to;
    to.max_bytes = 4ULL << 30;
    to.max_percent = 25;
    to.only_when_idle = true;
    to.only_on_mains = true;
    to.quiet_hours = u"22:00-07:00"_s;
    const QVariantMap all = changed_caps({}, to);
    EXPECT_EQ(all.size(), 5);
    EXPECT_EQ(all[u"max-bytes"_s].typeId(), QMetaType::ULongLong);
    EXPECT_EQ(all[u"max-percent"_s].typeId(), QMetaType::Double);
    EXPECT_EQ(all[u"only-when-idle"_s], QVariant(true));
    EXPECT_EQ(all[u"quiet-hours"_s], QVariant(u"22:00-07:00"_s));
    Caps from = to;
    from.only_on_mains = false;
    EXPECT_EQ(changed_caps(from, to).keys(), QStringList{u"only-on-mains"_s});
}

Contribution contribution(const QString& path, const QString& name) {
    return {path, name, 1000, 1 << 30, u"running"_s, 100};
}

TEST(ContributionsModel, KeepsRowsWhereTheyAre) {
    ContributionsModel model(1000);
    model.set_contributions({contribution(u"/1"_s, u"a"_s), contribution(u"/2"_s, u"b"_s), contribution(u"/3"_s, u"c"_s)});
    const QPersistentModelIndex of_b = model.index(1, 0);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    Contribution paused = contribution(u"/2"_s, u"b"_s);
    paused.state = u"paused"_s;
    model.set_contributions({paused, contribution(u"/3"_s, u"c"_s), contribution(u"/4"_s, u"d"_s)});
    EXPECT_EQ(resets.size(), 0);
    EXPECT_EQ(changes.size(), 1);
    EXPECT_EQ(model.rowCount(), 3);
    EXPECT_EQ(of_b.row(), 0);
    EXPECT_EQ(of_b.sibling(of_b.row(), ContributionsModel::state_column).data().toString(), u"Paused"_s);
    EXPECT_EQ(model.at(model.index(2, 0))->name, u"d"_s);
    EXPECT_EQ(model.at({}), nullptr);
}

BoincTask boinc_task(const QString& name, const QString& state) {
    BoincTask task;
    task.project = u"Rosetta"_s;
    task.name = name;
    task.state = state;
    task.memory_bytes = 1 << 30;
    return task;
}

QStringList column_of(const ContributionsModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row)
        texts << model.index(row, column).data().toString();
    return texts;
}

TEST(ContributionsModel, SaysHowMuchOfAProgramIsFar) {
    ContributionsModel model(1000);
    Contribution far = contribution(u"/1"_s, u"sort"_s);
    far.memory_bytes = 1 << 30;
    model.set_contributions({far}, {});
    EXPECT_EQ(column_of(model, ContributionsModel::memory_column)[0], u"1.0\u00A0GiB"_s);
    far.far_bytes = 3ULL << 30;
    model.set_contributions({far}, {});
    EXPECT_EQ(column_of(model, ContributionsModel::memory_column)[0], u"1.0\u00A0GiB, and 3.0\u00A0GiB far"_s);
}

TEST(ContributionsModel, HasEachTaskOfBoincBelowItsClient) {
    ContributionsModel model(1000);
    const Contribution other = contribution(u"/2"_s, u"b"_s);
    Contribution client = contribution(u"/1"_s, u"boinc-client.service"_s);
    BoincTask outside = boinc_task(u"outside"_s, u"running"_s);
    outside.outside = true;
    BoincTask queued = boinc_task(u"queued"_s, u"queued"_s);
    queued.memory_bytes = 0;
    BoincTask swapped = boinc_task(u"swapped"_s, u"waiting"_s);
    swapped.memory_bytes = 0;
    swapped.swap_bytes = 1 << 20;
    swapped.needed_bytes = 1 << 30;
    model.set_contributions({client, other}, {boinc_task(u"t1"_s, u"running"_s), swapped, outside, queued});
    ASSERT_EQ(column_of(model, ContributionsModel::name_column),
              (QStringList{u"boinc-client.service"_s, u"\u2003Rosetta: t1"_s, u"\u2003Rosetta: swapped"_s, u"b"_s}));
    EXPECT_EQ(column_of(model, ContributionsModel::state_column),
              (QStringList{u"Running"_s, u"Running"_s, u"Waits for 1.0\u00A0GiB"_s, u"Running"_s}));
    EXPECT_EQ(column_of(model, ContributionsModel::memory_column)[1], u"1.0\u00A0GiB"_s);
    EXPECT_NE(model.at(model.index(0, 0)), nullptr);
    EXPECT_EQ(model.at(model.index(1, 0)), nullptr) << "nobody controls a task here";
    EXPECT_EQ(model.at(model.index(3, 0))->name, u"b"_s);
    // A new contribution comes after them, and a task that ends leaves the others.
    const QPersistentModelIndex of_b = model.index(3, 0);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    model.set_contributions({contribution(u"/0"_s, u"a"_s), client, other}, {swapped, boinc_task(u"t2"_s, u"running"_s)});
    EXPECT_EQ(column_of(model, ContributionsModel::name_column),
              (QStringList{u"boinc-client.service"_s, u"\u2003Rosetta: swapped"_s, u"\u2003Rosetta: t2"_s, u"b"_s, u"a"_s}));
    EXPECT_EQ(of_b.row(), 3);
    EXPECT_EQ(resets.size(), 0);
    model.set_contributions({other}, {swapped});
    EXPECT_EQ(column_of(model, ContributionsModel::name_column), QStringList{u"b"_s});
}

TEST(ContributionsModel, NamesTheUser) {
    ContributionsModel model(1000);
    Contribution others = contribution(u"/2"_s, {});
    others.user = 1001;
    model.set_contributions({contribution(u"/1"_s, u"a"_s), others});
    EXPECT_EQ(model.index(0, ContributionsModel::user_column).data().toString(), u"You"_s);
    EXPECT_EQ(model.index(1, ContributionsModel::user_column).data().toString(), u"User 1001"_s);
    EXPECT_EQ(model.index(1, ContributionsModel::name_column).data().toString(), u"Another user's program"_s);
    for (int column = 0; column < model.columnCount(); ++column)
        EXPECT_FALSE(model.headerData(column, Qt::Horizontal).toString().isEmpty());
}

TEST(Decisions, ShowFirstAndLastTime) {
    Decision decision;
    decision.first_us = static_cast<quint64>(now.addSecs(-600).toMSecsSinceEpoch()) * 1000;
    decision.last_us = static_cast<quint64>(now.toMSecsSinceEpoch()) * 1000;
    decision.times = 1;
    const QLocale german(QLocale::German);
    EXPECT_EQ(decision_time(decision, now, german), u"13:50"_s);
    decision.times = 10;
    EXPECT_EQ(decision_time(decision, now, german), u"13:50–14:00"_s);
    EXPECT_EQ(decision_time(decision, now.addDays(1), german), u"21.11.26 13:50–14:00"_s);
    EXPECT_EQ(decision_word(u"learning"_s), u"Learning"_s);
    EXPECT_EQ(decision_word(u"something new"_s), u"something new"_s);
}

TEST(Decisions, ATroubleQuotesTheService) {
    Decision decision;
    decision.reason = u"disk full"_s;
    decision.reason_code = u"trouble"_s;
    EXPECT_TRUE(decision_sentence(decision, QLocale::c()).contains(u"“disk full”"_s));
}

TEST(Failures, AreExplained) {
    EXPECT_FALSE(Failure());
    const QString denied = explain(Request::set_caps, {u"org.transparentmemory.Tmm1.Error.NotAuthorized"_s, u"polkit"_s});
    EXPECT_EQ(denied, u"The settings were not changed. This needs an administrator's password."_s);
    EXPECT_EQ(explain(Request::pause, {u"org.transparentmemory.Tmm1.Error.Failed"_s, u"disk full"_s}),
              u"Contributions were not paused. disk full"_s);
    EXPECT_TRUE(
        explain(Request::resume, {u"org.freedesktop.DBus.Error.ServiceUnknown"_s, {}}).contains(u"systemctl start tmmd"_s));
}

TEST(Failures, OfBoincNameTheServiceToLookAt) {
    EXPECT_EQ(explain(Request::boinc_on, {u"org.freedesktop.DBus.Error.AccessDenied"_s, u"Permission denied"_s}),
              u"BOINC was not allowed to use idle memory. This needs an administrator's password."_s);
    EXPECT_EQ(explain(Request::boinc_on, {job_failed, u"failed"_s}),
              u"BOINC was not allowed to use idle memory. The service tmm-boinc-enable failed. An administrator can read why "
              u"with: journalctl -u tmm-boinc-enable"_s);
    EXPECT_TRUE(explain(Request::boinc_off, {job_failed, u"timeout"_s}).endsWith(u"journalctl -u tmm-boinc-disable"_s));
    EXPECT_TRUE(
        explain(Request::boinc_on, {u"org.freedesktop.systemd1.NoSuchUnit"_s, {}}).endsWith(u"Its package is tmm-boinc."_s));
    EXPECT_TRUE(explain(Request::boinc_on, {u"org.freedesktop.DBus.Error.NameHasNoOwner"_s, {}})
                    .contains(u"systemctl start tmm-boinc-enable"_s));
}

TEST(Notices, OnlyKnownKindsAreShownAndEachSeldom) {
    NoticeFilter filter;
    EXPECT_FALSE(filter.on_notice(u"weather"_s, u"rain"_s, {}, now));
    EXPECT_TRUE(filter.on_notice(u"pressure"_s, u"text"_s, {}, now));
    EXPECT_FALSE(filter.on_notice(u"pressure"_s, u"text"_s, {}, now.addSecs(60)));
    EXPECT_TRUE(filter.on_notice(u"pressure"_s, u"text"_s, {}, now.addSecs(900)));
}

TEST(Notices, TheEndOfTroubleIsShownOnlyAfterItsStart) {
    NoticeFilter filter;
    EXPECT_FALSE(filter.on_notice(u"works-again"_s, {}, {}, now));
    const auto trouble = filter.on_notice(u"trouble"_s, u"no kernel"_s, u"measured"_s, now);
    ASSERT_TRUE(trouble);
    EXPECT_EQ(trouble->text, u"The service cannot work at the moment: “no kernel”. The command tmmctl doctor says what to do."_s)
        << "the code may be that of the moment before";
    const auto again = filter.on_notice(u"works-again"_s, {}, {}, now);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->kind, trouble->kind);  // takes its place on the screen
    EXPECT_FALSE(filter.on_notice(u"works-again"_s, {}, {}, now));
}

TEST(Notices, ATroubleHasTheWordsOfTheHeader) {
    const auto trouble = NoticeFilter().on_notice(u"trouble"_s, u"no cgroup v2"_s, u"no-kernel"_s, now);
    ASSERT_TRUE(trouble);
    EXPECT_EQ(trouble->text, trouble_sentence(u"no-kernel"_s, {}));
    EXPECT_FALSE(trouble->text.contains(u'“')) << "it says the same in the owner's language";
}

TEST(Notices, AreFourInAnHourAtMost) {
    NoticeFilter filter;
    int shown = 0;
    for (int minute = 0; minute < 60; ++minute) {
        shown += filter.on_notice(u"pressure"_s, {}, {}, now.addSecs(60 * minute)) ? 1 : 0;
        shown += filter.on_notice(u"trouble"_s, {}, {}, now.addSecs(60 * minute)) ? 1 : 0;
        shown += filter.on_daemon_lost({}, now.addSecs(60 * minute)) ? 1 : 0;
    }
    EXPECT_EQ(shown, 4);
}

}  // namespace
}  // namespace tmm::tray
