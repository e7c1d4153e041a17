// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Structs of the daemon's interface, under the names that the XML's annotations give qdbusxml2cpp, and their conversion from
// D-Bus messages. No state; use from any thread.
#pragma once

#include <QDBusArgument>
#include <QList>
#include <QVariantMap>

#include "tray-app/model/values/status.hpp"

using TmmHistory = QList<tmm::tray::HistoryRow>;
using TmmDecisions = QList<tmm::tray::Decision>;
using TmmSoftHeaps = QList<tmm::tray::SoftHeap>;
using TmmSoftShares = tmm::tray::SoftShares;
using TmmContributions = QList<tmm::tray::Contribution>;

namespace tmm::tray {

// QtDBus requires both directions, though the program only reads.
QDBusArgument& operator<<(QDBusArgument& argument, const HistoryRow& row);
const QDBusArgument& operator>>(const QDBusArgument& argument, HistoryRow& row);
QDBusArgument& operator<<(QDBusArgument& argument, const Decision& decision);
const QDBusArgument& operator>>(const QDBusArgument& argument, Decision& decision);
QDBusArgument& operator<<(QDBusArgument& argument, const SoftHeap& heap);
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftHeap& heap);
QDBusArgument& operator<<(QDBusArgument& argument, const SoftWeight& weight);
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftWeight& weight);
QDBusArgument& operator<<(QDBusArgument& argument, const SoftShares& shares);
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftShares& shares);
QDBusArgument& operator<<(QDBusArgument& argument, const Contribution& contribution);
const QDBusArgument& operator>>(const QDBusArgument& argument, Contribution& contribution);

// Registers the types above with QtDBus. Call it before the first D-Bus call.
void register_types();

// Copies the properties in the map into status. A field keeps its value if its property is missing or has a wrong type.
void read_properties(const QVariantMap& properties, Status& status);

// The same for the properties of a contribution.
void read_properties(const QVariantMap& properties, Contribution& contribution);

}  // namespace tmm::tray
