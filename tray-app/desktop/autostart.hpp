// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Starting at login, as the Desktop Application Autostart Specification has it: a file of the same name in the user's directory
// overrides the one that the package installed.
#pragma once

#include <QString>
#include <QStringList>

namespace tmm::tray {

class Autostart {
public:
    // system_dirs: in the order of their weight. Relative ones make no sense.
    Autostart(QString user_dir, QStringList system_dirs);

    // That of the session: $XDG_CONFIG_HOME and $XDG_CONFIG_DIRS.
    static Autostart of_session();

    [[nodiscard]] bool enabled() const;

    // False: the file could not be written.
    [[nodiscard]] bool set_enabled(bool enabled) const;

private:
    [[nodiscard]] QString user_file() const;
    [[nodiscard]] bool installed() const;

    QString user_dir_;
    QStringList system_dirs_;
};

}  // namespace tmm::tray
