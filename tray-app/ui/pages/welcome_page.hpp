// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// WelcomePage: the page of the first run. It explains the program and asks whether to give memory. Where an answer would change
// nothing, it asks nothing and says how things are.
#pragma once

#include <QVBoxLayout>
#include <QWidget>

namespace tmm::tray {

class WelcomePage : public QWidget {
    Q_OBJECT

public:
    enum class Kind {
        question,   // nobody has decided yet
        decided,    // somebody, such as another user of this computer, has decided already
        no_kernel,  // neither the patches nor cgroup v2
    };

    // autostart: whether the session starts the program at login at present.
    WelcomePage(Kind kind, bool autostart, QWidget* parent = nullptr);

    [[nodiscard]] Kind kind() const { return kind_; }

Q_SIGNALS:
    // The user answered the question. give: whether to give memory; autostart: whether to start at login.
    void answered(bool give, bool autostart);
    // The user has read the page, which asked nothing.
    void read(bool autostart);

private:
    void add_buttons(QVBoxLayout* layout, bool autostart);

    Kind kind_;
};

}  // namespace tmm::tray
