// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// types.hpp
#include "tray-app/client/types.hpp"

#include <QDBusMetaType>
#include <QDBusObjectPath>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

State state_of(const QString& word) {
    static const QHash<QString, State> states{{u"giving"_s, State::giving},
                                              {u"waiting"_s, State::waiting},
                                              {u"paused"_s, State::paused},
                                              {u"off"_s, State::off},
                                              {u"trouble"_s, State::trouble}};
    return states.value(word, State::other);
}

template <typename T>
void read(const QVariantMap& properties, const QString& name, T& value) {
    const auto property = properties.constFind(name);
    if (property != properties.constEnd() && property->canConvert<T>())
        value = property->value<T>();
}

void read_caps(const QVariantMap& caps, Caps& value) {
    read(caps, u"max-bytes"_s, value.max_bytes);
    read(caps, u"max-percent"_s, value.max_percent);
    read(caps, u"only-when-idle"_s, value.only_when_idle);
    read(caps, u"only-on-mains"_s, value.only_on_mains);
    read(caps, u"quiet-hours"_s, value.quiet_hours);
}

}  // namespace

QDBusArgument& operator<<(QDBusArgument& argument, const HistoryRow& row) {
    argument.beginStructure();
    argument << row.start_us << row.measured_s << row.opaque_bytes << row.transparent_bytes << row.free_bytes
             << row.opaque_limit_bytes << row.transparent_limit_bytes << row.stall << row.return_faults;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, HistoryRow& row) {
    argument.beginStructure();
    argument >> row.start_us >> row.measured_s >> row.opaque_bytes >> row.transparent_bytes >> row.free_bytes >>
        row.opaque_limit_bytes >> row.transparent_limit_bytes >> row.stall >> row.return_faults;
    argument.endStructure();
    return argument;
}

QDBusArgument& operator<<(QDBusArgument& argument, const Decision& decision) {
    argument.beginStructure();
    argument << decision.first_us << decision.last_us << decision.times << decision.kind << decision.reason
             << decision.reason_code << decision.reason_values;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, Decision& decision) {
    argument.beginStructure();
    argument >> decision.first_us >> decision.last_us >> decision.times >> decision.kind >> decision.reason >>
        decision.reason_code >> decision.reason_values;
    argument.endStructure();
    return argument;
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftHeap& heap) {
    argument.beginStructure();
    argument << heap.process << heap.user << heap.granted_bytes << heap.used_bytes << heap.footprint_bytes << heap.rebuilding
             << heap.gain << heap.hits << heap.predicted;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, SoftHeap& heap) {
    argument.beginStructure();
    argument >> heap.process >> heap.user >> heap.granted_bytes >> heap.used_bytes >> heap.footprint_bytes >> heap.rebuilding >>
        heap.gain >> heap.hits >> heap.predicted;
    argument.endStructure();
    return argument;
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftWeight& weight) {
    argument.beginStructure();
    argument << weight.user << weight.weight;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, SoftWeight& weight) {
    argument.beginStructure();
    argument >> weight.user >> weight.weight;
    argument.endStructure();
    return argument;
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftShares& shares) {
    argument.beginStructure();
    argument << shares.max_bytes << shares.weights;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, SoftShares& shares) {
    argument.beginStructure();
    argument >> shares.max_bytes >> shares.weights;
    argument.endStructure();
    return argument;
}

QDBusArgument& operator<<(QDBusArgument& argument, const Contribution& contribution) {
    argument.beginStructure();
    // QtDBus writes a default value to learn the types; an empty object path would be invalid.
    argument << QDBusObjectPath(contribution.path.isEmpty() ? u"/"_s : contribution.path) << contribution.name
             << contribution.user << contribution.memory_bytes << contribution.state << contribution.weight;
    argument.endStructure();
    return argument;
}

const QDBusArgument& operator>>(const QDBusArgument& argument, Contribution& contribution) {
    QDBusObjectPath path;
    argument.beginStructure();
    argument >> path >> contribution.name >> contribution.user >> contribution.memory_bytes >> contribution.state >>
        contribution.weight;
    argument.endStructure();
    contribution.path = path.path();
    return argument;
}

void register_types() {
    qDBusRegisterMetaType<HistoryRow>();
    qDBusRegisterMetaType<TmmHistory>();
    qDBusRegisterMetaType<Decision>();
    qDBusRegisterMetaType<TmmDecisions>();
    qDBusRegisterMetaType<SoftHeap>();
    qDBusRegisterMetaType<TmmSoftHeaps>();
    qDBusRegisterMetaType<SoftWeight>();
    qDBusRegisterMetaType<QList<SoftWeight>>();
    qDBusRegisterMetaType<SoftShares>();
    qDBusRegisterMetaType<Contribution>();
    qDBusRegisterMetaType<TmmContributions>();
}

void read_properties(const QVariantMap& properties, Status& status) {
    read(properties, u"Version"_s, status.version);
    if (properties.contains(u"State"_s))
        status.state = state_of(properties.value(u"State"_s).toString());
    read(properties, u"Reason"_s, status.reason);
    read(properties, u"ReasonCode"_s, status.reason_code);
    if (properties.contains(u"ReasonValues"_s))
        status.reason_values = qdbus_cast<QVariantMap>(properties.value(u"ReasonValues"_s));
    read(properties, u"PausedUntil"_s, status.paused_until_us);
    read(properties, u"TotalBytes"_s, status.total_bytes);
    read(properties, u"OpaqueBytes"_s, status.opaque_bytes);
    read(properties, u"TransparentBytes"_s, status.transparent_bytes);
    read(properties, u"FreeBytes"_s, status.free_bytes);
    read(properties, u"SoftBytes"_s, status.soft_bytes);
    read(properties, u"OpaqueLimitBytes"_s, status.opaque_limit_bytes);
    read(properties, u"TransparentLimitBytes"_s, status.transparent_limit_bytes);
    read(properties, u"ExpectedSlowdown"_s, status.expected_slowdown);
    read(properties, u"MeasuredStall"_s, status.measured_stall);
    read(properties, u"LastReturnFaults"_s, status.last_return_faults);
    read(properties, u"OwnerDecided"_s, status.owner_decided);
    if (properties.contains(u"Caps"_s))
        read_caps(qdbus_cast<QVariantMap>(properties.value(u"Caps"_s)), status.caps);
    read(properties, u"Source"_s, status.source);
    read(properties, u"SourceReason"_s, status.source_reason);
    read(properties, u"GivenByteSeconds"_s, status.given_byte_seconds);
}

void read_properties(const QVariantMap& properties, Contribution& contribution) {
    read(properties, u"User"_s, contribution.user);
    read(properties, u"MemoryBytes"_s, contribution.memory_bytes);
    read(properties, u"State"_s, contribution.state);
    read(properties, u"Weight"_s, contribution.weight);
}

}  // namespace tmm::tray
