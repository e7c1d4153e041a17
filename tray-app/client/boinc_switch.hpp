// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincSwitch: lets BOINC use idle memory or ends that, through systemd's units of tmm-boinc(8), and restarts BOINC's client.
// systemd asks polkit, and polkit asks an administrator.
//
// It never blocks. Its one timer runs only while systemd works on a request. Use it from the thread of the event loop only.
#pragma once

#include <QDBusObjectPath>
#include <QDBusPendingCall>
#include <QHash>
#include <QObject>
#include <QTimer>
#include <functional>

#include "tray-app/client/system_bus.hpp"
#include "tray-app/model/values/boinc.hpp"
#include "tray-app/model/words/failure.hpp"

namespace tmm::tray {

class BoincSwitch : public QObject {
    Q_OBJECT

public:
    // bus: must outlive this object.
    explicit BoincSwitch(SystemBus* bus, QObject* parent = nullptr);

    // Asks systemd for the units. changed() reports a difference.
    void read();

    [[nodiscard]] const BoincUnits& units() const { return units_; }
    // Whether a request is being carried out.
    [[nodiscard]] bool busy() const { return phase_ != Phase::idle; }

    // Turns it on or off. finished() reports the result, once the job of systemd has ended; by then units() has the new state.
    // Does nothing while busy.
    void turn(bool on);

    // Restarts the client of the system, so that tasks that began before become contributions. They go on from their last
    // checkpoint. The rest is as with turn().
    void restart_client();

Q_SIGNALS:
    // units() or busy() has changed.
    void changed();
    // request: boinc_on, boinc_off or boinc_restart.
    void finished(tmm::tray::Request request, const tmm::tray::Failure& failure);

private Q_SLOTS:
    void on_job_removed(uint id, const QDBusObjectPath& job, const QString& unit, const QString& result);

private:
    // working: systemd is asked or works; ending: it has ended, and the units are read again.
    enum class Phase { idle, working, ending };

    void begin(Request request);
    void read_then(const std::function<void()>& then);
    void read_unit(const QString& unit, const std::function<void(UnitFile)>& then);
    void set_units(const BoincUnits& units);
    void start_unit(const QString& systemd);
    void follow_jobs(bool follow);
    void end_job(const QString& result);
    void end(const Failure& failure);
    void on_bus();
    void on_bus_lost();

    SystemBus* bus_;
    BoincUnits units_;
    quint64 generation_ = 0;  // counts connections
    Phase phase_ = Phase::idle;
    // Of the present request:
    Request request_ = Request::boinc_on;
    QString systemd_;                   // unique name, while it follows jobs
    QString job_;                       // path; empty: systemd has not answered yet
    QHash<QString, QString> finished_;  // results by path of jobs that ended before systemd's answer arrived
    QTimer deadline_{this};
};

}  // namespace tmm::tray
