// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which notices become notifications: few kinds, each seldom, and not many together. Pure; times come in as arguments.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>
#include <optional>

namespace tmm::tray {

struct Notification {
    QString kind;  // one on the screen for each kind
    QString title;
    QString text;
    QString icon;
};

class NoticeFilter {
public:
    // A Notice of the daemon. Nothing: not worth a notification, or too many of late.
    std::optional<Notification> on_notice(const QString& kind, const QString& text, const QDateTime& now);

    // The daemon was there and has been gone for longer than a restart takes.
    std::optional<Notification> on_daemon_lost(const QDateTime& now);

private:
    std::optional<Notification> admit(Notification notification, const QDateTime& now);

    QHash<QString, QDateTime> last_of_kind_;
    QList<QDateTime> shown_;  // in the last hour
    bool trouble_shown_ = false;
};

}  // namespace tmm::tray
