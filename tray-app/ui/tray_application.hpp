// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TrayApplication: connects the daemon, the panel icon, notifications and the window. Use it from the thread of the event loop
// only.
#pragma once

#include <QObject>
#include <QPointer>
#include <QTimer>

#include "tray-app/client/boinc_client.hpp"
#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/client/daemon_client.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/notifier.hpp"
#include "tray-app/desktop/preferences.hpp"
#include "tray-app/model/notice_filter.hpp"
#include "tray-app/ui/main_window.hpp"
#include "tray-app/ui/tray_icon.hpp"

namespace tmm::tray {

class TrayApplication : public QObject {
    Q_OBJECT

public:
    // preferences: must outlive this object.
    TrayApplication(Preferences* preferences, Autostart autostart, QObject* parent = nullptr);
    ~TrayApplication() override;

    // Shows the icon and connects to the daemon. background: opens no window, even if no panel can show the icon. A first run
    // opens one all the same.
    void start(bool background);

    void open_window();

private:
    void run_action(Action action);
    void on_snapshot();
    void open_on_first_run();
    void on_request_finished(Request request, const Failure& failure);
    void on_window_closed();
    void notify(const std::optional<Notification>& notification);

    Preferences* preferences_;
    Autostart autostart_;
    DaemonClient client_;
    BoincClient boinc_{&client_.bus()};
    BoincSwitch boinc_switch_{&client_.bus()};
    TrayIcon tray_;
    Notifier notifier_;
    NoticeFilter notices_;
    QPointer<MainWindow> window_;  // while it is open
    bool was_connected_ = false;
    QTimer daemon_lost_;
};

}  // namespace tmm::tray
