// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The state of tmm-boinc(8) as plain values, read from values of any type and size: what is malformed is left out, and nothing is
// longer than its bound. dbus/org.transparentmemory.TmmBoinc1.xml gives meaning and units of the fields. client/ fills them.
// Pure; any thread.
#pragma once

#include <QDate>
#include <QList>
#include <QString>
#include <QStringList>
#include <QVariantMap>

#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

inline constexpr qsizetype max_boinc_tasks = 256;
inline constexpr qsizetype max_boinc_others = 8;
inline constexpr qsizetype max_boinc_days = 31;
inline constexpr qsizetype max_boinc_name = 256;      // UTF-16 units of a name or word
inline constexpr qsizetype max_boinc_message = 1024;  // the same of a sentence

struct BoincTask {
    QString project;
    QString application;
    QString name;
    QString state;
    double progress = not_known;  // [0, 1]
    quint64 memory_bytes = 0;
    quint64 swap_bytes = 0;
    quint64 needed_bytes = 0;
    bool outside = false;

    bool operator==(const BoincTask&) const = default;
};

struct BoincDay {
    QDate date;
    double checkpointed_s = 0;
    double byte_seconds = 0;

    bool operator==(const BoincDay&) const = default;
};

struct BoincStatus {
    QString state;
    QString message;  // a sentence in English
    QString client_version;
    quint32 tasks_outside = 0;
    QStringList other_clients;  // a sentence in English for each
    QList<BoincTask> tasks;
    QList<BoincDay> days;  // oldest first
};

// All that is known of tmm-boinc. status is valid only if link is connected.
struct BoincSnapshot {
    Link link = Link::connecting;
    BoincStatus status;
};

// systemd's word for a unit: whether it starts with the computer.
enum class UnitFile {
    unknown,  // there is no systemd, or it does not answer
    absent,
    disabled,
    enabled,
    other,  // masked, for example
};

struct BoincUnits {
    UnitFile client = UnitFile::unknown;   // boinc-client.service
    UnitFile adapter = UnitFile::unknown;  // tmm-boinc.service

    bool operator==(const BoincUnits&) const = default;
};

// Copies the properties in the map into status. A property that is missing or has a wrong type changes nothing. Tasks are a list
// of maps, days a list of lists.
void read_boinc(const QVariantMap& properties, BoincStatus& status);

// Returns the meaning of a reply of GetUnitFileState, for a unit that exists.
UnitFile unit_file_of(const QString& word);

// Whether the window shows anything of BOINC.
bool concerns_boinc(const BoincSnapshot& snapshot, const BoincUnits& units);

// Whether BOINC is installed, with its adapter, and nobody has let it use idle memory.
bool may_offer_boinc(const BoincUnits& units);

}  // namespace tmm::tray
