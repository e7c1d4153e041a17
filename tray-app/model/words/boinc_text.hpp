// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the window says of BOINC, in the user's language; tmmctl boinc has the same words in English. Texts of projects are
// visible_name()s. Pure; any thread.
#pragma once

#include <QDate>
#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/values/boinc.hpp"

namespace tmm::tray {

// Returns "BOINC 7.20.5 follows tmmd.", or the reason why it does not, with the remedy.
QString boinc_sentence(const BoincSnapshot& snapshot, const BoincUnits& units);

// Returns a note on the tasks that are no contributions; nothing for 0.
QString outside_sentence(quint32 tasks, const QLocale& locale);

// Returns the sentences, a line for each.
QString others_text(const QStringList& sentences);

// Returns "Waits for 1.2 GiB; not a contribution": why the task stands still.
QString task_sentence(const BoincTask& task, const QLocale& locale);

// A row of the account of days. Shares are those of the greatest day, from 0 to 1.
struct BoincDayRow {
    QString day;
    QString science;
    double science_share = 0;
    QString donation;
    double donation_share = 0;
};

// Returns the days, the latest first.
QList<BoincDayRow> day_rows(const QList<BoincDay>& days, QDate today, const QLocale& locale);

// Returns the sums of all days in a sentence; without days, that there is nothing to sum.
QString days_sentence(const QList<BoincDay>& days, const QLocale& locale);

}  // namespace tmm::tray
