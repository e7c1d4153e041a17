// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincPage: BOINC's tasks with the reason why each stands still, and its science and donation by day.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTreeView>
#include <QWidget>

#include "tray-app/client/boinc_client.hpp"
#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/model/boinc_tasks_model.hpp"

namespace tmm::tray {

class BoincPage : public QWidget {
    Q_OBJECT

public:
    BoincPage(BoincClient* client, BoincSwitch* boinc_switch, QWidget* parent = nullptr);

private:
    QWidget* make_days();
    void show_all();
    void show_days();

    BoincClient* client_;
    BoincSwitch* switch_;
    QLabel* status_;
    QLabel* outside_;
    QLabel* others_;
    QPushButton* allow_;
    QPushButton* restart_;
    BoincTasksModel* tasks_;
    QTreeView* task_view_;
    QLabel* empty_;
    QWidget* by_day_;
    QLabel* sum_;
    QStandardItemModel* days_;
    QTreeView* day_view_;
};

}  // namespace tmm::tray
