// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// preferences.hpp
#include "tray-app/desktop/preferences.hpp"

#include <QStandardPaths>

namespace tmm::tray {

using namespace Qt::StringLiterals;

Preferences::Preferences(const QString& path) : settings_(path, QSettings::IniFormat) {}

QString Preferences::user_path() {
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) + u"/tmm/tmm-tray.ini"_s;
}

}  // namespace tmm::tray
