// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// UsageSummary: the cost to the owner's programs and the owner's donation, summed over the history. Pure; any thread.
#pragma once

#include <QList>
#include <QLocale>
#include <QString>
#include <QStringList>

#include "tray-app/model/chart_data.hpp"
#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

// A figure, its caption, and further lines. Without a daemon there are no lines; with no history the figure is a dash.
struct UsageSummary {
    QString figure;
    QString caption;
    QStringList lines;
};

// Returns the share of time that the owner's programs waited for memory, and their page faults after breaks. rows: of
// resolution_for(range); now: end of the range.
UsageSummary summarize_cost(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                            const QLocale& locale);

// Returns the donation: given memory times its duration, in GiB hours. Arguments as above.
UsageSummary summarize_donation(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                                const QLocale& locale);

}  // namespace tmm::tray
