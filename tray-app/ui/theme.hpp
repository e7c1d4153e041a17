// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Colours of the chart for a light or a dark palette, and icons.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QPixmap>
#include <QString>

class QWidget;

namespace tmm::tray {

// Chosen so that any two areas differ in lightness, whatever colours an eye can tell apart; tests/desktop_test.cpp measures it.
struct ChartColors {
    QColor opaque;
    QColor transparent;
    QColor soft;
    QColor free;
    QColor opaque_limit;
    QColor transparent_limit;
};

bool is_dark(const QPalette& palette);
ChartColors chart_colors(bool dark);

// Between text and background: for what is less important.
QColor muted_text(const QPalette& palette);

// Makes a widget's text 1.6 times as large: for titles and figures.
void enlarge_text(QWidget* widget);

// Makes a widget's text bold.
void embolden_text(QWidget* widget);

// From the icon theme, so that the panel may draw its own of that name; else the one within the program.
QIcon icon(const QString& name);

// The one within the program, sharp at any size and scale.
QPixmap picture(const QString& name, int size, qreal scale);

}  // namespace tmm::tray
