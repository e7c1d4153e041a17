// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Names that others chose, and numbers that have names. Any thread.
#pragma once

#include <QString>

namespace tmm::tray {

// Returns the name as it may be shown: the replacement character for what is invisible or would act on the text around it, at
// most two combining marks on a letter, at most 64 characters.
QString visible_name(const QString& name);

// The same of a sentence, of at most 400 characters.
QString visible_sentence(const QString& sentence);

// Returns the name of a user of this computer; "User 1234" if there is none. Asks the system once for each user.
QString user_name(quint32 user);

// Returns the name of a running process, as it may be shown; empty if it has ended.
QString process_name(quint32 process);

// Shares of processor time on offer.
inline constexpr quint32 low_weight = 20;
inline constexpr quint32 normal_weight = 100;
inline constexpr quint32 high_weight = 500;

// Returns "Low", "Normal" or "High"; nothing for another share.
QString weight_word(quint32 weight);

}  // namespace tmm::tray
