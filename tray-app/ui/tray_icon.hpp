// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TrayIcon: the icon in the panel and its menu, by StatusNotifierItem. Use it from the thread of the event loop only.
//
// Qt 6.4 decides only once, when it makes the first icon, whether the desktop has such a tray. So the icon is made when a tray
// appears, and again when the panel was restarted. Trays with only the older XEmbed protocol get no icon; the window remains.
#pragma once

#include <QDBusServiceWatcher>
#include <QMenu>
#include <QObject>
#include <QSystemTrayIcon>
#include <memory>

#include "tray-app/model/view.hpp"

namespace tmm::tray {

class TrayIcon : public QObject {
    Q_OBJECT

public:
    explicit TrayIcon(QObject* parent = nullptr);
    ~TrayIcon() override;

    // Queries the session bus for a tray. Emits absent() if there is none yet; a tray that appears later still gets the icon.
    void start();

    // Shows a view. Sends only the changes, since each one wakes the panel.
    void show(const View& view);

    [[nodiscard]] bool visible() const { return icon_ != nullptr; }

Q_SIGNALS:
    void triggered(tmm::tray::Action action);
    void absent();

private Q_SLOTS:
    void make_icon();

private:
    void query_tray();
    void update_menu();

    std::unique_ptr<QDBusServiceWatcher> watcher_;
    std::unique_ptr<QMenu> menu_;
    QList<QAction*> actions_;  // in the order of make_menu()
    std::unique_ptr<QSystemTrayIcon> icon_;
    View view_;
};

}  // namespace tmm::tray
