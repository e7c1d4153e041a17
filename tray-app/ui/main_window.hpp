// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The window: status, pages, a line for messages; the first run's question instead of the pages until it is answered. While it is
// shown it keeps the client watching and asks for the history now and then.
#pragma once

#include <QLabel>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTimer>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/preferences.hpp"
#include "tray-app/model/view.hpp"

namespace tmm::tray {

class OverviewPage;
class DecisionsPage;

class MainWindow : public QWidget {
    Q_OBJECT

public:
    MainWindow(DaemonClient* client, Preferences* preferences, Autostart autostart, QWidget* parent = nullptr);

    void show_settings();
    // Plain text; stays until it is dismissed or replaced.
    void show_message(const QString& text);

Q_SIGNALS:
    void triggered(tmm::tray::Action action);
    void closed();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void closeEvent(QCloseEvent* event) override;

private:
    QWidget* make_message_line();
    QTabWidget* make_tabs();
    void make_welcome();
    void on_snapshot();
    void show_outcome(Request request, const Failure& failure);
    void refresh();

    DaemonClient* client_;
    Preferences* preferences_;
    Autostart autostart_;
    bool connected_ = false;
    QStackedWidget* pages_;
    QTabWidget* tabs_;
    OverviewPage* overview_;
    QWidget* overview_area_;
    DecisionsPage* decisions_;
    QWidget* settings_;
    QWidget* message_line_;
    QLabel* message_;
    QTimer refresh_;
};

}  // namespace tmm::tray
