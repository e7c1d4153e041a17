// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// overview_page.hpp
#include "tray-app/ui/pages/overview_page.hpp"

#include <QDateTime>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QPushButton>
#include <QVBoxLayout>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {

OverviewPage::OverviewPage(DaemonClient* client, QWidget* parent)
    : QWidget(parent), client_(client), ranges_(new QButtonGroup(this)), chart_(new ChartWidget) {
    auto* summaries = new QHBoxLayout;
    summaries->addWidget(make_summary(tr("Cost to your programs"), cost_));
    summaries->addWidget(make_summary(tr("Your donation"), donation_));
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(make_ranges());
    layout->addWidget(chart_, 1);
    layout->addLayout(summaries);
    connect(client_, &DaemonClient::snapshot_changed, this, &OverviewPage::show_all);
    connect(client_, &DaemonClient::history_read, this, [this](Resolution resolution, const QList<HistoryRow>& rows) {
        history_[resolution] = rows;
        show_all();
    });
    mark_range();
    show_all();
}

QWidget* OverviewPage::make_ranges() {
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("Memory over the last"));
    layout->addWidget(label);
    const struct {
        Range range;
        QString text;
    } ranges[] = {{Range::hour, tr("&Hour")}, {Range::day, tr("&Day")}, {Range::week, tr("&Week")}};
    for (const auto& each : ranges) {
        auto* button = new QPushButton(each.text);
        button->setCheckable(true);
        button->setChecked(each.range == range_);
        ranges_->addButton(button, static_cast<int>(each.range));
        layout->addWidget(button);
    }
    layout->addStretch();
    connect(ranges_, &QButtonGroup::idClicked, this, [this](int id) { set_range(static_cast<Range>(id)); });
    return bar;
}

QWidget* OverviewPage::make_summary(const QString& title, SummaryLabels& labels) {
    auto* frame = new QFrame;
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAccessibleName(title);
    auto* layout = new QVBoxLayout(frame);
    auto* heading = new QLabel(title);
    embolden_text(heading);
    labels = {new QLabel, new QLabel, new QLabel};
    enlarge_text(labels.figure);
    for (QLabel* label : {labels.figure, labels.caption, labels.lines}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(label != labels.figure);
    }
    layout->addWidget(heading);
    layout->addWidget(labels.figure);
    layout->addWidget(labels.caption);
    layout->addWidget(labels.lines);
    layout->addStretch();
    return frame;
}

void OverviewPage::show_summary(const UsageSummary& summary, const SummaryLabels& labels) {
    labels.figure->setText(summary.figure);
    labels.caption->setText(summary.caption);
    labels.lines->setText(summary.lines.join(u'\n'));
}

void OverviewPage::refresh() {
    client_->read_history(resolution_for(range_));
}

void OverviewPage::mark_range() {
    for (QAbstractButton* button : ranges_->buttons())
        mark_checked(qobject_cast<QPushButton*>(button), palette());
}

void OverviewPage::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        mark_range();
    QWidget::changeEvent(event);
}

void OverviewPage::set_range(Range range) {
    range_ = range;
    mark_range();
    show_all();
    refresh();
}

void OverviewPage::show_all() {
    const QList<HistoryRow> rows = history_.value(resolution_for(range_));
    const Snapshot& snapshot = client_->snapshot();
    const QDateTime now = QDateTime::currentDateTime();
    chart_->set_chart(make_chart(range_, rows, snapshot, now, locale()));
    show_summary(summarize_cost(range_, rows, snapshot, now, locale()), cost_);
    show_summary(summarize_donation(range_, rows, snapshot, now, locale()), donation_);
}

}  // namespace tmm::tray
