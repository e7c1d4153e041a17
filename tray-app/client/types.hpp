// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Types of the daemon's interface that Qt has none for, under the names that the XML's annotations give to qdbusxml2cpp, and how
// they are read from messages.
#pragma once

#include <QDBusArgument>
#include <QList>
#include <QVariantMap>

#include "tray-app/model/status.hpp"

using TmmHistory = QList<tmm::tray::HistoryRow>;
using TmmDecisions = QList<tmm::tray::Decision>;
using TmmContributions = QList<tmm::tray::Contribution>;

namespace tmm::tray {

// QtDBus asks for both directions.
QDBusArgument& operator<<(QDBusArgument& argument, const HistoryRow& row);
const QDBusArgument& operator>>(const QDBusArgument& argument, HistoryRow& row);
QDBusArgument& operator<<(QDBusArgument& argument, const Decision& decision);
const QDBusArgument& operator>>(const QDBusArgument& argument, Decision& decision);
QDBusArgument& operator<<(QDBusArgument& argument, const Contribution& contribution);
const QDBusArgument& operator>>(const QDBusArgument& argument, Contribution& contribution);

// To be called once before the first call.
void register_types();

// Takes over the properties of the interface that are in the map, and leaves the others as they are.
void read_properties(const QVariantMap& properties, Status& status);

// The same for those of a contribution.
void read_properties(const QVariantMap& properties, Contribution& contribution);

}  // namespace tmm::tray
