// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// AboutPage: the purpose of the program, versions and licence.
#pragma once

#include <QLabel>
#include <QWidget>

#include "tray-app/client/daemon_client.hpp"

namespace tmm::tray {

class AboutPage : public QWidget {
    Q_OBJECT

public:
    explicit AboutPage(DaemonClient* client, QWidget* parent = nullptr);

private:
    void show_versions();

    DaemonClient* client_;
    QLabel* versions_;
};

}  // namespace tmm::tray
