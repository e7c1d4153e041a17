// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// welcome_page.hpp
#include "tray-app/ui/pages/welcome_page.hpp"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr int welcome_picture_size = 96;
constexpr int text_width = 520;

QLabel* paragraph(const QString& text) {
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    return label;
}

struct Words {
    Q_DECLARE_TR_FUNCTIONS(WelcomePage)
};

QString title_of(WelcomePage::Kind kind) {
    return kind == WelcomePage::Kind::no_kernel ? Words::tr("This computer cannot give memory yet")
                                                : Words::tr("Give the memory that you do not use");
}

QStringList sentences_of(WelcomePage::Kind kind) {
    if (kind == WelcomePage::Kind::no_kernel)
        return {
            Words::tr("Transparent Memory needs cgroup v2 with a memory controller. This system has none, so no memory is given, "
                      "and your programs use all of it as always."),
            Words::tr("The command tmmctl doctor says what is missing and how to get it. The manual page tmmd(8) explains it in "
                      "its section KERNEL."),
            Words::tr("You need not do anything else. Once nothing is missing, this window asks whether to give memory.")};
    return {Words::tr(
                "Your computer seldom uses all of its memory. The rest can go to contributions that you choose, such as science "
                "or rendering."),
            Words::tr(
                "Your own programs come first. They get their memory back before you notice, and nobody ever reads the contents "
                "of your memory."),
            Words::tr("You can pause giving at any time, from the icon in the panel or in this window, and switch it off in the "
                      "settings.")};
}

QString conclusion_of(WelcomePage::Kind kind) {
    switch (kind) {
        case WelcomePage::Kind::question:
            return Words::tr("Should this computer give its unused memory to contributions?");
        case WelcomePage::Kind::decided:
            return Words::tr("Whether this computer gives memory has been decided already; the window shows it.");
        case WelcomePage::Kind::no_kernel:
            break;
    }
    return {};
}

}  // namespace

WelcomePage::WelcomePage(Kind kind, bool autostart, QWidget* parent) : QWidget(parent), kind_(kind) {
    auto* picture = new QLabel;
    picture->setPixmap(tray::picture(u"org.transparentmemory.TmmTray"_s, welcome_picture_size, devicePixelRatioF()));
    picture->setAlignment(Qt::AlignCenter);
    auto* title = new QLabel(title_of(kind));
    enlarge_text(title);
    embolden_text(title);
    title->setAlignment(Qt::AlignCenter);
    title->setWordWrap(true);
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
    for (const QString& sentence : sentences_of(kind))
        layout->addWidget(paragraph(sentence));
    layout->addSpacing(16);
    if (const QString conclusion = conclusion_of(kind); !conclusion.isEmpty()) {
        auto* label = paragraph(conclusion);
        embolden_text(label);
        label->setAlignment(Qt::AlignCenter);
        layout->addWidget(label);
        layout->addSpacing(8);
    }
    add_buttons(layout, autostart);
    layout->addStretch(2);
}

void WelcomePage::add_buttons(QVBoxLayout* layout, bool autostart) {
    auto* start = new QCheckBox(tr("Show the icon when I &log in"));
    start->setChecked(autostart);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch();
    if (kind_ == Kind::question) {
        auto* give = new QPushButton(tr("&Give memory"));
        give->setDefault(true);
        auto* later = new QPushButton(tr("&Not now"));
        buttons->addWidget(later);
        buttons->addWidget(give);
        connect(give, &QPushButton::clicked, this, [this, start] { Q_EMIT answered(true, start->isChecked()); });
        connect(later, &QPushButton::clicked, this, [this, start] { Q_EMIT answered(false, start->isChecked()); });
    } else {
        auto* go_on = new QPushButton(tr("&Continue"));
        go_on->setDefault(true);
        buttons->addWidget(go_on);
        connect(go_on, &QPushButton::clicked, this, [this, start] { Q_EMIT read(start->isChecked()); });
    }
    buttons->addStretch();
    layout->addLayout(buttons);
    layout->addSpacing(8);
    layout->addWidget(start, 0, Qt::AlignHCenter);
}

}  // namespace tmm::tray
