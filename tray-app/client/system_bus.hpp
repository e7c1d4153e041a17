// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SystemBus: the program's one connection to the system bus. A lost bus is no error: while there is none, it tries to connect at
// growing intervals, up to 5 min; it has no other timer. Use it from the thread of the event loop only.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QObject>
#include <QTimer>
#include <chrono>
#include <functional>

#include "tray-app/model/retry_delay.hpp"

namespace tmm::tray {

// The user may be typing a password for polkit.
inline constexpr auto call_timeout = std::chrono::minutes(5);

class SystemBus : public QObject {
    Q_OBJECT

public:
    explicit SystemBus(QObject* parent = nullptr);

    // Connects and returns at once. connected() or lost() reports the result.
    void start();

    // A copy of the present connection; it is of no use while there is no bus.
    [[nodiscard]] QDBusConnection connection() const { return connection_; }
    [[nodiscard]] bool is_connected() const { return connected_; }

Q_SIGNALS:
    void connected();
    // There is no bus, or no more. The old connection exists until all receivers have returned.
    void lost();

private Q_SLOTS:
    void on_disconnected();

private:
    QDBusConnection connection_;
    bool connected_ = false;
    QTimer retry_{this};  // while there is no bus
    RetryDelay retry_delay_{std::chrono::seconds(2), std::chrono::minutes(5)};
};

// Calls then() with the reply, unless receiver is destroyed before.
void await_reply(const QDBusPendingCall& call, QObject* receiver, const std::function<void(const QDBusPendingCall&)>& then);

// Returns a call of systemd's manager that lets polkit ask the user.
QDBusMessage systemd_call(const QString& method);

}  // namespace tmm::tray
