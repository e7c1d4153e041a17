// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// view.hpp
#include "tray-app/model/view.hpp"

#include <QCoreApplication>
#include <cmath>

#include "base/tomorrow.hpp"
#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/reason_text.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(View)
};

QString icon_name(const Snapshot& snapshot) {
    if (snapshot.link == Link::connecting)
        return u"tmm-tray-waiting"_s;
    if (snapshot.link != Link::connected)
        return u"tmm-tray-trouble"_s;
    switch (snapshot.status.state) {
        case State::giving:
            return u"tmm-tray-giving"_s;
        case State::paused:
            return u"tmm-tray-paused"_s;
        case State::off:
            return u"tmm-tray-off"_s;
        case State::trouble:
            return u"tmm-tray-trouble"_s;
        case State::waiting:
        case State::other:
            break;
    }
    return u"tmm-tray-waiting"_s;
}

QString paused_headline(const Status& status, const QDateTime& now, const QLocale& locale) {
    if (status.paused_until_us == until_resumed || status.paused_until_us == 0)
        return Words::tr("Paused");
    const auto until = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(status.paused_until_us / 1000));
    return Words::tr("Paused until %1").arg(format_moment(until, now, locale));
}

QString headline(const Snapshot& snapshot, const QDateTime& now, const QLocale& locale) {
    const Status& status = snapshot.status;
    switch (snapshot.link) {
        case Link::no_bus:
            return Words::tr("No system bus");
        case Link::no_daemon:
            return Words::tr("The service is not running");
        case Link::connecting:
            return Words::tr("Connecting…");
        case Link::connected:
            break;
    }
    switch (status.state) {
        case State::giving:
            return status.transparent_bytes > 0 ? Words::tr("Giving %1").arg(format_bytes(status.transparent_bytes, locale))
                                                : Words::tr("Ready to give");
        case State::paused:
            return paused_headline(status, now, locale);
        case State::off:
            return Words::tr("Switched off");
        case State::trouble:
            return Words::tr("Trouble");
        case State::waiting:
        case State::other:
            break;
    }
    return Words::tr("Waiting");
}

// For a daemon that gives a reason of a later version, or none.
QString use_sentence(const Status& status, const QLocale& locale) {
    return Words::tr("Your programs use %1 of %2.")
        .arg(format_bytes(status.opaque_bytes, locale), format_bytes(status.total_bytes, locale));
}

QString summary(const Snapshot& snapshot, const QLocale& locale) {
    switch (snapshot.link) {
        case Link::no_bus:
            return Words::tr("This window cannot reach the system bus, so it cannot show the service. It keeps trying.");
        case Link::no_daemon:
            return Words::tr("Without the service tmmd, nothing is measured or limited.") + u' ' +
                   guard_sentence(snapshot.last_source);
        case Link::connecting:
            return {};
        case Link::connected:
            break;
    }
    QString reason = reason_sentence(snapshot.status, locale);
    if (snapshot.status.state == State::trouble)
        return reason + u' ' + guard_sentence(snapshot.last_source);
    if (!reason.isEmpty())
        return reason;
    return snapshot.status.state == State::giving ? use_sentence(snapshot.status, locale)
                                                  : Words::tr("No memory is given at the moment.");
}

// One line: panels also show it as the name of the icon, for example in a list of hidden icons.
QString tooltip(const Snapshot& snapshot, const QString& headline, const QLocale& locale) {
    QString name = Words::tr("Transparent Memory: %1").arg(headline);
    const Status& status = snapshot.status;
    if (snapshot.link != Link::connected || std::isnan(status.measured_stall))
        return name;
    return Words::tr("%1; time spent waiting for memory: %2").arg(name, format_share(status.measured_stall, locale));
}

}  // namespace

FirstRun first_run_of(const Snapshot& snapshot) {
    if (snapshot.link != Link::connected)
        return FirstRun::none;
    const Status& status = snapshot.status;
    if (status.state == State::trouble)
        return status.reason_code == u"no-kernel"_s ? FirstRun::no_kernel : FirstRun::none;
    return status.owner_decided ? FirstRun::decided : FirstRun::question;
}

View make_view(const Snapshot& snapshot, const QDateTime& now, const QLocale& locale) {
    const bool connected = snapshot.link == Link::connected;
    const State state = snapshot.status.state;
    View view;
    view.icon = icon_name(snapshot);
    view.headline = headline(snapshot, now, locale);
    view.summary = summary(snapshot, locale);
    view.tooltip = tooltip(snapshot, view.headline, locale);
    view.can_pause = connected && state != State::off && state != State::trouble;
    view.can_resume = connected && state == State::paused;
    view.can_switch_on = connected && state == State::off;
    view.can_start_service = snapshot.link == Link::no_daemon;
    const bool works = snapshot.link == Link::connecting || (connected && state != State::trouble);
    view.can_stop_contributions = !works && !kernel_guards(snapshot.last_source);
    return view;
}

QList<MenuEntry> make_menu(const View& view) {
    return {
        {Action::none, view.headline, false},
        {Action::pause_half_hour, Words::tr("Pause for 30 minutes"), view.can_pause, true, true},
        {Action::pause_hour, Words::tr("Pause for an hour"), view.can_pause},
        {Action::pause_until_tomorrow, Words::tr("Pause until tomorrow"), view.can_pause},
        {Action::pause_until_resumed, Words::tr("Pause until I resume it"), view.can_pause},
        {Action::resume, Words::tr("Resume"), view.can_resume, view.can_resume},
        {Action::switch_on, Words::tr("Switch on"), view.can_switch_on, view.can_switch_on},
        {Action::start_service, Words::tr("Start the service"), view.can_start_service, view.can_start_service},
        {Action::open_window, Words::tr("Open"), true, true, true},
        {Action::open_settings, Words::tr("Settings")},
        {Action::quit, Words::tr("Quit"), true, true, true},
    };
}

quint64 pause_seconds(Action pause, const QDateTime& now) {
    switch (pause) {
        case Action::pause_half_hour:
            return 1800;
        case Action::pause_hour:
            return 3600;
        case Action::pause_until_tomorrow: {
            const int days = now.time().hour() < day_begins_hour ? 0 : 1;
            return static_cast<quint64>(now.secsTo(QDateTime(now.date().addDays(days), QTime(work_begins_hour, 0))));
        }
        default:
            return 0;
    }
}

}  // namespace tmm::tray
