// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The owner's conditions as the daemon's dictionary and as times of the day. Pure.
#pragma once

#include <QTime>
#include <QVariantMap>
#include <optional>

#include "tray-app/model/status.hpp"

namespace tmm::tray {

struct QuietHours {
    QTime begin;
    QTime end;  // may be before begin: over midnight
};

// "22:00-07:00"; nothing for other text, the empty one included.
std::optional<QuietHours> parse_quiet_hours(const QString& text);
QString format_quiet_hours(const QuietHours& hours);

// What to call SetCaps with: only what differs.
QVariantMap changed_caps(const Caps& from, const Caps& to);

}  // namespace tmm::tray
