// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// PrivateBus and FakeDaemon: a bus in the place of the system bus, and fake_daemon.py on it, for tests. Use one of each at a time
// in a process, since libdbus reads the address of the system bus only once.
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

// Runs the event loop until condition() is true. Returns false after 60 s.
bool eventually(const std::function<bool()>& condition);

class PrivateBus {
public:
    // Sets the address of the system bus. start() starts the bus.
    PrivateBus();
    ~PrivateBus();

    bool start();
    void stop();

private:
    QString address_;
    QProcess process_;
};

class FakeDaemon {
public:
    ~FakeDaemon();

    bool start();
    void stop();

    void set(const QJsonObject& properties);
    void set_contribution(quint32 number, const QJsonObject& values);
    void remove_contribution(quint32 number);
    // Makes a method fail with a D-Bus error; an empty error ends that.
    void refuse(const QString& method, const QString& error);
    void notice(const QString& kind, const QString& text);
    // Returns and forgets the calls that change something: [object, method, arguments...].
    QJsonArray take_calls();

private:
    QDBusMessage control(const QString& method, const QVariantList& arguments);

    QProcess process_;
};

}  // namespace tmm::tray
