// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A Qt program with only an icon in the panel. The suite compares the memory of tmm-tray with it.
#include <QApplication>
#include <QMenu>
#include <QSystemTrayIcon>

int main(int argc, char** argv) {
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QMenu menu;
    menu.addAction(QStringLiteral("Nothing"));
    QSystemTrayIcon icon(QIcon::fromTheme(QStringLiteral("tmm-tray-giving")));
    icon.setContextMenu(&menu);
    icon.show();
    return QApplication::exec();
}
