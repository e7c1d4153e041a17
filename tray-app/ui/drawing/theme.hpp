// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Colours of the chart for a light or a dark palette, fonts and icons. Use it from the thread of the event loop only.
#pragma once

#include <QColor>
#include <QIcon>
#include <QLabel>
#include <QPalette>
#include <QPixmap>
#include <QPushButton>
#include <QString>

class QWidget;

namespace tmm::tray {

// Any two areas differ in lightness, so that colour-blind users can tell them apart; tests/desktop_test.cpp measures the
// distances.
struct ChartColors {
    QColor opaque;
    QColor transparent;
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

// Lets the label wrap its text so that the text, however long, does not widen the window.
void wrap_anywhere(QLabel* label);

// Returns the name of the icon for the panel of a desktop ($XDG_CURRENT_DESKTOP): GNOME and its relatives colour symbolic icons
// like their panel, others show icons as they are.
QString panel_icon_name(const QString& name, const QString& desktop);

// Shows whether the button is checked by the colours of a selection, which dark themes show clearly too. palette: of the page.
void mark_checked(QPushButton* button, QPalette palette);

// Returns the icon of the theme, so that the panel may draw its own; else the built-in one. name: as in the icon theme.
QIcon icon(const QString& name);

// Returns the built-in icon, sharp at any size. size: in device-independent pixels; scale: device pixels for each of these.
QPixmap picture(const QString& name, int size, qreal scale);

}  // namespace tmm::tray
