// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// StatusHeader: the top of the window, with the daemon's present state and the buttons used most.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/model/view.hpp"

namespace tmm::tray {

class StatusHeader : public QWidget {
    Q_OBJECT

public:
    explicit StatusHeader(DaemonClient* client, QWidget* parent = nullptr);

Q_SIGNALS:
    void triggered(tmm::tray::Action action);

protected:
    void changeEvent(QEvent* event) override;

private:
    QPushButton* make_button(const QString& text, Action action);
    void show_status();
    void ask_to_stop();

    DaemonClient* client_;
    QLabel* picture_;
    QLabel* headline_;
    QLabel* summary_;
    QPushButton* pause_;
    QPushButton* resume_;
    QPushButton* switch_on_;
    QPushButton* start_service_;
    QPushButton* stop_contributions_;
};

}  // namespace tmm::tray
