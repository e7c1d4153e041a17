// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Makes a sentence in the user's language of the daemon's reason. Pure; any thread.
#pragma once

#include <QLocale>
#include <QString>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

// Returns one or two sentences of plain text; nothing for a code that a later version added. status: of a connected daemon.
QString reason_sentence(const Status& status, const QLocale& locale);

// Returns the sentence for a trouble. code: the daemon's, any other than no-kernel quotes it. words: its own, in English.
QString trouble_sentence(const QString& code, const QString& words);

// Whether the kernel protects the owner's programs while no daemon works. last_source: of Snapshot.
bool kernel_guards(const QString& last_source);
// The same in a sentence.
QString guard_sentence(const QString& last_source);

}  // namespace tmm::tray
