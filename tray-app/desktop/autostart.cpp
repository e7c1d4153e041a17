// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// autostart.hpp
#include "tray-app/desktop/autostart.hpp"

#include <QDir>
#include <QFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <algorithm>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString file_name = u"/org.transparentmemory.TmmTray.desktop"_s;

bool is_hidden(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return true;
    // 64 KiB: far more than a desktop file needs.
    const QList<QByteArray> lines = file.read(qint64{64} * 1024).split('\n');
    return std::any_of(lines.begin(), lines.end(),
                       [](const QByteArray& line) { return line.simplified().replace(" ", "") == "Hidden=true"; });
}

}  // namespace

Autostart::Autostart(QString user_dir, QStringList system_dirs)
    : user_dir_(std::move(user_dir)), system_dirs_(std::move(system_dirs)) {}

Autostart Autostart::of_session() {
    QStringList dirs = QStandardPaths::standardLocations(QStandardPaths::GenericConfigLocation);
    for (QString& dir : dirs)
        dir += u"/autostart"_s;
    const QString user_dir = dirs.takeFirst();
    return {user_dir, dirs};
}

QString Autostart::user_file() const {
    return user_dir_ + file_name;
}

bool Autostart::installed() const {
    return std::any_of(system_dirs_.begin(), system_dirs_.end(),
                       [](const QString& dir) { return QFile::exists(dir + file_name); });
}

bool Autostart::enabled() const {
    return QFile::exists(user_file()) ? !is_hidden(user_file()) : installed();
}

bool Autostart::set_enabled(bool enabled) const {
    if (enabled == this->enabled())
        return true;
    // The installed file already says so: no override is needed.
    if (enabled == installed())
        return QFile::remove(user_file());
    if (!QDir().mkpath(user_dir_))
        return false;
    QSaveFile file(user_file());
    if (!file.open(QIODevice::WriteOnly))
        return false;
    file.write(
        "[Desktop Entry]\nType=Application\nName=Transparent Memory\nExec=tmm-tray "
        "--background\nIcon=org.transparentmemory.TmmTray\n");
    file.write(enabled ? "X-GNOME-Autostart-enabled=true\n" : "Hidden=true\n");
    return file.commit();
}

}  // namespace tmm::tray
