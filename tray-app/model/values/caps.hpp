// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Converts the owner's caps and conditions between the daemon's dictionary and values. Pure; any thread.
#pragma once

#include <QTime>
#include <QVariantMap>
#include <optional>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

struct QuietHours {
    QTime begin;
    QTime end;  // before begin: the hours include midnight
};

// Parses "22:00-07:00", in local time. Returns nothing for any other text, including the empty one.
std::optional<QuietHours> parse_quiet_hours(const QString& text);

// The reverse.
QString format_quiet_hours(const QuietHours& hours);

// Returns the argument for SetCaps that changes "from" into "to": only keys whose values differ.
QVariantMap changed_caps(const Caps& from, const Caps& to);

}  // namespace tmm::tray
