// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Notifier: shows notifications by org.freedesktop.Notifications on the session bus, which needs no panel. Never blocks. Without
// a notification service nothing is shown, and nothing is reported. Use it from the thread of the event loop only.
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

    // Shows a notification; replaces an earlier one of the same kind.
    void show(const Notification& notification);

Q_SIGNALS:
    // The user clicked a notification of this program.
    void activated();
    // The notification service has taken a notification, or there is none.
    void answered();

private Q_SLOTS:
    void on_action(quint32 id, const QString& action);
    void on_activation_token(quint32 id, const QString& token);

private:
    QHash<QString, quint32> ids_;  // by kind; the notification service assigns them
    bool listening_ = false;
};

}  // namespace tmm::tray
