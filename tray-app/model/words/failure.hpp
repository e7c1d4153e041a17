// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Explains failed requests to the user. Pure; any thread.
#pragma once

#include <QString>

namespace tmm::tray {

// A request to the daemon, or to systemd.
enum class Request {
    start_service,
    stop_contributions,
    pause,
    resume,
    set_on,
    set_caps,
    set_soft,
    contribution,
    boinc_on,
    boinc_off,
    boinc_restart
};

// The name of the error of a systemd job that was done badly; the message is systemd's word for its result.
inline const QString job_failed = QStringLiteral("org.transparentmemory.TmmTray.Error.JobFailed");

struct Failure {
    QString error;    // D-Bus name of the error; empty: the request succeeded
    QString message;  // the daemon's message, in English

    explicit operator bool() const { return !error.isEmpty(); }
};

// Returns plain text: the request that failed, the cause, and a remedy if there is one. The daemon's message is included only for
// errors without a text of their own.
QString explain(Request request, const Failure& failure);

}  // namespace tmm::tray
