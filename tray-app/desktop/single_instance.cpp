// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// single_instance.hpp
#include "tray-app/desktop/single_instance.hpp"

#include <QDBusConnection>
#include <QDBusConnectionInterface>
#include <QDBusMessage>

#include "tray-app/desktop/activation.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString instance_service = u"org.transparentmemory.TmmTray"_s;
const QString instance_object = u"/org/transparentmemory/TmmTray"_s;
const QString interface = u"org.freedesktop.Application"_s;
const QString quit_action = u"quit"_s;
constexpr int call_timeout_ms = 5000;

}  // namespace

SingleInstance::SingleInstance(QObject* parent) : QObject(parent) {
    new ApplicationAdaptor(this);
}

bool SingleInstance::claim() {
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return true;
    // Register the object first: another instance may call as soon as the name is there.
    bus.registerObject(instance_object, this);
    return bus.registerService(instance_service);
}

bool SingleInstance::call_other_instance(const QString& action, const QVariantMap& platform_data) {
    const bool quit = action == quit_action;
    auto call =
        QDBusMessage::createMethodCall(instance_service, instance_object, interface, quit ? u"ActivateAction"_s : u"Activate"_s);
    call.setAutoStartService(false);
    if (quit)
        call << quit_action << QVariantList();
    call << platform_data;
    const auto reply = QDBusConnection::sessionBus().call(call, QDBus::Block, call_timeout_ms);
    return reply.type() == QDBusMessage::ReplyMessage;
}

void ApplicationAdaptor::Activate(const QVariantMap& platform_data) {
    use_platform_data(platform_data);
    Q_EMIT instance_->activated();
}

void ApplicationAdaptor::Open(const QStringList& /*uris*/, const QVariantMap& platform_data) {
    Activate(platform_data);  // the program opens no files
}

void ApplicationAdaptor::ActivateAction(const QString& action, const QVariantList& /*parameters*/,
                                        const QVariantMap& platform_data) {
    if (action == quit_action)
        Q_EMIT instance_->quit_requested();
    else
        Activate(platform_data);
}

}  // namespace tmm::tray
