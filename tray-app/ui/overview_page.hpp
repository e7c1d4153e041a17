// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// First page: the chart, what it cost and what was given, over the last hour, day or week.
#pragma once

#include <QButtonGroup>
#include <QLabel>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/model/account.hpp"
#include "tray-app/ui/chart_widget.hpp"

namespace tmm::tray {

class OverviewPage : public QWidget {
    Q_OBJECT

public:
    explicit OverviewPage(DaemonClient* client, QWidget* parent = nullptr);

    // Asks the daemon for the history again; what is shown follows when it answers.
    void refresh();

private:
    struct AccountLabels {
        QLabel* figure;
        QLabel* caption;
        QLabel* lines;
    };

    QWidget* make_ranges();
    QWidget* make_account(const QString& title, AccountLabels& labels);
    static void show_account(const Account& account, const AccountLabels& labels);
    void set_range(Range range);
    void show_all();

    DaemonClient* client_;
    Range range_ = Range::hour;
    QHash<Resolution, QList<HistoryRow>> history_;
    QButtonGroup* ranges_;
    ChartWidget* chart_;
    AccountLabels cost_{};
    AccountLabels gift_{};
};

}  // namespace tmm::tray
