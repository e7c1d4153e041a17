// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DecisionsPage: the daemon's latest decisions with their reasons.
#pragma once

#include <QLabel>
#include <QTableWidget>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"

namespace tmm::tray {

class DecisionsPage : public QWidget {
    Q_OBJECT

public:
    explicit DecisionsPage(DaemonClient* client, QWidget* parent = nullptr);

    // Requests the decisions again; the list changes when the daemon answers.
    void refresh();

private:
    void show_words();
    void show_decisions(const QList<Decision>& decisions);

    DaemonClient* client_;
    QLabel* words_;
    QTableWidget* list_;
};

}  // namespace tmm::tray
