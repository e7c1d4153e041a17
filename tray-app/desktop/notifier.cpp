// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// notifier.hpp
#include "tray-app/desktop/notifier.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QVariantMap>

#include "tray-app/desktop/activation.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString service = u"org.freedesktop.Notifications"_s;
const QString object = u"/org/freedesktop/Notifications"_s;
const QString default_action = u"default"_s;  // a click on the notification, not on a button
constexpr qint32 default_timeout_ms = -1;

}  // namespace

Notifier::Notifier(QObject* parent) : QObject(parent) {}

void Notifier::show(const Notification& notification) {
    auto bus = QDBusConnection::sessionBus();
    if (!listening_)
        listening_ =
            bus.connect(service, object, service, u"ActionInvoked"_s, this, SLOT(on_action(quint32, QString))) &&
            bus.connect(service, object, service, u"ActivationToken"_s, this, SLOT(on_activation_token(quint32, QString)));
    auto call = QDBusMessage::createMethodCall(service, object, service, u"Notify"_s);
    // The notification service may read the text as markup.
    call << tr("Transparent Memory") << ids_.value(notification.kind) << notification.icon << notification.title
         << notification.text.toHtmlEscaped() << QStringList{default_action, tr("Open")}
         << QVariantMap{{u"desktop-entry"_s, u"org.transparentmemory.TmmTray"_s}} << default_timeout_ms;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(call), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this,
            [this, kind = notification.kind](QDBusPendingCallWatcher* finished) {
                finished->deleteLater();
                const QDBusPendingReply<quint32> reply = *finished;
                if (!reply.isError())
                    ids_.insert(kind, reply.value());
                Q_EMIT answered();
            });
}

// Comes before ActionInvoked.
void Notifier::on_activation_token(quint32 id, const QString& token) {
    if (ids_.values().contains(id))
        use_activation_token(token);
}

void Notifier::on_action(quint32 id, const QString& action) {
    if (action == default_action && ids_.values().contains(id))
        Q_EMIT activated();
}

}  // namespace tmm::tray
