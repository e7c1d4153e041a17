// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// system_bus.hpp
#include "tray-app/client/system_bus.hpp"

#include <QDBusObjectPath>
#include <QDBusPendingCallWatcher>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

QDBusConnection new_connection() {
    // QDBusConnection::systemBus() stays broken once its bus is gone, so each attempt opens a new connection.
    static int number = 0;
    return QDBusConnection::connectToBus(QDBusConnection::SystemBus, u"tmm-tray-%1"_s.arg(++number));
}

}  // namespace

SystemBus::SystemBus(QObject* parent) : QObject(parent), connection_(QString()) {
    // Qt 6.4 finds the types of a signal by name, and makes no connection to a signal with a type that has no name yet.
    qRegisterMetaType<QDBusObjectPath>();
    retry_.setSingleShot(true);
    connect(&retry_, &QTimer::timeout, this, &SystemBus::start);
}

void SystemBus::start() {
    connection_ = new_connection();
    if (!connection_.isConnected()) {
        QDBusConnection::disconnectFromBus(connection_.name());
        retry_.start(retry_delay_.next());
        Q_EMIT lost();
        return;
    }
    retry_delay_.reset();
    connected_ = true;
    connection_.connect(QString(), u"/org/freedesktop/DBus/Local"_s, u"org.freedesktop.DBus.Local"_s, u"Disconnected"_s, this,
                        SLOT(on_disconnected()));
    Q_EMIT connected();
}

void SystemBus::on_disconnected() {
    connected_ = false;
    Q_EMIT lost();
    QDBusConnection::disconnectFromBus(connection_.name());
    retry_.start(retry_delay_.next());
}

void await_reply(const QDBusPendingCall& call, QObject* receiver, const std::function<void(const QDBusPendingCall&)>& then) {
    auto* watcher = new QDBusPendingCallWatcher(call, receiver);
    QObject::connect(watcher, &QDBusPendingCallWatcher::finished, receiver, [then](QDBusPendingCallWatcher* finished) {
        finished->deleteLater();
        then(*finished);
    });
}

QDBusMessage systemd_call(const QString& method) {
    auto call = QDBusMessage::createMethodCall(u"org.freedesktop.systemd1"_s, u"/org/freedesktop/systemd1"_s,
                                               u"org.freedesktop.systemd1.Manager"_s, method);
    call.setInteractiveAuthorizationAllowed(true);
    return call;
}

}  // namespace tmm::tray
