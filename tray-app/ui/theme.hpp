// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Colours of the chart for a light or a dark palette, fonts and icons. Use it from the thread of the event loop only.
#pragma once

#include <QColor>
#include <QIcon>
#include <QPalette>
#include <QPixmap>
#include <QString>

class QWidget;

namespace tmm::tray {

// Any two areas differ in lightness, so that colour-blind users can tell them apart; tests/desktop_test.cpp measures the
// distances.
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

// Returns a colour between text and background, for less important text.
QColor muted_text(const QPalette& palette);

// Makes a widget's text 1.6 times as large: for titles and figures.
void enlarge_text(QWidget* widget);

// Makes a widget's text bold.
void embolden_text(QWidget* widget);

// Returns the icon of the theme, so that the panel may draw its own; else the built-in one. name: as in the icon theme.
QIcon icon(const QString& name);

// Returns the built-in icon, sharp at any size. size: in device-independent pixels; scale: device pixels for each of these.
QPixmap picture(const QString& name, int size, qreal scale);

}  // namespace tmm::tray
