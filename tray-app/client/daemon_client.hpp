// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// DaemonClient: the daemon's state and methods for the rest of the program. It alone uses the proxies of qdbusxml2cpp.
//
// It never blocks. It sends calls to the unique name of the present owner, so that no other daemon gets them. A lost bus or
// daemon is a state (Link), not an error. It has no timer besides that of its SystemBus. Use it from the thread of the event loop
// only.
#pragma once

#include <QDBusMessage>
#include <QDBusPendingCall>
#include <QDBusPendingReply>
#include <QDBusServiceWatcher>
#include <QObject>
#include <QSet>
#include <functional>
#include <memory>

#include "tray-app/client/system_bus.hpp"
#include "tray-app/client/types.hpp"
#include "tray-app/model/values/status.hpp"
#include "tray-app/model/words/failure.hpp"

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

    // Connects to the system bus and returns at once. snapshot_changed() reports the result.
    void start() { bus_.start(); }

    // The connection, which clients of other services share.
    [[nodiscard]] SystemBus& bus() { return bus_; }

    [[nodiscard]] const Snapshot& snapshot() const { return snapshot_; }
    [[nodiscard]] const QList<Contribution>& contributions() const { return contributions_; }

    // Starts or stops reading contributions and their changes. The window watches only while it is shown.
    void watch_contributions(bool watching);

    // Reads all properties again. GivenByteSeconds needs this: the daemon sends no signal for it.
    void read_status();
    // Reads all contributions again while they are watched.
    void read_contributions();
    // Requests the history, answered by history_read(). No daemon, an error, or the same request pending: no further signal.
    void read_history(Resolution resolution);
    // Requests the latest decisions, answered by decisions_read(). max_rows: the daemon keeps 100. No daemon or an error: no
    // signal.
    void read_decisions(quint32 max_rows);
    // Requests the heaps of soft memory and the owner's wishes for them, answered by soft_read(). No daemon or an error: no
    // signal.
    void read_soft();

    // Requests. Each emits request_finished() once, even without a daemon. By then snapshot() has the daemon's new state.
    // Asks systemd, which asks polkit. Success means that systemd begins to start it.
    void start_service();
    // Asks the systemd of this session and that of the system to stop transparent.slice, with all contributions in it.
    void stop_contributions();
    // seconds: length of the pause, up to a year; 0: until resume().
    void pause(quint64 seconds);
    void resume();
    void set_on(bool on);
    // changes: keys and units of Caps in the interface's XML; other caps keep their values.
    void set_caps(const QVariantMap& changes);
    // bytes: of all soft memory together; no_limit: no bound. weight: 1 to 10000.
    void set_soft_cap(quint64 bytes);
    void set_soft_weight(quint32 user, quint32 weight);
    // path: object path of a contribution.
    void pause_contribution(const QString& path);
    void resume_contribution(const QString& path);
    void stop_contribution(const QString& path);
    // weight: share of processor time among contributions, 1 to 10000.
    void set_weight(const QString& path, quint32 weight);

Q_SIGNALS:
    void snapshot_changed();
    void contributions_changed();
    void history_read(tmm::tray::Resolution resolution, const QList<tmm::tray::HistoryRow>& rows);
    void decisions_read(const QList<tmm::tray::Decision>& decisions);
    void soft_read(const QList<tmm::tray::SoftHeap>& heaps, const tmm::tray::SoftShares& shares);
    void request_finished(tmm::tray::Request request, const tmm::tray::Failure& failure);
    // A Notice of the daemon; text is one English sentence.
    void notice_received(const QString& kind, const QString& text);

private Q_SLOTS:
    void on_properties_changed(const QString& interface, const QVariantMap& changed, const QStringList& invalidated);
    void on_contribution_changed(const QDBusMessage& message);

private:
    void on_bus();
    void on_bus_lost();
    void query_owner();
    void set_owner(const QString& owner);
    void set_link(Link link);
    void subscribe_to_status(bool follow);
    void subscribe_to_contributions(bool follow);
    void read_status_then(const std::function<void()>& then);
    void note_source();
    void apply_status(const QDBusPendingReply<QVariantMap>& reply);
    void report_result(Request request, const QDBusPendingCall& call);
    void request(Request request, const std::function<QDBusPendingCall(Tmm1Proxy&)>& call);
    void request_contribution(const QString& path, const std::function<QDBusPendingCall(Contribution1Proxy&)>& call);
    // As await_reply(), but drops the reply of a daemon or bus that was replaced in the meantime.
    void await_current(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then);

    SystemBus bus_{this};
    std::unique_ptr<QDBusServiceWatcher> owner_watcher_;
    std::unique_ptr<Tmm1Proxy> proxy_;  // while the name has an owner
    quint64 generation_ = 0;            // counts changes of the owner
    Snapshot snapshot_;
    QList<Contribution> contributions_;
    QSet<Resolution> pending_histories_;
    bool watching_contributions_ = false;
};

}  // namespace tmm::tray
