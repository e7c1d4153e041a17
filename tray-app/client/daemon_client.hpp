// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The daemon as the rest of the program sees it: wraps the proxies that qdbusxml2cpp makes, once.
//
// Never blocks and never starts the daemon by accident: calls go to the name's owner at the moment. The bus or the daemon that
// goes away and comes back is a state (Link), no error. A bus that is not there is tried again, ever less often; nothing else
// here has a timer. One thread, that of the event loop.
#pragma once

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QObject>
#include <QSet>
#include <QTimer>
#include <functional>
#include <memory>

#include "tray-app/client/types.hpp"
#include "tray-app/model/failure.hpp"
#include "tray-app/model/status.hpp"

class Tmm1Proxy;
class Contribution1Proxy;

namespace tmm::tray {

class DaemonClient : public QObject {
    Q_OBJECT
    Q_PROPERTY(tmm::tray::Snapshot snapshot READ snapshot NOTIFY snapshot_changed)
    Q_PROPERTY(QList<tmm::tray::Contribution> contributions READ contributions NOTIFY contributions_changed)

public:
    explicit DaemonClient(QObject* parent = nullptr);
    ~DaemonClient() override;

    // Connects to the system bus. What is found comes by signals.
    void start();

    [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }
    [[nodiscard]] const QList<Contribution>& contributions() const { return contributions_; }

    // Contributions are read and followed only while somebody looks at them.
    void watch_contributions(bool watching);

    // Reads again what no signal tells of: GivenByteSeconds.
    void read_status();
    void read_history(Resolution resolution);
    void read_decisions(quint32 max_rows);

    // Requests: each is answered by request_finished once, also when there is no daemon. The snapshot is what the daemon says
    // afterwards.
    void start_service();
    void pause(quint64 seconds);
    void resume();
    void set_on(bool on);
    void set_caps(const QVariantMap& changes);
    void pause_contribution(const QString& path);
    void resume_contribution(const QString& path);
    void stop_contribution(const QString& path);
    void set_weight(const QString& path, quint32 weight);

Q_SIGNALS:
    void snapshot_changed();
    void contributions_changed();
    void history_read(tmm::tray::Resolution resolution, const QList<tmm::tray::HistoryRow>& rows);
    void decisions_read(const QList<tmm::tray::Decision>& decisions);
    void request_finished(tmm::tray::Request request, const tmm::tray::Failure& failure);
    void notice_received(const QString& kind, const QString& text);

private Q_SLOTS:
    void on_bus_lost();
    void on_properties_changed(const QString& interface, const QVariantMap& changed, const QStringList& invalidated);
    void on_contribution_changed(const QDBusMessage& message);

private:
    void connect_to_bus();
    void query_owner();
    void set_owner(const QString& owner);
    void set_link(Link link);
    void subscribe_to_status(bool follow);
    void subscribe_to_contributions(bool follow);
    void read_contributions();
    void read_status_then(const std::function<void()>& then);
    void apply_status(const QDBusPendingReply<QVariantMap>& reply);
    void report_result(Request request, const QDBusPendingCall& call);
    void request(Request request, const std::function<QDBusPendingCall(Tmm1Proxy&)>& call);
    void request_contribution(const QString& path, const std::function<QDBusPendingCall(Contribution1Proxy&)>& call);
    void await(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then);
    // Drops what a daemon or a bus that is gone has answered.
    void await_current(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then);

    QDBusConnection bus_;
    std::unique_ptr<QDBusServiceWatcher> owner_watcher_;
    std::unique_ptr<Tmm1Proxy> proxy_;  // while the name has an owner
    quint64 generation_ = 0;            // of bus and owner
    Snapshot snapshot_;
    QList<Contribution> contributions_;
    QSet<Resolution> pending_histories_;
    bool watching_contributions_ = false;
    QTimer retry_;  // while there is no bus
};

}  // namespace tmm::tray
