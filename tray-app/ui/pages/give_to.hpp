// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// GiveTo: the part of the page Contributions that helps to get contributions: BOINC, any program, and the guide.
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

#include "tray-app/client/boinc_client.hpp"
#include "tray-app/client/boinc_switch.hpp"
#include "tray-app/desktop/program_starter.hpp"

namespace tmm::tray {

class GiveTo : public QWidget {
    Q_OBJECT

public:
    GiveTo(BoincClient* boinc, BoincSwitch* boinc_switch, QWidget* parent = nullptr);

Q_SIGNALS:
    void boinc_wanted();
    void guide_wanted();
    // A sentence for the user.
    void message(const QString& text);

private:
    void show_boinc();
    void choose_program();

    BoincClient* boinc_;
    BoincSwitch* switch_;
    ProgramStarter starter_;
    QLabel* boinc_text_;
    QPushButton* boinc_page_;
};

}  // namespace tmm::tray
