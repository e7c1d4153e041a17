// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ProgramsPage: the user's own programs, with an exception for each: a program whose memory TMM does not count, a contribution
// that it does not freeze.
#pragma once

#include <QLabel>
#include <QTreeWidget>
#include <QWidget>

#include "tray-app/desktop/own_programs.hpp"

namespace tmm::tray {

class ProgramsPage : public QWidget {
    Q_OBJECT

public:
    explicit ProgramsPage(OwnPrograms programs, QWidget* parent = nullptr);

    // Reads the programs.
    void refresh();

Q_SIGNALS:
    void message(const QString& text);

private:
    void show_programs();
    void change(QTreeWidgetItem* item, int column);

    OwnPrograms programs_;
    QList<OwnProgram> shown_;
    QTreeWidget* list_;
    QLabel* empty_;
};

}  // namespace tmm::tray
