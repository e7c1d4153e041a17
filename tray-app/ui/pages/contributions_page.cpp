// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// contributions_page.hpp
#include "tray-app/ui/pages/contributions_page.hpp"

#include <unistd.h>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QMessageBox>
#include <QVBoxLayout>

#include "tray-app/model/words/names.hpp"
#include "tray-app/ui/drawing/padded_delegate.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

}  // namespace

ContributionsPage::ContributionsPage(DaemonClient* client, BoincClient* boinc, QWidget* give_to, QWidget* parent)
    : QWidget(parent),
      client_(client),
      boinc_(boinc),
      model_(new ContributionsModel(::getuid(), this)),
      view_(new QTreeView),
      empty_(new QLabel),
      pause_(new QPushButton(tr("&Pause"))),
      resume_(new QPushButton(tr("&Resume"))),
      stop_(new QPushButton(tr("&Stop…"))),
      priority_(new QComboBox) {
    view_->setModel(model_);
    view_->setItemDelegate(new PaddedDelegate(view_));
    view_->setRootIsDecorated(false);
    view_->setUniformRowHeights(true);
    view_->setAllColumnsShowFocus(true);
    view_->setAlternatingRowColors(true);
    view_->setAccessibleName(tr("Contributions"));
    view_->header()->setStretchLastSection(false);
    view_->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    view_->header()->setSectionResizeMode(ContributionsModel::name_column, QHeaderView::Stretch);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(view_, 1);
    layout->addWidget(empty_, 1);
    layout->addWidget(make_buttons());
    layout->addWidget(give_to);
    connect(client_, &DaemonClient::contributions_changed, this, &ContributionsPage::show_all);
    connect(boinc_, &BoincClient::snapshot_changed, this, &ContributionsPage::show_all);
    connect(client_, &DaemonClient::snapshot_changed, this, &ContributionsPage::show_all);
    connect(client_, &DaemonClient::request_finished, this, &ContributionsPage::show_buttons);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &ContributionsPage::show_buttons);
    show_all();
}

QWidget* ContributionsPage::make_buttons() {
    for (const quint32 weight : {low_weight, normal_weight, high_weight})
        priority_->addItem(weight_word(weight), weight);
    auto* label = new QLabel(tr("Pr&iority:"));
    label->setBuddy(priority_);
    const QString hint = tr("Share of processor time among contributions");
    label->setToolTip(hint);
    priority_->setToolTip(hint);
    priority_->setAccessibleName(tr("Priority"));
    priority_->setAccessibleDescription(hint);
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(label);
    layout->addWidget(priority_);
    layout->addStretch();
    layout->addWidget(pause_);
    layout->addWidget(resume_);
    layout->addWidget(stop_);
    connect(pause_, &QPushButton::clicked, this, [this] {
        if (const Contribution* contribution = selected())
            client_->pause_contribution(contribution->path);
    });
    connect(resume_, &QPushButton::clicked, this, [this] {
        if (const Contribution* contribution = selected())
            client_->resume_contribution(contribution->path);
    });
    connect(stop_, &QPushButton::clicked, this, &ContributionsPage::ask_to_stop);
    connect(priority_, &QComboBox::activated, this, [this](int row) {
        if (const Contribution* contribution = selected())
            client_->set_weight(contribution->path, priority_->itemData(row).toUInt());
    });
    return bar;
}

const Contribution* ContributionsPage::selected() const {
    return model_->at(view_->currentIndex());
}

void ContributionsPage::show_all() {
    const BoincSnapshot& boinc = boinc_->snapshot();
    model_->set_contributions(client_->contributions(), boinc.link == Link::connected ? boinc.status.tasks : QList<BoincTask>());
    const bool any = model_->rowCount() > 0;
    view_->setVisible(any);
    empty_->setVisible(!any);
    empty_->setText(
        client_->snapshot().link == Link::connected
            ? tr("There are no contributions at the moment.\n\nStart one below, or in a terminal: maketransparent PROGRAM")
            : tr("The service does not answer, so this window does not know the contributions. Some may run."));
    if (any && !view_->currentIndex().isValid())
        view_->setCurrentIndex(model_->index(0, 0));
    show_buttons();
}

void ContributionsPage::show_buttons() {
    const Contribution* contribution = selected();
    const bool there = contribution != nullptr && client_->snapshot().link == Link::connected;
    const bool all_paused = client_->snapshot().status.state == State::paused;
    pause_->setEnabled(there && contribution->state == u"running"_s);
    resume_->setEnabled(there && contribution->state == u"paused"_s && !all_paused);
    resume_->setToolTip(all_paused ? tr("All contributions are paused. This one resumes when that pause ends.") : QString());
    stop_->setEnabled(there && contribution->state != u"stopping"_s);
    priority_->setEnabled(there);
    const int row = there ? priority_->findData(contribution->weight) : -1;
    priority_->setCurrentIndex(row);
    priority_->setPlaceholderText(there ? locale().toString(contribution->weight) : QString());
}

void ContributionsPage::ask_to_stop() {
    const Contribution* contribution = selected();
    if (contribution == nullptr)
        return;
    auto* question = new QMessageBox(this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    question->setWindowTitle(tr("Stop a contribution"));
    question->setTextFormat(Qt::PlainText);  // the name comes from a program and may hold markup
    question->setText(contribution->name.isEmpty() ? tr("Stop this program?")
                                                   : tr("Stop “%1”?").arg(visible_name(contribution->name)));
    question->setInformativeText(tr("The program gets ten seconds to end; then it is killed. Unsaved work is lost."));
    auto* stop = question->addButton(tr("&Stop"), QMessageBox::DestructiveRole);
    auto* cancel = question->addButton(tr("&Cancel"), QMessageBox::RejectRole);
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    connect(stop, &QPushButton::clicked, this, [this, path = contribution->path] { client_->stop_contribution(path); });
    question->open();
}

}  // namespace tmm::tray
