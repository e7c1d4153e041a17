// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_question.hpp
#include "tray-app/ui/boinc_question.hpp"

#include <QHBoxLayout>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {

BoincQuestion::BoincQuestion(BoincSwitch* boinc_switch, Preferences* preferences, QWidget* parent)
    : QFrame(parent),
      switch_(boinc_switch),
      preferences_(preferences),
      text_(new QLabel),
      yes_(new QPushButton(tr("&Yes"))),
      not_now_(new QPushButton(tr("&Not now"))) {
    setFrameShape(QFrame::StyledPanel);
    // It takes the height of its text only, and leaves the rest to the pages.
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    const QString question = tr("BOINC is installed: let it use idle memory?");
    setAccessibleName(question);
    yes_->setAccessibleDescription(question);
    not_now_->setAccessibleDescription(question);
    wrap_anywhere(text_);
    text_->setTextFormat(Qt::RichText);
    auto* layout = new QHBoxLayout(this);
    layout->addWidget(text_, 1);
    layout->addWidget(not_now_);
    layout->addWidget(yes_);
    connect(yes_, &QPushButton::clicked, this, [this] { switch_->turn(true); });
    connect(not_now_, &QPushButton::clicked, this, [this] {
        preferences_->set_boinc_declined();
        show_state();
    });
    connect(switch_, &BoincSwitch::changed, this, &BoincQuestion::show_state);
    show_state();
}

void BoincQuestion::show_state() {
    const bool busy = switch_->busy();
    setVisible(may_offer_boinc(switch_->units()) && !preferences_->boinc_declined());
    yes_->setEnabled(!busy);
    not_now_->setEnabled(!busy);
    const QString explanation =
        busy ? tr("The system asks an administrator, and then starts it. This may take a minute.")
             : tr("Its tasks get memory that your programs do not need, and stop when you pause. This needs an administrator's "
                  "password once.");
    text_->setText(QStringLiteral("<b>%1</b><br>%2").arg(accessibleName().toHtmlEscaped(), explanation.toHtmlEscaped()));
}

}  // namespace tmm::tray
