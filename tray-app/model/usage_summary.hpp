// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// "What it cost you" and "what you gave": sums over the history in words. Pure.
#pragma once

#include <QList>
#include <QLocale>
#include <QString>
#include <QStringList>

#include "tray-app/model/chart_data.hpp"
#include "tray-app/model/status.hpp"

namespace tmm::tray {

// A figure with its caption, and further lines; none of what only a daemon that is there could tell.
struct UsageSummary {
    QString figure;
    QString caption;
    QStringList lines;
};

// What the owner's programs waited, and missed after the owner's returns.
UsageSummary summarize_cost(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                            const QLocale& locale);

// Memory given times how long.
UsageSummary summarize_donation(Range range, const QList<HistoryRow>& rows, const Snapshot& snapshot, const QDateTime& now,
                                const QLocale& locale);

}  // namespace tmm::tray
