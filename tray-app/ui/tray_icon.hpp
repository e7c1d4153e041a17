// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The icon in the panel with its menu, by StatusNotifierItem.
//
// Qt 6.4 decides when the first icon is made, once and for all, whether the desktop has such a tray. So the icon is made when a
// tray says that it is there, and again when the panel was restarted. Trays that know only the older XEmbed get none: there is
// the window.
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

    // Looks for a tray. absent() comes if there is none yet; one that comes later is used all the same.
    void start();

    // Changes only what is not as it was: each change wakes the panel.
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
    QList<QAction*> actions_;  // as make_menu() has them
    std::unique_ptr<QSystemTrayIcon> icon_;
    View view_;
};

}  // namespace tmm::tray
