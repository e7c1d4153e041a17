// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the owner chose for this program alone; kept in the user's configuration.
#pragma once

#include <QByteArray>
#include <QSettings>

namespace tmm::tray {

class Preferences {
public:
    // path: of the INI file.
    explicit Preferences(const QString& path);

    // The file of the user.
    static QString user_path();

    [[nodiscard]] bool notifications() const { return get("notifications", true); }
    void set_notifications(bool on) { set("notifications", on); }

    // Closing the window leaves the icon.
    [[nodiscard]] bool close_to_tray() const { return get("close-to-tray", true); }
    void set_close_to_tray(bool on) { set("close-to-tray", on); }

    // The first run's question was answered; was shown unasked.
    [[nodiscard]] bool welcomed() const { return get("welcomed", false); }
    void set_welcomed() { set("welcomed", true); }
    [[nodiscard]] bool welcome_shown() const { return get("welcome-shown", false); }
    void set_welcome_shown() { set("welcome-shown", true); }

    [[nodiscard]] QByteArray window_geometry() const { return settings_.value("window-geometry").toByteArray(); }
    void set_window_geometry(const QByteArray& geometry) { settings_.setValue("window-geometry", geometry); }

private:
    [[nodiscard]] bool get(const char* key, bool otherwise) const { return settings_.value(key, otherwise).toBool(); }
    void set(const char* key, bool value) { settings_.setValue(key, value); }

    QSettings settings_;
};

}  // namespace tmm::tray
