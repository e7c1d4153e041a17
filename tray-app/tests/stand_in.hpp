// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// For tests: a bus of their own in the place of the system bus, and stand_in_daemon.py on it. One of each at a time in a process,
// since libdbus asks for the system bus's address only once.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QJsonArray>
#include <QJsonObject>
#include <QProcess>
#include <QString>
#include <QTemporaryDir>
#include <functional>

namespace tmm::tray {

// Runs the event loop until it is so; false when that takes far too long.
bool eventually(const std::function<bool()>& condition);

class PrivateBus {
public:
    // Makes the address that of the system bus. The bus itself is not there before start().
    PrivateBus();
    ~PrivateBus();

    bool start();
    void stop();

private:
    QString address_;
    QProcess process_;
};

class StandIn {
public:
    ~StandIn();

    bool start();
    void stop();

    void set(const QJsonObject& properties);
    void set_contribution(quint32 number, const QJsonObject& values);
    void remove_contribution(quint32 number);
    // An empty error: no more.
    void refuse(const QString& method, const QString& error);
    void notice(const QString& kind, const QString& text);
    // Calls that change something since the last time: [object, method, arguments...].
    QJsonArray take_calls();

private:
    QDBusMessage control(const QString& method, const QVariantList& arguments);

    QProcess process_;
};

}  // namespace tmm::tray
