// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Autostart: whether the session starts tmm-tray at login, by the Desktop Application Autostart Specification. A file in the
// user's directory overrides the installed file of the same name. Blocks for file access; no state besides the files.
#pragma once

#include <QString>
#include <QStringList>

namespace tmm::tray {

class Autostart {
public:
    // user_dir, system_dirs: absolute paths of autostart directories; system_dirs in order of precedence.
    Autostart(QString user_dir, QStringList system_dirs);

    // Returns an Autostart for the directories of $XDG_CONFIG_HOME and $XDG_CONFIG_DIRS.
    static Autostart of_session();

    // Returns whether the session starts the program. An unreadable user's file counts as disabled.
    [[nodiscard]] bool enabled() const;

    // Writes or removes the user's file. Returns false if that failed.
    [[nodiscard]] bool set_enabled(bool enabled) const;

private:
    [[nodiscard]] QString user_file() const;
    [[nodiscard]] bool installed() const;

    QString user_dir_;
    QStringList system_dirs_;
};

}  // namespace tmm::tray
