// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Preferences: the user's choices for this program, kept in an INI file. A file that cannot be read gives the defaults; one that
// cannot be written loses the change. Use it from one thread.
#pragma once

#include <QByteArray>
#include <QSettings>

namespace tmm::tray {

class Preferences {
public:
    // path: the INI file; it need not exist.
    explicit Preferences(const QString& path);

    // Returns the path of the file below $XDG_CONFIG_HOME.
    static QString user_path();

    [[nodiscard]] bool notifications() const { return get("notifications", true); }
    void set_notifications(bool on) { set("notifications", on); }

    // Whether the icon stays when the window is closed.
    [[nodiscard]] bool close_to_tray() const { return get("close-to-tray", true); }
    void set_close_to_tray(bool on) { set("close-to-tray", on); }

    // welcomed: the user answered the question of the first run. welcome_shown: the window has opened on its own to ask it.
    [[nodiscard]] bool welcomed() const { return get("welcomed", false); }
    void set_welcomed() { set("welcomed", true); }
    [[nodiscard]] bool welcome_shown() const { return get("welcome-shown", false); }
    void set_welcome_shown() { set("welcome-shown", true); }

    // Whether the window has said that the kernel has no TMM.
    [[nodiscard]] bool no_kernel_told() const { return get("no-kernel-told", false); }
    void set_no_kernel_told() { set("no-kernel-told", true); }

    // Whether the user does not want to be asked again if BOINC may use idle memory.
    [[nodiscard]] bool boinc_declined() const { return get("boinc-declined", false); }
    void set_boinc_declined() { set("boinc-declined", true); }

    [[nodiscard]] QByteArray window_geometry() const { return settings_.value("window-geometry").toByteArray(); }
    void set_window_geometry(const QByteArray& geometry) { settings_.setValue("window-geometry", geometry); }

private:
    [[nodiscard]] bool get(const char* key, bool otherwise) const { return settings_.value(key, otherwise).toBool(); }
    void set(const char* key, bool value) { settings_.setValue(key, value); }

    QSettings settings_;
};

}  // namespace tmm::tray
