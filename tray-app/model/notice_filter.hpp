// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// NoticeFilter: decides which of the daemon's notices become notifications: one of a kind in 15 minutes, four in an hour in all.
// The end of trouble counts for neither. Pure, with times as arguments; one thread.
#pragma once

#include <QDateTime>
#include <QHash>
#include <QList>
#include <QString>
#include <optional>

namespace tmm::tray {

struct Notification {
    QString kind;  // a new notification replaces the old one of its kind
    QString title;
    QString text;
    QString icon;
};

class NoticeFilter {
public:
    // Handles a Notice of the daemon. Returns nothing if the kind is unknown or its bound is reached. code: the daemon's reason
    // as known now, maybe of the moment before.
    std::optional<Notification> on_notice(const QString& kind, const QString& text, const QString& code, const QDateTime& now);

    // Handles the loss of a daemon that has been away for longer than a restart takes. last_source: of Snapshot.
    std::optional<Notification> on_daemon_lost(const QString& last_source, const QDateTime& now);

private:
    std::optional<Notification> admit(Notification notification, const QDateTime& now);

    QHash<QString, QDateTime> last_of_kind_;
    QList<QDateTime> shown_;  // in the last hour
    bool trouble_shown_ = false;
};

}  // namespace tmm::tray
