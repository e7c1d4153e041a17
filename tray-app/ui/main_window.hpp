// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// MainWindow: the status header, the pages and a line for messages, with the keys that windows have (tmm-tray(1)). On the first
// run it asks its question before it shows the pages. While it is visible, the client watches contributions, and the history is
// read every 30 s.
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QWidget>

#include "tray-app/client/boinc_client.hpp"
#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/client/daemon_client.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/own_programs.hpp"
#include "tray-app/desktop/preferences.hpp"
#include "tray-app/model/view.hpp"
#include "tray-app/ui/pages/welcome_page.hpp"

namespace tmm::tray {

class OverviewPage;
class DecisionsPage;
class ProgramsPage;

class MainWindow : public QWidget {
    Q_OBJECT

public:
    MainWindow(DaemonClient* client, BoincClient* boinc, BoincSwitch* boinc_switch, Preferences* preferences, Autostart autostart,
               OwnPrograms programs, QWidget* parent = nullptr);

    void show_settings();
    // Shows plain text until the user dismisses it or another message replaces it.
    void show_message(const QString& text);

Q_SIGNALS:
    void triggered(tmm::tray::Action action);
    void closed();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    void add_keys();
    QWidget* make_message_line();
    QTabWidget* make_tabs(OwnPrograms programs);
    void follow_first_run();
    void make_welcome(WelcomePage::Kind kind);
    void end_welcome(bool start_at_login);
    void on_snapshot();
    void show_outcome(Request request, const Failure& failure);
    void show_boinc();
    void show_guide();
    void refresh();

    DaemonClient* client_;
    BoincClient* boinc_;
    BoincSwitch* boinc_switch_;
    Preferences* preferences_;
    Autostart autostart_;
    bool connected_ = false;
    QStackedWidget* pages_;
    WelcomePage* welcome_ = nullptr;  // while it is shown
    QTabWidget* tabs_;
    OverviewPage* overview_;
    QWidget* overview_area_;
    QWidget* contributions_;
    QWidget* boinc_page_;
    ProgramsPage* programs_;
    DecisionsPage* decisions_;
    QWidget* settings_;
    QWidget* about_;
    QWidget* message_line_;
    QLabel* message_;
    QTimer refresh_;
};

}  // namespace tmm::tray
