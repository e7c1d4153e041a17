// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincQuestion: a line of the window that asks whether BOINC may use idle memory. It shows while BOINC and tmm-boinc are
// installed, nobody has let them, and the user has not declined. The switch's finished() reports what became of a yes.
#pragma once

#include <QFrame>
#include <QLabel>
#include <QPushButton>

#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/desktop/preferences.hpp"

namespace tmm::tray {

class BoincQuestion : public QFrame {
    Q_OBJECT

public:
    BoincQuestion(BoincSwitch* boinc_switch, Preferences* preferences, QWidget* parent = nullptr);

private:
    void show_state();

    BoincSwitch* switch_;
    Preferences* preferences_;
    QLabel* text_;
    QPushButton* yes_;
    QPushButton* not_now_;
};

}  // namespace tmm::tray
