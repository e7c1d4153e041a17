// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Notifications on the desktop, by org.freedesktop.Notifications of the session bus: they work without a tray too. Never blocks;
// a desktop without notifications shows none.
#pragma once

#include <QHash>
#include <QObject>
#include <QString>

#include "tray-app/model/notice_filter.hpp"

namespace tmm::tray {

class Notifier : public QObject {
    Q_OBJECT

public:
    explicit Notifier(QObject* parent = nullptr);

    // Replaces the one of the same kind that is still there.
    void show(const Notification& notification);

Q_SIGNALS:
    // Somebody clicked one.
    void activated();

private Q_SLOTS:
    void on_action(quint32 id, const QString& action);

private:
    QHash<QString, quint32> ids_;  // of kinds, as the desktop gave them
    bool listening_ = false;
};

}  // namespace tmm::tray
