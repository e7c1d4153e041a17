// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Formats a row of the daemon's decisions. Pure; any thread.
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

// Returns "14:10", or "14:10–14:25" for a repeated decision; with the date if the first time is not on the day of now.
QString decision_time(const Decision& decision, const QDateTime& now, const QLocale& locale);

// Returns the translated name of a kind; an unknown kind unchanged.
QString decision_word(const QString& kind);

// Returns the reason in the user's language; the daemon's own sentence for a code that a later version added.
QString decision_sentence(const Decision& decision, const QLocale& locale);

}  // namespace tmm::tray
