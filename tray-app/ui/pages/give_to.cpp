// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// give_to.hpp
#include "tray-app/ui/pages/give_to.hpp"

#include <QDir>
#include <QFileDialog>
#include <QGridLayout>
#include <QHBoxLayout>

#include "tray-app/model/words/boinc_text.hpp"
#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {

GiveTo::GiveTo(BoincClient* boinc, BoincSwitch* boinc_switch, QWidget* parent)
    : QWidget(parent),
      boinc_(boinc),
      switch_(boinc_switch),
      boinc_text_(new QLabel),
      boinc_page_(new QPushButton(tr("Show &BOINC"))) {
    auto* heading = new QLabel(tr("Give to …"));
    embolden_text(heading);
    auto* program_text = new QLabel(tr("A program of yours, such as a renderer, becomes a contribution."));
    auto* program = new QPushButton(tr("S&tart a program…"));
    auto* guide_text = new QLabel(tr("The guide for owners explains what contributions are, and what they cost."));
    auto* guide = new QPushButton(tr("&Guide"));
    for (QLabel* label : {boinc_text_, program_text, guide_text}) {
        label->setTextFormat(Qt::PlainText);
        wrap_anywhere(label);
    }
    // It may hold a command to copy.
    boinc_text_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    program->setAccessibleDescription(program_text->text());
    guide->setAccessibleDescription(guide_text->text());
    // The text has the width of a button that is not there.
    auto* boinc_line = new QHBoxLayout;
    boinc_line->addWidget(boinc_text_, 1);
    boinc_line->addWidget(boinc_page_);
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(0, 8, 0, 0);
    layout->setColumnStretch(0, 1);
    layout->addWidget(heading, 0, 0, 1, 2);
    layout->addLayout(boinc_line, 1, 0, 1, 2);
    layout->addWidget(program_text, 2, 0);
    layout->addWidget(program, 2, 1);
    layout->addWidget(guide_text, 3, 0);
    layout->addWidget(guide, 3, 1);
    connect(boinc_page_, &QPushButton::clicked, this, &GiveTo::boinc_wanted);
    connect(program, &QPushButton::clicked, this, &GiveTo::choose_program);
    connect(guide, &QPushButton::clicked, this, &GiveTo::guide_wanted);
    connect(&starter_, &ProgramStarter::failed, this,
            [this](const QString& path, const StartFailure& failure) { Q_EMIT message(explain(path, failure)); });
    connect(boinc_, &BoincClient::snapshot_changed, this, &GiveTo::show_boinc);
    connect(switch_, &BoincSwitch::changed, this, &GiveTo::show_boinc);
    show_boinc();
}

void GiveTo::show_boinc() {
    boinc_text_->setText(boinc_sentence(boinc_->snapshot(), switch_->units()));
    boinc_page_->setVisible(concerns_boinc(boinc_->snapshot(), switch_->units()));
}

void GiveTo::choose_program() {
    auto* dialog = new QFileDialog(this, tr("Start a program as a contribution"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, &starter_, &ProgramStarter::start);
    dialog->open();
}

}  // namespace tmm::tray
