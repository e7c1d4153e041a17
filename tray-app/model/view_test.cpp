// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/view.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr quint64 gigabyte = 1ULL << 30;
const QDateTime noon(QDate(2026, 11, 21), QTime(12, 0));

Snapshot connected(State state) {
    Snapshot snapshot{Link::connected, {}, {}};
    snapshot.status.state = state;
    snapshot.status.reason = u"because"_s;
    snapshot.status.reason_code = u"measured"_s;
    snapshot.status.reason_values = {{u"need-bytes"_s, 4 * gigabyte}, {u"total-bytes"_s, 16 * gigabyte}};
    snapshot.status.total_bytes = 16 * gigabyte;
    snapshot.status.opaque_bytes = 5 * gigabyte;
    snapshot.status.transparent_bytes = 9 * gigabyte;
    snapshot.status.expected_slowdown = 0.004;
    return snapshot;
}

View view_of(const Snapshot& snapshot) {
    return make_view(snapshot, noon, QLocale(QLocale::German));
}

const MenuEntry& entry(const QList<MenuEntry>& menu, Action action) {
    return *std::find_if(menu.begin(), menu.end(), [&](const MenuEntry& each) { return each.action == action; });
}

TEST(View, EveryStateHasItsIcon) {
    EXPECT_EQ(view_of(connected(State::giving)).icon, u"tmm-tray-giving"_s);
    EXPECT_EQ(view_of(connected(State::waiting)).icon, u"tmm-tray-waiting"_s);
    EXPECT_EQ(view_of(connected(State::other)).icon, u"tmm-tray-waiting"_s);
    EXPECT_EQ(view_of(connected(State::paused)).icon, u"tmm-tray-paused"_s);
    EXPECT_EQ(view_of(connected(State::off)).icon, u"tmm-tray-off"_s);
    EXPECT_EQ(view_of(connected(State::trouble)).icon, u"tmm-tray-trouble"_s);
    EXPECT_EQ(view_of({Link::no_daemon, {}, {}}).icon, u"tmm-tray-trouble"_s);
    EXPECT_EQ(view_of({Link::no_bus, {}, {}}).icon, u"tmm-tray-trouble"_s);
    EXPECT_EQ(view_of({Link::connecting, {}, {}}).icon, u"tmm-tray-waiting"_s);
}

TEST(View, GivingShowsNumbers) {
    const View view = view_of(connected(State::giving));
    EXPECT_EQ(view.headline, u"Giving 9,0\u00A0GiB"_s);
    EXPECT_EQ(view.summary, u"Your programs need 4,0\u00A0GiB of 16,0\u00A0GiB; 9,0\u00A0GiB are given."_s);
    EXPECT_EQ(view.tooltip, u"Transparent Memory: Giving 9,0\u00A0GiB"_s);
    Snapshot waited = connected(State::giving);
    waited.status.measured_stall = 0.002;
    EXPECT_EQ(view_of(waited).tooltip, u"Transparent Memory: Giving 9,0\u00A0GiB; time spent waiting for memory: 0,2\u00A0%"_s);
    Snapshot nothing = connected(State::giving);
    nothing.status.transparent_bytes = 0;
    EXPECT_EQ(view_of(nothing).headline, u"Ready to give"_s);
}

TEST(View, AReasonOfALaterVersionIsNotQuoted) {
    Snapshot snapshot = connected(State::giving);
    snapshot.status.reason_code = u"moonlight"_s;
    EXPECT_EQ(view_of(snapshot).summary, u"Your programs use 5,0\u00A0GiB of 16,0\u00A0GiB."_s);
    snapshot.status.state = State::waiting;
    EXPECT_EQ(view_of(snapshot).summary, u"No memory is given at the moment."_s);
}

TEST(View, APauseSaysWhenItEnds) {
    Snapshot snapshot = connected(State::paused);
    snapshot.status.paused_until_us = static_cast<quint64>(noon.addSecs(1800).toMSecsSinceEpoch()) * 1000;
    EXPECT_EQ(view_of(snapshot).headline, u"Paused until 12:30"_s);
    snapshot.status.paused_until_us = until_resumed;
    EXPECT_EQ(view_of(snapshot).headline, u"Paused"_s);
}

TEST(View, WithoutADaemonNothingOldIsShown) {
    Snapshot snapshot = connected(State::giving);
    snapshot.link = Link::no_daemon;
    const View view = view_of(snapshot);
    EXPECT_EQ(view.tooltip, u"Transparent Memory: "_s + view.headline);
    EXPECT_FALSE(view.summary.contains(u"4,0"_s));
}

TEST(View, OnlyAKernelWithTmmGuardsWithoutADaemon) {
    const QString claim = u"can use all memory"_s;
    Snapshot trouble = connected(State::trouble);
    trouble.status.reason_code = u"trouble"_s;
    for (Snapshot snapshot : {Snapshot{Link::no_daemon, {}, {}}, trouble}) {
        for (const QString& source : {QString(), u"footprint"_s, u"idle"_s, u"none"_s}) {
            snapshot.last_source = source;
            const View view = view_of(snapshot);
            EXPECT_FALSE(view.summary.contains(claim)) << view.summary.toStdString();
            EXPECT_TRUE(view.summary.contains(u"like any other program"_s)) << view.summary.toStdString();
            EXPECT_TRUE(view.can_stop_contributions);
            EXPECT_FALSE(view.can_pause) << "it would have no effect";
        }
        snapshot.last_source = u"tmm"_s;
        EXPECT_TRUE(view_of(snapshot).summary.contains(claim));
        EXPECT_FALSE(view_of(snapshot).can_stop_contributions);
    }
    EXPECT_FALSE(view_of(connected(State::giving)).can_stop_contributions);
}

TEST(Menu, OffersOnlyUsefulEntries) {
    const auto giving = make_menu(view_of(connected(State::giving)));
    EXPECT_TRUE(entry(giving, Action::pause_hour).enabled);
    EXPECT_TRUE(entry(giving, Action::pause_until_resumed).enabled);
    EXPECT_FALSE(entry(giving, Action::resume).visible);
    EXPECT_FALSE(entry(giving, Action::switch_on).visible);
    EXPECT_FALSE(entry(giving, Action::start_service).visible);

    const auto paused = make_menu(view_of(connected(State::paused)));
    EXPECT_TRUE(entry(paused, Action::resume).visible && entry(paused, Action::resume).enabled);
    EXPECT_TRUE(entry(paused, Action::pause_hour).enabled);  // another length

    const auto off = make_menu(view_of(connected(State::off)));
    EXPECT_TRUE(entry(off, Action::switch_on).visible);
    EXPECT_FALSE(entry(off, Action::pause_hour).enabled);
    EXPECT_FALSE(entry(off, Action::pause_until_resumed).enabled);

    const auto gone = make_menu(view_of({Link::no_daemon, {}, {}}));
    EXPECT_TRUE(entry(gone, Action::start_service).visible);
    EXPECT_FALSE(entry(gone, Action::pause_hour).enabled);
    EXPECT_TRUE(entry(gone, Action::quit).enabled);
}

TEST(Menu, HasTheSameEntriesInEveryState) {
    const auto one = make_menu(view_of(connected(State::giving)));
    const auto other = make_menu(view_of({Link::no_bus, {}, {}}));
    ASSERT_EQ(one.size(), other.size());
    for (qsizetype i = 0; i < one.size(); ++i)
        EXPECT_EQ(one[i].action, other[i].action);
}

TEST(PauseSeconds, TomorrowIsAfterSleep) {
    EXPECT_EQ(pause_seconds(Action::pause_half_hour, noon), 1800U);
    EXPECT_EQ(pause_seconds(Action::pause_hour, noon), 3600U);
    EXPECT_EQ(pause_seconds(Action::pause_until_resumed, noon), 0U);
    EXPECT_EQ(pause_seconds(Action::pause_until_tomorrow, noon), 18U * 3600);
    const QDateTime late(QDate(2026, 11, 22), QTime(1, 30));
    EXPECT_EQ(pause_seconds(Action::pause_until_tomorrow, late), 4U * 3600 + 1800);
}

}  // namespace
}  // namespace tmm::tray
