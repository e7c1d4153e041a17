// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// WelcomePage: the page of the first run. It explains the program and asks whether to give memory.
#pragma once

#include <QWidget>

namespace tmm::tray {

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    // autostart: whether the session starts the program at login at present.
    explicit WelcomePage(bool autostart, QWidget* parent = nullptr);

Q_SIGNALS:
    // The user answered. give: whether to give memory; autostart: whether to start at login.
    void answered(bool give, bool autostart);
};

}  // namespace tmm::tray
