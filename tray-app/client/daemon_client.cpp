// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// daemon_client.hpp
#include "tray-app/client/daemon_client.hpp"

#include <QDBusPendingReply>
#include <algorithm>

#include "contribution1_proxy.h"
#include "tmm1_proxy.h"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString service = u"org.transparentmemory.Tmm1"_s;
const QString object = u"/org/transparentmemory/Tmm1"_s;
const QString properties_interface = u"org.freedesktop.DBus.Properties"_s;
const QString properties_changed = u"PropertiesChanged"_s;
const QString bus_service = u"org.freedesktop.DBus"_s;
const QString bus_object = u"/org/freedesktop/DBus"_s;

bool no_such_unit(const QDBusPendingCall& call) {
    return call.error().name() == u"org.freedesktop.systemd1.NoSuchUnit"_s;
}

}  // namespace

DaemonClient::DaemonClient(QObject* parent) : QObject(parent) {
    register_types();
    connect(&bus_, &SystemBus::connected, this, &DaemonClient::on_bus);
    connect(&bus_, &SystemBus::lost, this, &DaemonClient::on_bus_lost);
}

DaemonClient::~DaemonClient() = default;

void DaemonClient::on_bus() {
    owner_watcher_ = std::make_unique<QDBusServiceWatcher>(service, bus_.connection(), QDBusServiceWatcher::WatchForOwnerChange);
    connect(owner_watcher_.get(), &QDBusServiceWatcher::serviceOwnerChanged, this,
            [this](const QString&, const QString&, const QString& owner) { set_owner(owner); });
    query_owner();
}

void DaemonClient::query_owner() {
    auto question = QDBusMessage::createMethodCall(bus_service, bus_object, bus_service, u"GetNameOwner"_s);
    question << service;
    await_current(bus_.connection().asyncCall(question), [this](const QDBusPendingCall& call) {
        const QDBusPendingReply<QString> reply = call;
        // The bus replies with an error if the name has no owner.
        set_owner(reply.isError() ? QString() : reply.value());
    });
}

void DaemonClient::on_bus_lost() {
    if (owner_watcher_)
        set_owner(QString());
    owner_watcher_.reset();
    set_link(Link::no_bus);
}

void DaemonClient::set_owner(const QString& owner) {
    ++generation_;
    if (proxy_) {
        subscribe_to_status(false);
        subscribe_to_contributions(false);
        proxy_.reset();
        pending_histories_.clear();
    }
    if (!contributions_.isEmpty()) {
        contributions_.clear();
        Q_EMIT contributions_changed();
    }
    if (owner.isEmpty()) {
        set_link(Link::no_daemon);
        return;
    }
    proxy_ = std::make_unique<Tmm1Proxy>(owner, object, bus_.connection());
    proxy_->setTimeout(static_cast<int>(std::chrono::milliseconds(call_timeout).count()));
    connect(proxy_.get(), &Tmm1Proxy::Notice, this, &DaemonClient::notice_received);
    connect(proxy_.get(), &Tmm1Proxy::ContributionAdded, this, &DaemonClient::read_contributions);
    connect(proxy_.get(), &Tmm1Proxy::ContributionRemoved, this, &DaemonClient::read_contributions);
    snapshot_.status = Status();
    set_link(Link::connecting);
    subscribe_to_status(true);
    read_status();
    if (watching_contributions_) {
        subscribe_to_contributions(true);
        read_contributions();
    }
}

void DaemonClient::set_link(Link link) {
    if (snapshot_.link == link)
        return;
    snapshot_.link = link;
    Q_EMIT snapshot_changed();
}

void DaemonClient::subscribe_to_status(bool follow) {
    const char* slot = SLOT(on_properties_changed(QString, QVariantMap, QStringList));
    if (follow)
        bus_.connection().connect(proxy_->service(), object, properties_interface, properties_changed, this, slot);
    else
        bus_.connection().disconnect(proxy_->service(), object, properties_interface, properties_changed, this, slot);
}

void DaemonClient::subscribe_to_contributions(bool follow) {
    // An empty path subscribes to all objects: each contribution is one.
    const char* slot = SLOT(on_contribution_changed(QDBusMessage));
    if (follow)
        bus_.connection().connect(proxy_->service(), QString(), properties_interface, properties_changed, this, slot);
    else
        bus_.connection().disconnect(proxy_->service(), QString(), properties_interface, properties_changed, this, slot);
}

void DaemonClient::watch_contributions(bool watching) {
    if (watching_contributions_ == watching)
        return;
    watching_contributions_ = watching;
    if (!proxy_)
        return;
    subscribe_to_contributions(watching);
    if (watching) {
        read_status();
        read_contributions();
    }
}

void DaemonClient::on_properties_changed(const QString& interface, const QVariantMap& changed, const QStringList& invalidated) {
    if (interface != service)
        return;
    read_properties(changed, snapshot_.status);
    note_source();
    if (!invalidated.isEmpty())
        read_status();
    if (snapshot_.link == Link::connected)
        Q_EMIT snapshot_changed();
}

void DaemonClient::on_contribution_changed(const QDBusMessage& message) {
    const auto contribution = std::find_if(contributions_.begin(), contributions_.end(),
                                           [&](const Contribution& each) { return each.path == message.path(); });
    if (contribution == contributions_.end() || message.arguments().size() < 2)
        return;
    read_properties(qdbus_cast<QVariantMap>(message.arguments().at(1)), *contribution);
    Q_EMIT contributions_changed();
}

void DaemonClient::read_status() {
    if (proxy_)
        read_status_then([] {});
}

void DaemonClient::read_status_then(const std::function<void()>& then) {
    auto question = QDBusMessage::createMethodCall(proxy_->service(), object, properties_interface, u"GetAll"_s);
    question << service;
    await_reply(bus_.connection().asyncCall(question), this,
                [this, then, generation = generation_](const QDBusPendingCall& call) {
                    if (generation == generation_)
                        apply_status(call);
                    then();
                });
}

void DaemonClient::note_source() {
    const Status& status = snapshot_.status;
    if (status.state != State::trouble && !status.source.isEmpty())
        snapshot_.last_source = status.source;
}

void DaemonClient::apply_status(const QDBusPendingReply<QVariantMap>& reply) {
    if (reply.isError()) {
        // An owner that does not answer cannot be shown as a daemon.
        set_link(Link::no_daemon);
        return;
    }
    read_properties(reply.value(), snapshot_.status);
    note_source();
    snapshot_.link = Link::connected;
    Q_EMIT snapshot_changed();
}

void DaemonClient::read_contributions() {
    if (!proxy_ || !watching_contributions_)
        return;
    await_current(proxy_->ListContributions(), [this](const QDBusPendingCall& call) {
        const QDBusPendingReply<TmmContributions> reply = call;
        if (reply.isError())
            return;
        contributions_ = reply.value();
        Q_EMIT contributions_changed();
    });
}

void DaemonClient::read_history(Resolution resolution) {
    if (!proxy_ || pending_histories_.contains(resolution))
        return;
    pending_histories_.insert(resolution);
    const QString word = resolution == Resolution::minutes ? u"minutes"_s
                         : resolution == Resolution::hours ? u"hours"_s
                                                           : u"days"_s;
    await_current(proxy_->GetHistory(word), [this, resolution](const QDBusPendingCall& call) {
        pending_histories_.remove(resolution);
        const QDBusPendingReply<TmmHistory> reply = call;
        if (!reply.isError())
            Q_EMIT history_read(resolution, reply.value());
    });
}

void DaemonClient::read_decisions(quint32 max_rows) {
    if (!proxy_)
        return;
    await_current(proxy_->ListDecisions(max_rows), [this](const QDBusPendingCall& call) {
        const QDBusPendingReply<TmmDecisions> reply = call;
        if (!reply.isError())
            Q_EMIT decisions_read(reply.value());
    });
}

void DaemonClient::read_soft() {
    if (!proxy_)
        return;
    await_current(proxy_->GetSoftHeaps(), [this](const QDBusPendingCall& of_heaps) {
        const QDBusPendingReply<TmmSoftHeaps> heaps = of_heaps;
        if (heaps.isError())
            return;
        await_current(proxy_->GetSoftShares(), [this, heaps](const QDBusPendingCall& of_shares) {
            const QDBusPendingReply<TmmSoftShares> shares = of_shares;
            if (!shares.isError())
                Q_EMIT soft_read(heaps.value(), shares.value());
        });
    });
}

void DaemonClient::start_service() {
    auto call = systemd_call(u"StartUnit"_s);
    call << u"tmmd.service"_s << u"replace"_s;
    report_result(Request::start_service,
                  bus_.connection().asyncCall(call, static_cast<int>(std::chrono::milliseconds(call_timeout).count())));
}

void DaemonClient::stop_contributions() {
    auto call = systemd_call(u"StopUnit"_s);
    call << u"transparent.slice"_s << u"replace"_s;
    const int timeout_ms = static_cast<int>(std::chrono::milliseconds(call_timeout).count());
    await_reply(QDBusConnection::sessionBus().asyncCall(call, timeout_ms), this, [=, this](const QDBusPendingCall& of_session) {
        await_reply(bus_.connection().asyncCall(call, timeout_ms), this, [=, this](const QDBusPendingCall& of_system) {
            report_result(Request::stop_contributions,
                          of_session.isError() && !no_such_unit(of_session) ? of_session : of_system);
        });
    });
}

void DaemonClient::pause(quint64 seconds) {
    request(Request::pause, [&](Tmm1Proxy& proxy) { return proxy.Pause(seconds); });
}

void DaemonClient::resume() {
    request(Request::resume, [](Tmm1Proxy& proxy) { return proxy.Resume(); });
}

void DaemonClient::set_on(bool on) {
    request(Request::set_on, [&](Tmm1Proxy& proxy) { return proxy.SetOn(on); });
}

void DaemonClient::set_caps(const QVariantMap& changes) {
    request(Request::set_caps, [&](Tmm1Proxy& proxy) { return proxy.SetCaps(changes); });
}

void DaemonClient::set_soft_cap(quint64 bytes) {
    request(Request::set_soft, [&](Tmm1Proxy& proxy) { return proxy.SetSoftCap(bytes); });
}

void DaemonClient::set_soft_weight(quint32 user, quint32 weight) {
    request(Request::set_soft, [&](Tmm1Proxy& proxy) { return proxy.SetSoftWeight(user, weight); });
}

void DaemonClient::pause_contribution(const QString& path) {
    request_contribution(path, [](Contribution1Proxy& proxy) { return proxy.Pause(); });
}

void DaemonClient::resume_contribution(const QString& path) {
    request_contribution(path, [](Contribution1Proxy& proxy) { return proxy.Resume(); });
}

void DaemonClient::stop_contribution(const QString& path) {
    request_contribution(path, [](Contribution1Proxy& proxy) { return proxy.Stop(); });
}

void DaemonClient::set_weight(const QString& path, quint32 weight) {
    request_contribution(path, [&](Contribution1Proxy& proxy) { return proxy.SetWeight(weight); });
}

void DaemonClient::request(Request request, const std::function<QDBusPendingCall(Tmm1Proxy&)>& call) {
    if (proxy_)
        report_result(request, call(*proxy_));
    else
        report_result(request, QDBusPendingCall::fromError(QDBusError(QDBusError::ServiceUnknown, QString())));
}

void DaemonClient::request_contribution(const QString& path, const std::function<QDBusPendingCall(Contribution1Proxy&)>& call) {
    request(Request::contribution, [&](Tmm1Proxy& daemon) {
        Contribution1Proxy proxy(daemon.service(), path, bus_.connection());
        proxy.setTimeout(daemon.timeout());
        return call(proxy);
    });
}

void DaemonClient::report_result(Request request, const QDBusPendingCall& call) {
    await_reply(call, this, [this, request](const QDBusPendingCall& finished) {
        Failure failure;
        // A unit that systemd does not know has no contributions to stop.
        if (finished.isError() && !(request == Request::stop_contributions && no_such_unit(finished)))
            failure = {finished.error().name(), finished.error().message()};
        const auto report = [this, request, failure] { Q_EMIT request_finished(request, failure); };
        // The daemon's signals may come a second after its reply, so read its state now.
        if (proxy_)
            read_status_then(report);
        else
            report();
    });
}

void DaemonClient::await_current(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then) {
    await_reply(call, this, [this, then, generation = generation_](const QDBusPendingCall& finished) {
        if (generation == generation_)
            then(finished);
    });
}

}  // namespace tmm::tray
