// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The daemon's state as plain values. dbus/org.transparentmemory.Tmm1.xml gives meaning and units of the fields. client/ fills
// them; model/ and ui/ read them. Plain data: no errors, no threads.
#pragma once

#include <QList>
#include <QString>
#include <QVariantMap>
#include <limits>

namespace tmm::tray {

inline constexpr quint64 no_limit = std::numeric_limits<quint64>::max();
inline constexpr quint64 until_resumed = std::numeric_limits<quint64>::max();
inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

// The connection to the daemon.
enum class Link {
    no_bus,      // no system bus
    no_daemon,   // nobody owns the daemon's name
    connecting,  // requested the state, no reply yet
    connected,
};

enum class State {
    giving,
    waiting,
    paused,
    off,
    trouble,
    other,  // a state that a later version added
};

struct Caps {
    quint64 max_bytes = no_limit;
    double max_percent = 100;
    bool only_when_idle = false;
    bool only_on_mains = false;
    QString quiet_hours;  // "HH:MM-HH:MM", empty: none

    bool operator==(const Caps&) const = default;
};

struct Status {
    QString version;
    State state = State::waiting;
    QString reason;       // a sentence in English
    QString reason_code;  // its word
    QVariantMap reason_values;
    quint64 paused_until_us = 0;
    quint64 total_bytes = 0;
    quint64 opaque_bytes = 0;
    quint64 transparent_bytes = 0;
    quint64 free_bytes = 0;
    quint64 soft_bytes = 0;  // of opaque_bytes
    quint64 opaque_limit_bytes = no_limit;
    quint64 transparent_limit_bytes = no_limit;
    double expected_slowdown = not_known;
    double measured_stall = not_known;
    quint64 last_return_faults = 0;
    bool owner_decided = false;
    Caps caps;
    QString source;
    QString source_reason;
    double given_byte_seconds = 0;
};

// All that is known of the daemon. status is valid only if link is connected.
struct Snapshot {
    Link link = Link::connecting;
    Status status;
    QString last_source;  // of the last daemon that worked; empty: not known
};

// A row of GetHistory.
struct HistoryRow {
    quint64 start_us = 0;
    quint64 measured_s = 0;
    quint64 opaque_bytes = 0;
    quint64 transparent_bytes = 0;
    quint64 free_bytes = 0;
    quint64 opaque_limit_bytes = 0;
    quint64 transparent_limit_bytes = 0;
    double stall = not_known;
    quint64 return_faults = 0;
};

enum class Resolution { minutes, hours, days };

// A row of ListDecisions.
struct Decision {
    quint64 first_us = 0;
    quint64 last_us = 0;
    quint32 times = 0;
    QString kind;
    QString reason;  // a sentence in English
    QString reason_code;
    QVariantMap reason_values;
};

// A row of GetSoftHeaps.
struct SoftHeap {
    quint32 process = 0;
    quint32 user = 0;
    quint64 granted_bytes = 0;
    quint64 used_bytes = 0;
    quint64 footprint_bytes = 0;
    double rebuilding = 0;
    double gain = 0;
    double hits = 0;
    double predicted = 0;

    bool operator==(const SoftHeap&) const = default;
};

struct SoftWeight {
    quint32 user = 0;
    quint32 weight = 100;

    bool operator==(const SoftWeight&) const = default;
};

// GetSoftShares.
struct SoftShares {
    quint64 max_bytes = no_limit;
    QList<SoftWeight> weights;

    bool operator==(const SoftShares&) const = default;
};

struct Contribution {
    QString path;
    QString name;  // empty: another user's, and the daemon does not reveal it
    quint32 user = 0;
    quint64 memory_bytes = 0;
    QString state;
    quint32 weight = 100;
    quint64 far_bytes = 0;  // beside memory_bytes

    bool operator==(const Contribution&) const = default;
};

}  // namespace tmm::tray
