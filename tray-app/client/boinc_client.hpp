// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincClient: the tasks that tmm-boinc shows, for the rest of the program.
//
// It never blocks and has no timer. An absent tmm-boinc is a state (Link), not an error. Use it from the thread of the event loop
// only.
#pragma once

#include <QDBusServiceWatcher>
#include <QObject>
#include <QStringList>
#include <QVariantMap>
#include <functional>
#include <memory>

#include "tray-app/client/system_bus.hpp"
#include "tray-app/model/values/boinc.hpp"

namespace tmm::tray {

class BoincClient : public QObject {
    Q_OBJECT
    Q_PROPERTY(tmm::tray::BoincSnapshot snapshot READ snapshot NOTIFY snapshot_changed)

public:
    // bus: must outlive this object.
    explicit BoincClient(SystemBus* bus, QObject* parent = nullptr);

    // Starts or stops following tmm-boinc. The window watches only while it is shown, for tasks change all the time.
    void watch(bool watching);

    [[nodiscard]] const BoincSnapshot& snapshot() const { return snapshot_; }

Q_SIGNALS:
    void snapshot_changed();

private Q_SLOTS:
    void on_properties_changed(const QString& interface, const QVariantMap& changed, const QStringList& invalidated);

private:
    void follow();
    void unfollow();
    void on_bus_lost();
    void set_owner(const QString& owner);
    void set_link(Link link);
    void subscribe(bool subscribed);
    void read_all();
    // As await_reply(), but drops the reply of a tmm-boinc or bus that was replaced in the meantime.
    void await_current(const QDBusPendingCall& call, const std::function<void(const QDBusPendingCall&)>& then);

    SystemBus* bus_;
    std::unique_ptr<QDBusServiceWatcher> owner_watcher_;  // while it follows
    QString owner_;                                       // unique name; empty: none
    quint64 generation_ = 0;                              // counts changes of the owner
    bool watching_ = false;
    BoincSnapshot snapshot_;
};

}  // namespace tmm::tray
