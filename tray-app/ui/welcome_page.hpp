// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The first run: what this is in three sentences, and the question.
#pragma once

#include <QWidget>

namespace tmm::tray {

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    // autostart: whether the icon is shown at login so far.
    explicit WelcomePage(bool autostart, QWidget* parent = nullptr);

Q_SIGNALS:
    // give: whether idle memory shall be given.
    void answered(bool give, bool autostart);
};

}  // namespace tmm::tray
