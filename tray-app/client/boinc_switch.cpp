// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_switch.hpp
#include "tray-app/client/boinc_switch.hpp"

#include <QDBusPendingReply>
#include <chrono>
#include <utility>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString systemd_object = u"/org/freedesktop/systemd1"_s;
const QString manager_interface = u"org.freedesktop.systemd1.Manager"_s;
const QString disconnected = u"org.freedesktop.DBus.Error.Disconnected"_s;
const QString no_reply = u"org.freedesktop.DBus.Error.NoReply"_s;

// The units end within TimeoutStartSec, 5 min; systemd then kills them.
constexpr auto max_job_time = std::chrono::minutes(6);

const QString client_unit = u"boinc-client.service"_s;

QString unit_of(Request request) {
    if (request == Request::boinc_restart)
        return client_unit;
    return request == Request::boinc_on ? u"tmm-boinc-enable.service"_s : u"tmm-boinc-disable.service"_s;
}

}  // namespace

BoincSwitch::BoincSwitch(SystemBus* bus, QObject* parent) : QObject(parent), bus_(bus) {
    deadline_.setSingleShot(true);
    deadline_.setInterval(max_job_time);
    connect(&deadline_, &QTimer::timeout, this, [this] { end({no_reply, {}}); });
    connect(bus_, &SystemBus::connected, this, &BoincSwitch::on_bus);
    connect(bus_, &SystemBus::lost, this, &BoincSwitch::on_bus_lost);
}

void BoincSwitch::on_bus() {
    ++generation_;
    read();
}

void BoincSwitch::on_bus_lost() {
    ++generation_;
    set_units({});
    if (phase_ == Phase::working)
        end({disconnected, {}});
}

void BoincSwitch::read() {
    read_then([] {});
}

void BoincSwitch::read_then(const std::function<void()>& then) {
    if (!bus_->is_connected())
        return then();
    read_unit(client_unit, [this, then, generation = generation_](UnitFile client) {
        read_unit(u"tmm-boinc.service"_s, [this, then, generation, client](UnitFile adapter) {
            // An answer of a connection that was lost tells nothing.
            if (generation == generation_)
                set_units({client, adapter});
            then();
        });
    });
}

void BoincSwitch::read_unit(const QString& unit, const std::function<void(UnitFile)>& then) {
    auto question = systemd_call(u"GetUnitFileState"_s);
    question.setInteractiveAuthorizationAllowed(false);
    // Where systemd runs, it is on the bus.
    question.setAutoStartService(false);
    question << unit;
    await_reply(bus_->connection().asyncCall(question), this, [then](const QDBusPendingCall& call) {
        const QDBusPendingReply<QString> reply = call;
        if (!reply.isError())
            return then(unit_file_of(reply.value()));
        const QString error = reply.error().name();
        then(error.endsWith(u".FileNotFound"_s) || error.endsWith(u".NoSuchUnit"_s) ? UnitFile::absent : UnitFile::unknown);
    });
}

void BoincSwitch::set_units(const BoincUnits& units) {
    if (std::exchange(units_, units) != units)
        Q_EMIT changed();
}

void BoincSwitch::turn(bool on) {
    begin(on ? Request::boinc_on : Request::boinc_off);
}

void BoincSwitch::restart_client() {
    begin(Request::boinc_restart);
}

void BoincSwitch::begin(Request request) {
    if (phase_ != Phase::idle)
        return;
    phase_ = Phase::working;
    request_ = request;
    Q_EMIT changed();
    // systemd tells the ends of jobs only to subscribers. Its answer has the name that sends them.
    auto subscription = systemd_call(u"Subscribe"_s);
    subscription.setAutoStartService(false);
    await_reply(bus_->connection().asyncCall(subscription), this, [this](const QDBusPendingCall& call) {
        if (phase_ != Phase::working)
            return;
        const QDBusMessage reply = call.reply();
        const QDBusError error = call.error();
        const QString already_subscribed = u"org.freedesktop.systemd1.AlreadySubscribed"_s;
        if (error.isValid() && error.name() != already_subscribed)
            end({error.name(), error.message()});
        else
            start_unit(reply.service());
    });
}

void BoincSwitch::start_unit(const QString& systemd) {
    systemd_ = systemd;
    follow_jobs(true);
    auto call = systemd_call(request_ == Request::boinc_restart ? u"RestartUnit"_s : u"StartUnit"_s);
    call << unit_of(request_) << u"replace"_s;
    const auto timeout = static_cast<int>(std::chrono::milliseconds(call_timeout).count());
    await_reply(bus_->connection().asyncCall(call, timeout), this, [this](const QDBusPendingCall& answered) {
        if (phase_ != Phase::working)
            return;
        const QDBusPendingReply<QDBusObjectPath> reply = answered;
        if (reply.isError())
            return end({reply.error().name(), reply.error().message()});
        job_ = reply.value().path();
        deadline_.start();
        if (finished_.contains(job_))
            end_job(finished_.value(job_));
    });
}

void BoincSwitch::follow_jobs(bool follow) {
    const QString signal = u"JobRemoved"_s;
    const char* slot = SLOT(on_job_removed(uint, QDBusObjectPath, QString, QString));
    if (follow)
        bus_->connection().connect(systemd_, systemd_object, manager_interface, signal, this, slot);
    else
        bus_->connection().disconnect(systemd_, systemd_object, manager_interface, signal, this, slot);
}

void BoincSwitch::on_job_removed(uint /*id*/, const QDBusObjectPath& job, const QString& unit, const QString& result) {
    if (phase_ != Phase::working || unit != unit_of(request_))
        return;
    if (job_.isEmpty())
        finished_.insert(job.path(), result);
    else if (job.path() == job_)
        end_job(result);
}

void BoincSwitch::end_job(const QString& result) {
    end(result == u"done"_s ? Failure() : Failure{job_failed, result});
}

void BoincSwitch::end(const Failure& failure) {
    phase_ = Phase::ending;
    deadline_.stop();
    job_.clear();
    finished_.clear();
    if (!std::exchange(systemd_, QString()).isEmpty()) {
        follow_jobs(false);
        if (bus_->is_connected())
            bus_->connection().asyncCall(systemd_call(u"Unsubscribe"_s));
    }
    read_then([this, failure] {
        phase_ = Phase::idle;
        Q_EMIT changed();
        Q_EMIT finished(request_, failure);
    });
}

}  // namespace tmm::tray
