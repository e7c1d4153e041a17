// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// welcome_page.hpp
#include "tray-app/ui/welcome_page.hpp"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "tray-app/ui/theme.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr int picture_size = 96;
constexpr int text_width = 520;

QLabel* paragraph(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    return label;
}

}  // namespace

WelcomePage::WelcomePage(bool autostart, QWidget* parent) : QWidget(parent) {
    auto* picture = new QLabel;
    picture->setPixmap(tray::picture(u"org.transparentmemory.TmmTray"_s, picture_size, devicePixelRatioF()));
    picture->setAlignment(Qt::AlignCenter);
    auto* title = new QLabel(tr("Give the memory that you do not use"));
    enlarge_text(title);
    embolden_text(title);
    title->setAlignment(Qt::AlignCenter);
    title->setWordWrap(true);
    auto* start = new QCheckBox(tr("Show the icon when I &log in"));
    start->setChecked(autostart);
    auto* give = new QPushButton(tr("&Give memory"));
    give->setDefault(true);
    auto* later = new QPushButton(tr("&Not now"));
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    buttons->addWidget(later);
    buttons->addWidget(give);
    buttons->addStretch();
    // One centred column: labels that are centred one by one would not get the height of all their lines.
    auto* column = new QWidget;
    column->setFixedWidth(text_width);
    auto* middle = new QHBoxLayout(this);
    middle->addStretch();
    middle->addWidget(column);
    middle->addStretch();
    auto* layout = new QVBoxLayout(column);
    layout->setSpacing(10);
    layout->addStretch(1);
    layout->addWidget(picture);
    layout->addWidget(title);
    layout->addSpacing(16);
    for (const QString& sentence : {tr("Your computer seldom uses all of its memory. The rest can go to contributions that you "
                                       "choose, such as science or rendering."),
                                    tr("Your own programs come first. They get their memory back before you notice, and nobody "
                                       "ever reads the contents of your memory."),
                                    tr("You can pause giving at any time, from the icon in the panel or in this window, and "
                                       "switch it off in the settings.")})
        layout->addWidget(paragraph(sentence));
    layout->addSpacing(16);
    auto* question = paragraph(tr("Shall this computer give its unused memory to contributions?"));
    embolden_text(question);
    question->setAlignment(Qt::AlignCenter);
    layout->addWidget(question);
    layout->addSpacing(8);
    layout->addLayout(buttons);
    layout->addSpacing(8);
    layout->addWidget(start, 0, Qt::AlignHCenter);
    layout->addStretch(2);
    connect(give, &QPushButton::clicked, this, [this, start] { Q_EMIT answered(true, start->isChecked()); });
    connect(later, &QPushButton::clicked, this, [this, start] { Q_EMIT answered(false, start->isChecked()); });
}

}  // namespace tmm::tray
