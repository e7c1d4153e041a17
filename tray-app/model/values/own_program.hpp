// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A program of the user, as systemd's units of the session tell them. Plain data; any thread.
#pragma once

#include <QString>

namespace tmm::tray {

struct OwnProgram {
    QString directory;  // of its cgroup
    QString name;       // as a person knows it; others may have chosen it
    quint64 memory_bytes = 0;
    bool is_contribution = false;
    bool has_exception = false;  // never frozen for a contribution, never counted for another program

    bool operator==(const OwnProgram&) const = default;
};

// Returns the name of the application of a unit: "app-gnome-firefox\x2desr-4711.scope" gives "firefox-esr". Follows systemd's
// rules for desktops (DESKTOP_ENVIRONMENTS.md). Any other unit: its name without the type. Pure.
QString application_name(const QString& unit);

}  // namespace tmm::tray
