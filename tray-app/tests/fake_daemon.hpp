// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A bus in the place of the system bus, and stand-ins for the services on it, for tests. Use one of each at a time in a process,
// since libdbus reads the address of the system bus only once.
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

// A program of this directory that prints a line once it owns its name on the bus.
class FakeService {
public:
    virtual ~FakeService();
    FakeService(const FakeService&) = delete;
    FakeService& operator=(const FakeService&) = delete;

    bool start();
    void stop();

protected:
    // word: "Daemon" for the object /FakeDaemon.
    FakeService(const QString& program, const QStringList& arguments, const QString& service, const QString& word);

    QDBusMessage control(const QString& method, const QVariantList& arguments);
    // Calls TakeCalls.
    QJsonArray taken_calls();

private:
    QString program_;
    QStringList arguments_;
    QString service_;
    QString word_;
    QProcess process_;
};

class FakeDaemon : public FakeService {
public:
    FakeDaemon();

    void set(const QJsonObject& properties);
    void set_contribution(quint32 number, const QJsonObject& values);
    void remove_contribution(quint32 number);
    // Makes a method fail with a D-Bus error; an empty error ends that.
    void refuse(const QString& method, const QString& error);
    void notice(const QString& kind, const QString& text);
    // Returns and forgets the calls that change something: [object, method, arguments...].
    QJsonArray take_calls() { return taken_calls(); }
};

// fake_boinc.py: stands in for tmm-boinc.
class FakeBoinc : public FakeService {
public:
    FakeBoinc();

    void set(const QJsonObject& properties);
    // Announces a value of any type. value: GLib's text form of it.
    void send(const QString& property, const QString& value);
};

// fake_systemd.py. By default it has no unit.
class FakeSystemd : public FakeService {
public:
    // arguments: of the program.
    explicit FakeSystemd(const QStringList& arguments = {});

    // units: their words of GetUnitFileState.
    void set_units(const QJsonObject& units);
    // With boinc-client.service, and tmm-boinc.service in that state.
    void set_boinc(const QString& state);
    void set_result(const QString& result);
    void refuse(const QString& error);
    // Returns and forgets the units that were started.
    QJsonArray take_calls() { return taken_calls(); }
};

}  // namespace tmm::tray
