// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_client.hpp
#include "tray-app/client/boinc_client.hpp"

#include <QDBusArgument>
#include <QDBusPendingReply>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString service = u"org.transparentmemory.TmmBoinc1"_s;
const QString object = u"/org/transparentmemory/TmmBoinc1"_s;
const QString properties_interface = u"org.freedesktop.DBus.Properties"_s;
const QString bus_service = u"org.freedesktop.DBus"_s;

QVariantList tasks_in(const QDBusArgument& argument) {
    QVariantList tasks;
    argument.beginArray();
    while (!argument.atEnd() && tasks.size() < max_boinc_tasks) {
        QVariantMap task;
        argument >> task;
        tasks << task;
    }
    return tasks;
}

QVariantList days_in(const QDBusArgument& argument) {
    QVariantList days;
    argument.beginArray();
    while (!argument.atEnd() && days.size() < max_boinc_days) {
        QString date;
        double checkpointed_s = 0;
        double byte_seconds = 0;
        argument.beginStructure();
        argument >> date >> checkpointed_s >> byte_seconds;
        argument.endStructure();
        days << QVariant(QVariantList{date, checkpointed_s, byte_seconds});
    }
    return days;
}

// Makes plain lists of the arrays, which QtDBus leaves packed. Other types stay as they are, and the model ignores them: reading
// an argument as a type that it does not have would end the program.
QVariantMap unpacked(QVariantMap properties) {
    for (QVariant& value : properties) {
        if (value.metaType() != QMetaType::fromType<QDBusArgument>())
            continue;
        const auto argument = value.value<QDBusArgument>();
        const QString type = argument.currentSignature();
        if (type == u"aa{sv}"_s)
            value = tasks_in(argument);
        else if (type == u"a(sdd)"_s)
            value = days_in(argument);
    }
    return properties;
}

}  // namespace

BoincClient::BoincClient(SystemBus* bus, QObject* parent) : QObject(parent), bus_(bus) {
    connect(bus_, &SystemBus::connected, this, &BoincClient::follow);
    connect(bus_, &SystemBus::lost, this, &BoincClient::on_bus_lost);
}

void BoincClient::watch(bool watching) {
    if (watching_ == watching)
        return;
    watching_ = watching;
    if (watching)
        follow();
    else
        unfollow();
}

void BoincClient::follow() {
    if (!watching_ || !bus_->is_connected())
        return;
    owner_watcher_ = std::make_unique<QDBusServiceWatcher>(service, bus_->connection(), QDBusServiceWatcher::WatchForOwnerChange);
    connect(owner_watcher_.get(), &QDBusServiceWatcher::serviceOwnerChanged, this,
            [this](const QString&, const QString&, const QString& owner) { set_owner(owner); });
    auto question = QDBusMessage::createMethodCall(bus_service, u"/org/freedesktop/DBus"_s, bus_service, u"GetNameOwner"_s);
    question << service;
    await_current(bus_->connection().asyncCall(question), [this](const QDBusPendingCall& call) {
        const QDBusPendingReply<QString> reply = call;
        // The bus replies with an error if the name has no owner.
        set_owner(reply.isError() ? QString() : reply.value());
    });
}

void BoincClient::unfollow() {
    ++generation_;
    owner_watcher_.reset();
    if (!owner_.isEmpty())
        subscribe(false);
    owner_.clear();
}

void BoincClient::on_bus_lost() {
    unfollow();
    set_link(Link::no_bus);
}

void BoincClient::set_owner(const QString& owner) {
    ++generation_;
    if (!owner_.isEmpty())
        subscribe(false);
    owner_ = owner;
    if (owner_.isEmpty()) {
        set_link(Link::no_daemon);
        return;
    }
    set_link(Link::connecting);
    subscribe(true);
    read_all();
}

void BoincClient::set_link(Link link) {
    if (snapshot_.link == link)
        return;
    snapshot_ = {link, {}};
    Q_EMIT snapshot_changed();
}

void BoincClient::subscribe(bool subscribed) {
    const QString signal = u"PropertiesChanged"_s;
    const char* slot = SLOT(on_properties_changed(QString, QVariantMap, QStringList));
    if (subscribed)
        bus_->connection().connect(owner_, object, properties_interface, signal, this, slot);
    else
        bus_->connection().disconnect(owner_, object, properties_interface, signal, this, slot);
}

void BoincClient::read_all() {
    auto question = QDBusMessage::createMethodCall(owner_, object, properties_interface, u"GetAll"_s);
    question << service;
    await_current(bus_->connection().asyncCall(question), [this](const QDBusPendingCall& call) {
        const QDBusPendingReply<QVariantMap> reply = call;
        if (reply.isError()) {
            // An owner that does not answer shows nothing.
            set_link(Link::no_daemon);
            return;
        }
        snapshot_ = {Link::connected, {}};
        read_boinc(unpacked(reply.value()), snapshot_.status);
        Q_EMIT snapshot_changed();
    });
}

void BoincClient::on_properties_changed(const QString& interface, const QVariantMap& changed, const QStringList& invalidated) {
    if (interface != service)
        return;
    if (!invalidated.isEmpty())
        read_all();
    if (snapshot_.link != Link::connected)
        return;
    read_boinc(unpacked(changed), snapshot_.status);
    Q_EMIT snapshot_changed();
}

void BoincClient::await_current(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then) {
    await_reply(call, this, [this, then, generation = generation_](const QDBusPendingCall& finished) {
        if (generation == generation_)
            then(finished);
    });
}

}  // namespace tmm::tray
