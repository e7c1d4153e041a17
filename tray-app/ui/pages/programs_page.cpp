// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// programs_page.hpp
#include "tray-app/ui/pages/programs_page.hpp"

#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>
#include <QVBoxLayout>

#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/names.hpp"
#include "tray-app/ui/drawing/padded_delegate.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

enum Column { name_column, kind_column, exception_column, memory_column };

// Frames the boxes to check, which some dark themes draw in the colour of the list.
class FramedChecks : public PaddedDelegate {
public:
    using PaddedDelegate::PaddedDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        PaddedDelegate::paint(painter, option, index);
        if (!index.data(Qt::CheckStateRole).isValid())
            return;
        QStyleOptionViewItem item = option;
        initStyleOption(&item, index);
        painter->setPen(muted_text(option.palette));
        painter->drawRect(option.widget->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &item, option.widget));
    }
};

}  // namespace

ProgramsPage::ProgramsPage(OwnPrograms programs, QWidget* parent)
    : QWidget(parent), programs_(std::move(programs)), list_(new QTreeWidget), empty_(new QLabel) {
    auto* intro = new QLabel(
        tr("Exceptions for your own programs, until they end. “Never count”: the memory of a program may be given away "
           "although the program uses it. “Never freeze”: a contribution runs on while others are frozen, and loses only its "
           "memory."));
    empty_->setText(tr("Your desktop does not run programs in cgroups of their own, so there is nothing to choose here."));
    for (QLabel* label : {intro, empty_}) {
        label->setTextFormat(Qt::PlainText);
        wrap_anywhere(label);
    }
    list_->setHeaderLabels({tr("Program"), tr("Kind"), tr("Exception"), tr("Memory")});
    list_->setItemDelegate(new FramedChecks(list_));
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setAllColumnsShowFocus(true);
    list_->setAlternatingRowColors(true);
    list_->setAccessibleName(tr("Programs"));
    list_->headerItem()->setTextAlignment(memory_column, Qt::AlignRight | Qt::AlignVCenter);
    list_->header()->setStretchLastSection(false);
    list_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    list_->header()->setSectionResizeMode(name_column, QHeaderView::Stretch);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(list_, 1);
    layout->addWidget(empty_, 1);
    connect(list_, &QTreeWidget::itemChanged, this, &ProgramsPage::change);
}

void ProgramsPage::refresh() {
    const QList<OwnProgram> programs = programs_.list();
    if (programs == shown_ && list_->topLevelItemCount() > 0)
        return;
    shown_ = programs;
    show_programs();
}

void ProgramsPage::show_programs() {
    const QSignalBlocker quiet(list_);
    const QTreeWidgetItem* const current = list_->currentItem();
    const QString selected = current == nullptr ? QString() : current->data(name_column, Qt::UserRole).toString();
    list_->clear();
    for (const OwnProgram& program : shown_) {
        auto* item = new QTreeWidgetItem(list_);
        item->setText(name_column, visible_name(program.name));
        item->setData(name_column, Qt::UserRole, program.directory);
        item->setText(kind_column, program.is_contribution ? tr("Contribution") : tr("Your program"));
        item->setText(exception_column, program.is_contribution ? tr("Never freeze") : tr("Never count"));
        item->setCheckState(exception_column, program.has_exception ? Qt::Checked : Qt::Unchecked);
        item->setText(memory_column, format_bytes(program.memory_bytes, locale()));
        item->setTextAlignment(memory_column, Qt::AlignRight | Qt::AlignVCenter);
        if (program.directory == selected)
            list_->setCurrentItem(item);
    }
    list_->setVisible(!shown_.isEmpty());
    empty_->setVisible(shown_.isEmpty());
}

void ProgramsPage::change(QTreeWidgetItem* item, int column) {
    const int row = list_->indexOfTopLevelItem(item);
    if (column != exception_column || row < 0 || row >= shown_.size())
        return;
    const bool on = item->checkState(exception_column) == Qt::Checked;
    const QString problem = OwnPrograms::set_exception(shown_[row], on);
    if (problem.isEmpty()) {
        shown_[row].has_exception = on;
        return;
    }
    // The item's own change is not over yet, so the item must stay.
    const QSignalBlocker quiet(list_);
    item->setCheckState(exception_column, on ? Qt::Unchecked : Qt::Checked);
    Q_EMIT message(tr("The exception was not changed: %1").arg(problem));
}

}  // namespace tmm::tray
