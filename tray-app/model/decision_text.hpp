// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A row of the daemon's decisions in the words of a locale. Pure.
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>

#include "tray-app/model/status.hpp"

namespace tmm::tray {

// "14:10", "14:10–14:25" if it was taken several times, with the date where that is not today's.
QString decision_time(const Decision& decision, const QDateTime& now, const QLocale& locale);

// The kind in a word for people; a kind that is not known as it is.
QString decision_word(const QString& kind);

}  // namespace tmm::tray
