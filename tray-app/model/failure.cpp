// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// failure.hpp
#include "tray-app/model/failure.hpp"

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
        case Request::pause:
            return Words::tr("Contributions were not paused.");
        case Request::resume:
            return Words::tr("The pause continues.");
        case Request::set_on:
            return Words::tr("Giving was not switched on or off.");
        case Request::set_caps:
            return Words::tr("The settings were not changed.");
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

}  // namespace

QString explain(Request request, const Failure& failure) {
    return describe_request(request) + u' ' + describe_cause(failure);
}

}  // namespace tmm::tray
