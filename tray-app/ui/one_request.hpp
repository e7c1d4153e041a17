// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// OneRequest: sends one request to the daemon without a window, for the actions of the desktop file. A failure also becomes a
// notification, since nobody reads the standard error of a menu's program. Use it from the thread of the event loop only.
#pragma once

#include <QObject>
#include <optional>

#include "tray-app/client/daemon_client.hpp"
#include "tray-app/desktop/notifier.hpp"

namespace tmm::tray {

class OneRequest : public QObject {
    Q_OBJECT

public:
    // request: pause, until resumed, or resume.
    explicit OneRequest(Request request, QObject* parent = nullptr);

    // Sends it as soon as the daemon is found; ended() reports the result.
    void start();

Q_SIGNALS:
    // message: empty after success, else a sentence.
    void ended(const QString& message);

private:
    void on_snapshot();
    void on_finished(const Failure& failure);

    Request request_;
    DaemonClient client_;
    Notifier notifier_;
    bool sent_ = false;
};

}  // namespace tmm::tray
