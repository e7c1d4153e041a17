// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OverviewPage: the chart, the cost to the owner's programs and the donation, over the last hour, day or week.
#pragma once

#include <QButtonGroup>
#include <QLabel>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/model/usage_summary.hpp"
#include "tray-app/ui/drawing/chart_widget.hpp"

namespace tmm::tray {

class OverviewPage : public QWidget {
    Q_OBJECT

public:
    explicit OverviewPage(DaemonClient* client, QWidget* parent = nullptr);

    // Requests the history again; the page changes when the daemon answers.
    void refresh();

protected:
    void changeEvent(QEvent* event) override;

private:
    struct SummaryLabels {
        QLabel* figure;
        QLabel* caption;
        QLabel* lines;
    };

    QWidget* make_ranges();
    QWidget* make_summary(const QString& title, SummaryLabels& labels);
    static void show_summary(const UsageSummary& summary, const SummaryLabels& labels);
    void mark_range();
    void set_range(Range range);
    void show_all();

    DaemonClient* client_;
    Range range_ = Range::hour;
    QHash<Resolution, QList<HistoryRow>> history_;
    QButtonGroup* ranges_;
    ChartWidget* chart_;
    SummaryLabels cost_{};
    SummaryLabels donation_{};
};

}  // namespace tmm::tray
