// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionsPage: the list of contributions. The owner can pause, resume or stop the selected one, or change its priority,
// which is its share of processor time.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QWidget>

#include "tray-app/client/boinc_client.hpp"
#include "tray-app/client/daemon_client.hpp"
#include "tray-app/model/contributions_model.hpp"

namespace tmm::tray {

class ContributionsPage : public QWidget {
    Q_OBJECT

public:
    // give_to: is shown below the list, and taken over.
    ContributionsPage(DaemonClient* client, BoincClient* boinc, QWidget* give_to, QWidget* parent = nullptr);

private:
    QWidget* make_buttons();
    [[nodiscard]] const Contribution* selected() const;
    void show_all();
    void show_buttons();
    void ask_to_stop();

    DaemonClient* client_;
    BoincClient* boinc_;
    ContributionsModel* model_;
    QTreeView* view_;
    QLabel* empty_;
    QPushButton* pause_;
    QPushButton* resume_;
    QPushButton* stop_;
    QComboBox* priority_;
};

}  // namespace tmm::tray
