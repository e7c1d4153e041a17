// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/tests/fake_daemon.hpp"

#include <QDir>
#include <QJsonDocument>
#include <QTest>
#include <chrono>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// Far more than a working program needs, even on a slow machine.
constexpr auto deadline = 60s;
constexpr int deadline_ms = std::chrono::milliseconds(deadline).count();

const QString xml_directory = QStringLiteral(TMM_SOURCE_DIR "/dbus");

QString json(const QJsonObject& object) {
    return QString::fromUtf8(QJsonDocument(object).toJson());
}

// One directory for the process; the header gives the reason.
QString bus_path() {
    static const QTemporaryDir directory;
    return directory.filePath(u"bus"_s);
}

void end(QProcess& process) {
    if (process.state() == QProcess::NotRunning)
        return;
    process.terminate();
    process.waitForFinished(deadline_ms);
}

bool wait_for_line(QProcess& process) {
    while (!process.canReadLine()) {
        if (!process.waitForReadyRead(deadline_ms))
            return false;
    }
    process.readLine();
    return true;
}

}  // namespace

bool eventually(const std::function<bool()>& condition) {
    return QTest::qWaitFor(condition, deadline_ms);
}

PrivateBus::PrivateBus() : address_(u"unix:path="_s + bus_path()) {
    qputenv("DBUS_SYSTEM_BUS_ADDRESS", address_.toUtf8());
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
}

PrivateBus::~PrivateBus() {
    stop();
}

bool PrivateBus::start() {
    process_.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s, u"--address"_s, address_});
    return wait_for_line(process_);
}

void PrivateBus::stop() {
    end(process_);
}

FakeService::FakeService(const QString& program, const QStringList& arguments, const QString& service, const QString& word)
    : program_(program), arguments_(arguments), service_(service), word_(word) {
    process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
}

FakeService::~FakeService() {
    stop();
}

bool FakeService::start() {
    process_.start(QStringLiteral(TMM_SOURCE_DIR "/tray-app/tests/") + program_, arguments_);
    return wait_for_line(process_);
}

void FakeService::stop() {
    end(process_);
}

QDBusMessage FakeService::control(const QString& method, const QVariantList& arguments) {
    static int number = 0;
    const QString name = u"control-%1"_s.arg(++number);
    auto call = QDBusMessage::createMethodCall(service_, u"/Fake"_s + word_, u"org.transparentmemory.Fake"_s + word_, method);
    call.setArguments(arguments);
    const auto reply = QDBusConnection::connectToBus(QDBusConnection::SystemBus, name).call(call, QDBus::Block, deadline_ms);
    QDBusConnection::disconnectFromBus(name);
    return reply;
}

QJsonArray FakeService::taken_calls() {
    const QVariantList answer = control(u"TakeCalls"_s, {}).arguments();
    return answer.isEmpty() ? QJsonArray() : QJsonDocument::fromJson(answer.first().toString().toUtf8()).array();
}

FakeDaemon::FakeDaemon() : FakeService(u"fake_daemon.py"_s, {xml_directory}, u"org.transparentmemory.Tmm1"_s, u"Daemon"_s) {}

void FakeDaemon::set(const QJsonObject& properties) {
    control(u"Set"_s, {json(properties)});
}

void FakeDaemon::set_contribution(quint32 number, const QJsonObject& values) {
    control(u"SetContribution"_s, {number, json(values)});
}

void FakeDaemon::remove_contribution(quint32 number) {
    control(u"RemoveContribution"_s, {number});
}

void FakeDaemon::refuse(const QString& method, const QString& error) {
    control(u"Refuse"_s, {method, error});
}

void FakeDaemon::notice(const QString& kind, const QString& text) {
    control(u"Notice"_s, {kind, text});
}

FakeBoinc::FakeBoinc() : FakeService(u"fake_boinc.py"_s, {xml_directory}, u"org.transparentmemory.TmmBoinc1"_s, u"Boinc"_s) {}

void FakeBoinc::set(const QJsonObject& properties) {
    control(u"Set"_s, {json(properties)});
}

void FakeBoinc::send(const QString& property, const QString& value) {
    control(u"Send"_s, {property, value});
}

FakeSystemd::FakeSystemd(const QStringList& arguments)
    : FakeService(u"fake_systemd.py"_s, arguments, u"org.freedesktop.systemd1"_s, u"Systemd"_s) {}

void FakeSystemd::set_units(const QJsonObject& units) {
    control(u"SetUnits"_s, {json(units)});
}

void FakeSystemd::set_boinc(const QString& state) {
    set_units({{u"boinc-client.service"_s, u"enabled"_s}, {u"tmm-boinc.service"_s, state}});
}

void FakeSystemd::set_result(const QString& result) {
    control(u"SetResult"_s, {result});
}

void FakeSystemd::refuse(const QString& error) {
    control(u"Refuse"_s, {error});
}

}  // namespace tmm::tray
