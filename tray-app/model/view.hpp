// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What icon, tooltip, menu and the head of the window show: from a snapshot of the daemon to words. Pure; times come in as
// arguments.
#pragma once

#include <QDateTime>
#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/status.hpp"

namespace tmm::tray {

enum class Action {
    none,  // a line that only tells
    pause_half_hour,
    pause_hour,
    pause_until_tomorrow,
    pause_until_resumed,
    resume,
    switch_on,
    start_service,
    open_window,
    open_settings,
    quit,
};

struct MenuEntry {
    Action action = Action::none;
    QString text;
    bool enabled = true;
    bool visible = true;
    bool begins_group = false;  // a separator goes before it
};

struct View {
    QString icon;      // name in the icon theme
    QString headline;  // "Giving 9.2 GB"
    QString summary;   // a sentence or two
    QString details;   // the daemon's own reason, in English; may be empty
    QString tooltip;
    bool can_pause = false;
    bool can_resume = false;
    bool can_switch_on = false;
    bool can_start_service = false;
};

View make_view(const Snapshot& snapshot, const QDateTime& now, const QLocale& locale);

// Always the same entries in the same order: what is of no use at the moment is disabled or not visible.
QList<MenuEntry> make_menu(const View& view);

// What to ask the daemon for: seconds of a pause that the action begins. 0: until resumed.
quint64 pause_seconds(Action pause, const QDateTime& now);

}  // namespace tmm::tray
