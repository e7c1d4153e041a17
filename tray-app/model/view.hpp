// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// View: converts a snapshot of the daemon to the texts of icon, tooltip, menu and window header. Pure, with times as arguments;
// any thread.
#pragma once

#include <QDateTime>
#include <QList>
#include <QLocale>
#include <QString>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

enum class Action {
    none,  // a line without an action
    pause_half_hour,
    pause_hour,
    pause_until_tomorrow,
    pause_until_resumed,
    resume,
    switch_on,
    start_service,
    stop_contributions,
    open_window,
    open_settings,
    quit,
};

struct MenuEntry {
    Action action = Action::none;
    QString text;
    bool enabled = true;
    bool visible = true;
    bool begins_group = false;  // a separator precedes it
};

struct View {
    QString icon;      // name in the icon theme
    QString headline;  // "Giving 9.2 GiB"
    QString summary;   // the reason, in a sentence or two
    QString tooltip;
    bool can_pause = false;
    bool can_resume = false;
    bool can_switch_on = false;
    bool can_start_service = false;
    bool can_stop_contributions = false;  // nothing else takes memory back from them
};

// The page of the first run that fits the daemon.
enum class FirstRun {
    question,
    decided,    // somebody, such as another user of this computer, has decided already
    no_kernel,  // the system lacks cgroup v2 for memory: no answer would have an effect
    none,       // not now: there is no daemon, or it is in other trouble
};
FirstRun first_run_of(const Snapshot& snapshot);

// Returns the view at the time now.
View make_view(const Snapshot& snapshot, const QDateTime& now, const QLocale& locale);

// Returns the menu: always the same entries in the same order. Those without use at the moment are disabled or invisible.
QList<MenuEntry> make_menu(const View& view);

// Returns the length in seconds of the pause that an action starts; 0: until the owner resumes.
quint64 pause_seconds(Action pause, const QDateTime& now);

}  // namespace tmm::tray
