// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_text.hpp
#include "tray-app/model/words/boinc_text.hpp"

#include <QCoreApplication>
#include <algorithm>

#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/names.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Boinc)
};

QString status_sentence(const BoincStatus& status) {
    if (status.state == u"working"_s)
        return status.client_version.isEmpty() ? Words::tr("BOINC follows tmmd.")
                                               : Words::tr("BOINC %1 follows tmmd.").arg(visible_name(status.client_version));
    if (status.state == u"no-client"_s)
        return Words::tr("No BOINC client answers. An administrator can start it with: systemctl start boinc-client");
    if (status.state == u"no-tmmd"_s)
        return Words::tr("The service tmmd does not work, so BOINC has its own limits only.");
    if (status.state == u"read-only"_s)
        return Words::tr(
            "The BOINC client refuses orders, so its tasks are only shown. To change that, let the group boinc read its "
            "gui_rpc_auth.cfg, and restart the client.");
    // A trouble has no words of its own; neither has the state of a later version.
    if (!status.message.isEmpty())
        return visible_sentence(status.message);
    return Words::tr("tmm-boinc is in trouble. An administrator can read why with: journalctl -u tmm-boinc");
}

QString state_words(const BoincTask& task, const QLocale& locale) {
    if (task.state == u"running"_s)
        return Words::tr("Running");
    if (task.state == u"waiting"_s)
        return task.needed_bytes > 0 ? Words::tr("Waits for %1").arg(format_bytes(task.needed_bytes, locale))
                                     : Words::tr("Waits for memory");
    if (task.state == u"paused"_s)
        return Words::tr("Paused while nothing is given");
    if (task.state == u"suspended"_s)
        return Words::tr("Suspended in BOINC");
    if (task.state == u"queued"_s)
        return Words::tr("Not started yet");
    if (task.state == u"ending"_s)
        return Words::tr("Is about to end");
    return visible_name(task.state);
}

QString day_words(QDate date, QDate today, const QLocale& locale) {
    if (date == today)
        return Words::tr("Today");
    if (date == today.addDays(-1))
        return Words::tr("Yesterday");
    return Words::tr("%1, %2", "weekday, date")
        .arg(locale.dayName(date.dayOfWeek(), QLocale::ShortFormat), locale.toString(date, QLocale::ShortFormat));
}

}  // namespace

QString boinc_sentence(const BoincSnapshot& snapshot, const BoincUnits& units) {
    const bool connected = snapshot.link == Link::connected;
    const bool has_client = units.client != UnitFile::absent;
    if (connected && (has_client || snapshot.status.state != u"no-client"_s))
        return status_sentence(snapshot.status);
    if (!connected && units.adapter == UnitFile::absent)
        return Words::tr(
            "BOINC does not use idle memory: tmm-boinc is not installed. An administrator can install it with: apt install "
            "tmm-boinc");
    if (!has_client)
        return Words::tr("The service of BOINC is not installed. An administrator can install it with: apt install boinc-client");
    switch (units.adapter) {
        case UnitFile::disabled:
            return Words::tr("BOINC does not use idle memory. You can let it do so on the page BOINC, or in the settings.");
        case UnitFile::enabled:
            return Words::tr("tmm-boinc does not run. An administrator can start it with: systemctl start tmm-boinc");
        case UnitFile::absent:
        case UnitFile::unknown:
        case UnitFile::other:
            break;
    }
    return Words::tr("tmm-boinc does not run.");
}

QString outside_sentence(quint32 tasks, const QLocale& locale) {
    if (tasks == 0)
        return {};
    return Words::
        tr("Tasks that are not contributions: %1. Those that began before tmm-boinc become contributions when BOINC restarts, "
           "and go on from their last checkpoint. Tasks in Docker or VirtualBox stay outside.")
            .arg(locale.toString(tasks));
}

QString others_text(const QStringList& sentences) {
    QStringList lines;
    for (const QString& sentence : sentences)
        lines << visible_sentence(sentence);
    return lines.join(u'\n');
}

QString task_sentence(const BoincTask& task, const QLocale& locale) {
    const QString words = state_words(task, locale);
    return task.outside ? Words::tr("%1; not a contribution").arg(words) : words;
}

QList<BoincDayRow> day_rows(const QList<BoincDay>& days, QDate today, const QLocale& locale) {
    double max_science = 0;
    double max_donation = 0;
    for (const BoincDay& day : days) {
        max_science = std::max(max_science, day.checkpointed_s);
        max_donation = std::max(max_donation, day.byte_seconds);
    }
    const auto share = [](double amount, double greatest) { return greatest > 0 ? amount / greatest : 0; };
    QList<BoincDayRow> rows;
    for (const BoincDay& day : days) {
        rows.prepend({day_words(day.date, today, locale), format_hours(day.checkpointed_s, locale),
                      share(day.checkpointed_s, max_science), format_gib_hours(day.byte_seconds, locale),
                      share(day.byte_seconds, max_donation)});
    }
    return rows;
}

QString days_sentence(const QList<BoincDay>& days, const QLocale& locale) {
    if (days.isEmpty())
        return Words::tr("No task has run since tmm-boinc was installed.");
    double science_s = 0;
    double byte_seconds = 0;
    for (const BoincDay& day : days) {
        science_s += day.checkpointed_s;
        byte_seconds += day.byte_seconds;
    }
    return Words::tr("In total: %1 of science, for %2 of memory. Science is processor time that reached a checkpoint.")
        .arg(format_hours(science_s, locale), format_gib_hours(byte_seconds, locale));
}

}  // namespace tmm::tray
