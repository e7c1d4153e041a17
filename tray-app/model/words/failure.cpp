// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// failure.hpp
#include "tray-app/model/words/failure.hpp"

#include <QCoreApplication>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Failure)
};

QString describe_request(Request request) {
    switch (request) {
        case Request::start_service:
            return Words::tr("The service could not be started.");
        case Request::stop_contributions:
            return Words::tr("Contributions may still run. A terminal can stop them: systemctl --user stop transparent.slice");
        case Request::pause:
            return Words::tr("Contributions were not paused.");
        case Request::resume:
            return Words::tr("The pause continues.");
        case Request::set_on:
            return Words::tr("Giving was not switched on or off.");
        case Request::set_caps:
            return Words::tr("The settings were not changed.");
        case Request::set_soft:
            return Words::tr("The division of soft memory was not changed.");
        case Request::boinc_on:
            return Words::tr("BOINC was not allowed to use idle memory.");
        case Request::boinc_off:
            return Words::tr("BOINC may still use idle memory.");
        case Request::boinc_restart:
            return Words::tr("BOINC was not restarted.");
        case Request::contribution:
            break;
    }
    return Words::tr("The contribution was not changed.");
}

QString describe_cause(const Failure& failure) {
    const QString own = u"org.transparentmemory.Tmm1.Error."_s;
    const QString bus = u"org.freedesktop.DBus.Error."_s;
    if (failure.error == own + u"NotAuthorized"_s || failure.error == bus + u"AccessDenied"_s ||
        failure.error == bus + u"InteractiveAuthorizationRequired"_s)
        return Words::tr("This needs an administrator's password.");
    if (failure.error == u"org.freedesktop.systemd1.NoSuchUnit"_s)
        return Words::tr("It is not installed. Its package is tmm-daemon.");
    if (failure.error == own + u"Vanished"_s)
        return Words::tr("It ended in the meantime.");
    if (failure.error == bus + u"ServiceUnknown"_s || failure.error == bus + u"NoReply"_s ||
        failure.error == bus + u"Disconnected"_s)
        return Words::tr("The service does not answer. An administrator can start it with: systemctl start tmmd");
    return failure.message;
}

bool is_of_boinc(Request request) {
    return request == Request::boinc_on || request == Request::boinc_off || request == Request::boinc_restart;
}

QString describe_cause_for_boinc(Request request, const Failure& failure) {
    const bool restarts = request == Request::boinc_restart;
    const QString change = request == Request::boinc_on ? u"tmm-boinc-enable"_s : u"tmm-boinc-disable"_s;
    const QString unit = restarts ? u"boinc-client"_s : change;
    const QString bus = u"org.freedesktop.DBus.Error."_s;
    if (failure.error == job_failed)
        return Words::tr("The service %1 failed. An administrator can read why with: journalctl -u %1").arg(unit);
    if (failure.error == u"org.freedesktop.systemd1.NoSuchUnit"_s)
        return restarts ? Words::tr("It does not run as boinc-client.service.")
                        : Words::tr("It is not installed. Its package is tmm-boinc.");
    if (failure.error == bus + u"ServiceUnknown"_s || failure.error == bus + u"NameHasNoOwner"_s ||
        failure.error == bus + u"NoReply"_s || failure.error == bus + u"Disconnected"_s)
        return Words::tr("systemd does not answer. An administrator can try: systemctl %1 %2")
            .arg(restarts ? u"restart"_s : u"start"_s, unit);
    return describe_cause(failure);
}

}  // namespace

QString explain(Request request, const Failure& failure) {
    return describe_request(request) + u' ' +
           (is_of_boinc(request) ? describe_cause_for_boinc(request, failure) : describe_cause(failure));
}

}  // namespace tmm::tray
