// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// one_request.hpp
#include "tray-app/ui/one_request.hpp"

#include <utility>

#include "tray-app/model/words/failure.hpp"

namespace tmm::tray {

using namespace Qt::StringLiterals;

OneRequest::OneRequest(Request request, QObject* parent) : QObject(parent), request_(request) {
    connect(&client_, &DaemonClient::snapshot_changed, this, &OneRequest::on_snapshot);
    connect(&client_, &DaemonClient::request_finished, this, [this](Request, const Failure& failure) { on_finished(failure); });
}

void OneRequest::start() {
    client_.start();
    on_snapshot();
}

void OneRequest::on_snapshot() {
    if (client_.snapshot().link == Link::connecting || std::exchange(sent_, true))
        return;
    // Without a daemon the client answers with the failure.
    if (request_ == Request::pause)
        client_.pause(0);
    else
        client_.resume();
}

void OneRequest::on_finished(const Failure& failure) {
    if (!failure) {
        Q_EMIT ended({});
        return;
    }
    const QString message = explain(request_, failure);
    connect(&notifier_, &Notifier::answered, this, [this, message] { Q_EMIT ended(message); });
    notifier_.show({u"request"_s, tr("Transparent Memory"), message, u"tmm-tray-trouble"_s});
}

}  // namespace tmm::tray
