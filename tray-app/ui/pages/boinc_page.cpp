// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_page.hpp
#include "tray-app/ui/pages/boinc_page.hpp"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QVBoxLayout>

#include "tray-app/model/words/boinc_text.hpp"
#include "tray-app/ui/drawing/bar_delegate.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

QTreeView* make_table(QAbstractItemModel* model, const QString& name) {
    auto* view = new QTreeView;
    view->setModel(model);
    view->setItemDelegate(new BarDelegate(view));
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setAlternatingRowColors(true);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setTextElideMode(Qt::ElideMiddle);
    view->setAccessibleName(name);
    view->header()->setStretchLastSection(false);
    view->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return view;
}

QLabel* make_text() {
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText);
    wrap_anywhere(label);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

BoincPage::BoincPage(BoincClient* client, BoincSwitch* boinc_switch, QWidget* parent)
    : QWidget(parent),
      client_(client),
      switch_(boinc_switch),
      status_(make_text()),
      outside_(make_text()),
      others_(make_text()),
      allow_(new QPushButton(tr("Let BOINC &use idle memory"))),
      restart_(new QPushButton(tr("&Restart BOINC"))),
      tasks_(new BoincTasksModel(this)),
      task_view_(make_table(tasks_, tr("Tasks of BOINC"))),
      empty_(new QLabel),
      sum_(make_text()),
      days_(new QStandardItemModel(0, 3, this)) {
    embolden_text(status_);
    // Names of projects have any length, and share the width that the other columns leave.
    for (const int column : {BoincTasksModel::project_column, BoincTasksModel::application_column, BoincTasksModel::name_column})
        task_view_->header()->setSectionResizeMode(column, QHeaderView::Stretch);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    by_day_ = make_days();
    auto* top = new QHBoxLayout;
    top->addWidget(status_, 1);
    top->addWidget(allow_);
    auto* outside = new QHBoxLayout;
    outside->addWidget(outside_, 1);
    outside->addWidget(restart_, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(top);
    layout->addLayout(outside);
    layout->addWidget(others_);
    layout->addWidget(task_view_, 3);
    layout->addWidget(empty_, 3);
    layout->addWidget(by_day_, 2);
    connect(allow_, &QPushButton::clicked, this, [this] { switch_->turn(true); });
    connect(restart_, &QPushButton::clicked, this, [this] { switch_->restart_client(); });
    connect(client_, &BoincClient::snapshot_changed, this, &BoincPage::show_all);
    connect(switch_, &BoincSwitch::changed, this, &BoincPage::show_all);
    show_all();
}

QWidget* BoincPage::make_days() {
    auto* part = new QWidget;
    auto* heading = new QLabel(tr("By day"));
    embolden_text(heading);
    day_view_ = make_table(days_, tr("Science and donation by day"));
    heading->setBuddy(day_view_);
    days_->setHorizontalHeaderLabels({tr("Day"), tr("Science"), tr("Donated")});
    for (const int column : {1, 2})
        days_->setHeaderData(column, Qt::Horizontal, QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter),
                             Qt::TextAlignmentRole);
    day_view_->header()->setSectionResizeMode(QHeaderView::Stretch);
    auto* layout = new QVBoxLayout(part);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(heading);
    layout->addWidget(sum_);
    layout->addWidget(day_view_, 1);
    return part;
}

void BoincPage::show_all() {
    const BoincSnapshot& snapshot = client_->snapshot();
    const bool connected = snapshot.link == Link::connected;
    status_->setText(boinc_sentence(snapshot, switch_->units()));
    outside_->setText(outside_sentence(connected ? snapshot.status.tasks_outside : 0, locale()));
    outside_->setVisible(!outside_->text().isEmpty());
    // Clients of users have no unit of the system.
    const UnitFile client = switch_->units().client;
    restart_->setVisible(!outside_->text().isEmpty() && (client == UnitFile::enabled || client == UnitFile::disabled));
    restart_->setEnabled(!switch_->busy());
    others_->setText(connected ? others_text(snapshot.status.other_clients) : QString());
    others_->setVisible(!others_->text().isEmpty());
    allow_->setVisible(switch_->units().adapter == UnitFile::disabled);
    allow_->setEnabled(!switch_->busy());
    tasks_->set_tasks(snapshot.status.tasks);
    const bool any = tasks_->rowCount() > 0;
    task_view_->setVisible(any);
    empty_->setVisible(!any);
    empty_->setText(connected ? tr("BOINC has no unfinished task.") : tr("The tasks of BOINC are shown while tmm-boinc runs."));
    if (any && !task_view_->currentIndex().isValid())
        task_view_->setCurrentIndex(tasks_->index(0, 0));
    by_day_->setVisible(connected);
    show_days();
}

void BoincPage::show_days() {
    const QList<BoincDay>& days = client_->snapshot().status.days;
    const QList<BoincDayRow> rows = day_rows(days, QDate::currentDate(), locale());
    sum_->setText(days_sentence(days, locale()));
    day_view_->setVisible(!rows.isEmpty());
    days_->setRowCount(static_cast<int>(rows.size()));
    const auto set = [this](int row, int column, const QVariant& value, int role) {
        days_->setData(days_->index(row, column), value, role);
    };
    const auto right = QVariant::fromValue(Qt::AlignRight | Qt::AlignVCenter);
    for (int row = 0; row < days_->rowCount(); ++row) {
        set(row, 0, rows[row].day, Qt::DisplayRole);
        set(row, 1, rows[row].science, Qt::DisplayRole);
        set(row, 1, rows[row].science_share, share_role);
        set(row, 2, rows[row].donation, Qt::DisplayRole);
        set(row, 2, rows[row].donation_share, share_role);
        for (const int column : {1, 2})
            set(row, column, right, Qt::TextAlignmentRole);
    }
}

}  // namespace tmm::tray
