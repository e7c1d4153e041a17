// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/words/boinc_text.hpp"

#include <gtest/gtest.h>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QLocale english(QLocale::English, QLocale::UnitedStates);
constexpr quint64 gibibyte = 1ULL << 30;

BoincTask task(const QString& name, const QString& state = u"running"_s) {
    return {u"Einstein@Home"_s, u"Pulsars"_s, name, state, 0.5, gibibyte, 0, 0, false};
}

QString sentence_of(const QString& state, const QString& message = {}) {
    return boinc_sentence({Link::connected, {state, message, u"7.20.5"_s, 0, {}, {}, {}}}, {});
}

TEST(BoincText, SaysWhyATaskStandsStill) {
    BoincTask waiting = task(u"a"_s, u"waiting"_s);
    EXPECT_EQ(task_sentence(waiting, english), u"Waits for memory"_s);
    waiting.needed_bytes = 6 * gibibyte / 5;
    EXPECT_EQ(task_sentence(waiting, english), u"Waits for 1.2\u00A0GiB"_s);
    waiting.outside = true;
    EXPECT_EQ(task_sentence(waiting, english), u"Waits for 1.2\u00A0GiB; not a contribution"_s);
    EXPECT_EQ(task_sentence(task(u"a"_s, u"paused"_s), english), u"Paused while nothing is given"_s);
    EXPECT_EQ(task_sentence(task(u"a"_s, u"suspended"_s), english), u"Suspended in BOINC"_s);
    EXPECT_EQ(task_sentence(task(u"a"_s, u"queued"_s), english), u"Not started yet"_s);
    EXPECT_EQ(task_sentence(task(u"a"_s, u"ending"_s), english), u"Is about to end"_s);
    EXPECT_EQ(task_sentence(task(u"a"_s, u"dream\u202eing"_s), english), u"dream\ufffding"_s) << "of a later version";
}

TEST(BoincText, SaysTheState) {
    EXPECT_EQ(sentence_of(u"working"_s), u"BOINC 7.20.5 follows tmmd."_s);
    EXPECT_TRUE(sentence_of(u"no-client"_s).contains(u"systemctl start boinc-client"_s));
    EXPECT_TRUE(sentence_of(u"no-tmmd"_s).contains(u"own limits"_s));
    EXPECT_TRUE(sentence_of(u"read-only"_s).contains(u"gui_rpc_auth.cfg"_s));
    EXPECT_EQ(sentence_of(u"trouble"_s, u"disk\u202e full"_s), u"disk\ufffd full"_s);
    EXPECT_TRUE(sentence_of(u"trouble"_s).contains(u"journalctl -u tmm-boinc"_s));
    const BoincSnapshot absent{Link::no_daemon, {}};
    EXPECT_TRUE(boinc_sentence(absent, {UnitFile::enabled, UnitFile::absent}).contains(u"apt install tmm-boinc"_s));
    EXPECT_TRUE(boinc_sentence(absent, {UnitFile::absent, UnitFile::absent}).contains(u"apt install tmm-boinc"_s));
    EXPECT_TRUE(boinc_sentence(absent, {UnitFile::absent, UnitFile::disabled}).contains(u"apt install boinc-client"_s));
    const BoincSnapshot no_client{Link::connected, {u"no-client"_s, {}, {}, 0, {}, {}, {}}};
    EXPECT_TRUE(boinc_sentence(no_client, {UnitFile::absent, UnitFile::enabled}).contains(u"apt install boinc-client"_s));
    EXPECT_TRUE(boinc_sentence(absent, {UnitFile::enabled, UnitFile::disabled}).contains(u"You can let it"_s));
    EXPECT_TRUE(boinc_sentence(absent, {UnitFile::enabled, UnitFile::enabled}).contains(u"systemctl start tmm-boinc"_s));
    EXPECT_EQ(boinc_sentence(absent, {}), u"tmm-boinc does not run."_s);
    EXPECT_TRUE(outside_sentence(0, english).isEmpty());
    EXPECT_TRUE(outside_sentence(1234, english).startsWith(u"Tasks that are not contributions: 1,234."_s));
}

TEST(BoincText, OtherClientsHaveALineEach) {
    EXPECT_TRUE(others_text({}).isEmpty());
    EXPECT_EQ(others_text({u"One\u202e runs."_s, u"Two runs."_s}), u"One\ufffd runs.\nTwo runs."_s);
}

TEST(BoincText, AddsUpTheDays) {
    const QDate today(2026, 11, 24);
    const QList<BoincDay> days{
        {today.addDays(-2), 3600, 3600.0 * gibibyte}, {today.addDays(-1), 7200, 0}, {today, 14400, 2 * 3600.0 * gibibyte}};
    const QList<BoincDayRow> rows = day_rows(days, today, english);
    ASSERT_EQ(rows.size(), 3);
    EXPECT_EQ(rows[0].day, u"Today"_s);
    EXPECT_EQ(rows[0].science, u"4.0\u00A0h"_s);
    EXPECT_EQ(rows[0].science_share, 1);
    EXPECT_EQ(rows[0].donation, u"2.0 GiB hours"_s);
    EXPECT_EQ(rows[1].day, u"Yesterday"_s);
    EXPECT_EQ(rows[1].science_share, 0.5);
    EXPECT_EQ(rows[1].donation_share, 0);
    EXPECT_EQ(rows[2].day, u"Sun, 11/22/26"_s);
    EXPECT_TRUE(days_sentence(days, english).startsWith(u"In total: 7.0\u00A0h of science, for 3.0 GiB hours of memory."_s));
    EXPECT_TRUE(days_sentence({}, english).startsWith(u"No task has run"_s));
    EXPECT_EQ(day_rows({{today, 0, 0}}, today, english)[0].science_share, 0);
}

}  // namespace
}  // namespace tmm::tray
