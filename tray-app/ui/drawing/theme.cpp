// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// theme.hpp
#include "tray-app/ui/drawing/theme.hpp"

#include <QPainter>
#include <QSvgRenderer>
#include <QWidget>
#include <algorithm>

namespace tmm::tray {

using namespace Qt::StringLiterals;

bool is_dark(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

ChartColors chart_colors(bool dark) {
    if (dark)
        return {QColor(0x4a, 0x7f, 0xd0), QColor(0x3f, 0xc4, 0xa8), QColor(0x3a, 0x3f, 0x46), QColor(0xc8, 0xdc, 0xff),
                QColor(0xff, 0x96, 0x00)};
    return {QColor(0x2f, 0x5d, 0x9b), QColor(0x35, 0xa8, 0x90), QColor(0xe9, 0xec, 0xf0), QColor(0x12, 0x2c, 0x52),
            QColor(0xff, 0x96, 0x00)};
}

QColor muted_text(const QPalette& palette) {
    const QColor text = palette.color(QPalette::WindowText);
    const QColor ground = palette.color(QPalette::Window);
    const auto mix = [](int a, int b) { return (2 * a + b) / 3; };
    return {mix(text.red(), ground.red()), mix(text.green(), ground.green()), mix(text.blue(), ground.blue())};
}

void enlarge_text(QWidget* widget) {
    QFont font = widget->font();
    font.setPointSizeF(font.pointSizeF() * 1.6);
    widget->setFont(font);
}

void embolden_text(QWidget* widget) {
    QFont font = widget->font();
    font.setBold(true);
    widget->setFont(font);
}

void wrap_anywhere(QLabel* label) {
    label->setWordWrap(true);
    // A word without a blank would otherwise set the least width. The policy keeps that the height depends on the width.
    QSizePolicy policy = label->sizePolicy();
    policy.setHorizontalPolicy(QSizePolicy::Ignored);
    label->setSizePolicy(policy);
}

QString panel_icon_name(const QString& name, const QString& desktop) {
    const QStringList symbolic{u"GNOME"_s, u"Unity"_s, u"Budgie"_s, u"X-Cinnamon"_s, u"Pantheon"_s, u"COSMIC"_s};
    const QStringList names = desktop.split(u':');
    const bool wanted = std::any_of(names.begin(), names.end(),
                                    [&](const QString& each) { return symbolic.contains(each, Qt::CaseInsensitive); });
    return wanted ? name + u"-symbolic"_s : name;
}

void mark_checked(QPushButton* button, QPalette palette) {
    if (button->isChecked()) {
        palette.setColor(QPalette::Button, palette.color(QPalette::Highlight));
        palette.setColor(QPalette::ButtonText, palette.color(QPalette::HighlightedText));
    }
    button->setPalette(palette);
    QFont font = button->font();
    font.setBold(button->isChecked());
    button->setFont(font);
}

QIcon icon(const QString& name) {
    QIcon themed = QIcon::fromTheme(name);
    if (!themed.isNull())
        return themed;
    QIcon own;
    for (const int size : {16, 22, 24, 32, 48, 64, 128})
        own.addPixmap(picture(name, size, 1));
    return own;
}

QPixmap picture(const QString& name, int size, qreal scale) {
    // Not by QIcon: its plugin for SVG is a separate package on some systems.
    QPixmap pixmap(QSize(size, size) * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(u":/icons/"_s + name + u".svg"_s).render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

}  // namespace tmm::tray
