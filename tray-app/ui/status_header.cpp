// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// status_header.hpp
#include "tray-app/ui/status_header.hpp"

#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QMessageBox>
#include <QVBoxLayout>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

constexpr int status_picture_size = 56;

}  // namespace

StatusHeader::StatusHeader(DaemonClient* client, QWidget* parent)
    : QWidget(parent),
      client_(client),
      picture_(new QLabel),
      headline_(new QLabel),
      summary_(new QLabel),
      pause_(new QPushButton(tr("&Pause"))),
      resume_(make_button(tr("&Resume"), Action::resume)),
      switch_on_(make_button(tr("Switch &on"), Action::switch_on)),
      start_service_(make_button(tr("&Start the service"), Action::start_service)),
      stop_contributions_(new QPushButton(tr("Stop &contributions…"))) {
    enlarge_text(headline_);
    embolden_text(headline_);
    for (QLabel* label : {headline_, summary_}) {
        label->setTextFormat(Qt::PlainText);
        wrap_anywhere(label);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    auto* menu = new QMenu(pause_);
    const auto add = [&](const QString& text, Action action) {
        connect(menu->addAction(text), &QAction::triggered, this, [this, action] { Q_EMIT triggered(action); });
    };
    add(tr("For &30 minutes"), Action::pause_half_hour);
    add(tr("For an &hour"), Action::pause_hour);
    add(tr("Until &tomorrow"), Action::pause_until_tomorrow);
    add(tr("Until I &resume it"), Action::pause_until_resumed);
    pause_->setMenu(menu);

    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    for (QLabel* label : {headline_, summary_})
        texts->addWidget(label);
    texts->addStretch();
    auto* buttons = new QVBoxLayout;
    buttons->addWidget(pause_);
    for (QPushButton* button : {resume_, switch_on_, start_service_, stop_contributions_})
        buttons->addWidget(button);
    buttons->addStretch();
    auto* layout = new QHBoxLayout(this);
    layout->addWidget(picture_, 0, Qt::AlignTop);
    layout->addSpacing(4);
    layout->addLayout(texts, 1);
    layout->addLayout(buttons);
    connect(stop_contributions_, &QPushButton::clicked, this, &StatusHeader::ask_to_stop);
    connect(client_, &DaemonClient::snapshot_changed, this, &StatusHeader::show_status);
    show_status();
}

QPushButton* StatusHeader::make_button(const QString& text, Action action) {
    auto* button = new QPushButton(text);
    connect(button, &QPushButton::clicked, this, [this, action] { Q_EMIT triggered(action); });
    return button;
}

void StatusHeader::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        show_status();
    QWidget::changeEvent(event);
}

void StatusHeader::show_status() {
    const View view = make_view(client_->snapshot(), QDateTime::currentDateTime(), locale());
    picture_->setPixmap(tray::picture(view.icon, status_picture_size, devicePixelRatioF()));
    headline_->setText(view.headline);
    summary_->setText(view.summary);
    summary_->setVisible(!view.summary.isEmpty());
    pause_->setVisible(view.can_pause && !view.can_resume);
    resume_->setVisible(view.can_resume);
    switch_on_->setVisible(view.can_switch_on);
    start_service_->setVisible(view.can_start_service);
    stop_contributions_->setVisible(view.can_stop_contributions);
}

void StatusHeader::ask_to_stop() {
    auto* question = new QMessageBox(this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setIcon(QMessageBox::Question);
    question->setWindowTitle(tr("Stop contributions"));
    question->setText(tr("Stop all contributions?"));
    question->setInformativeText(
        tr("This ends your programs that run as contributions, and those of the system, such as BOINC. Unsaved work is lost."));
    auto* stop = question->addButton(tr("&Stop"), QMessageBox::DestructiveRole);
    auto* cancel = question->addButton(tr("&Cancel"), QMessageBox::RejectRole);
    question->setDefaultButton(cancel);
    question->setEscapeButton(cancel);
    connect(stop, &QPushButton::clicked, this, [this] { Q_EMIT triggered(Action::stop_contributions); });
    question->open();
}

}  // namespace tmm::tray
