// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// types.hpp
#include "tray-app/client/types.hpp"

#include <QDBusMetaType>
#include <QDBusObjectPath>
#include <tuple>
#include <type_traits>

#include "tmmd/wire/members.hpp"

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
void read(const QVariantMap& properties, const char* name, T& value) {
    const auto property = properties.constFind(QLatin1StringView(name));
    if (property == properties.constEnd())
        return;
    if constexpr (std::is_same_v<T, State>) {
        value = state_of(property->toString());
    } else if constexpr (std::is_same_v<T, QVariantMap>) {
        value = qdbus_cast<QVariantMap>(*property);
    } else if constexpr (std::is_same_v<T, Caps>) {
        const auto caps = qdbus_cast<QVariantMap>(*property);
        wire::for_each_cap(value, [&](const char* key, auto& cap) { read(caps, key, cap); });
    } else if (property->canConvert<T>()) {
        value = property->value<T>();
    }
}

template <typename... Fields>
QDBusArgument& write_struct(QDBusArgument& argument, const std::tuple<Fields...>& fields) {
    argument.beginStructure();
    std::apply([&](const auto&... field) { (argument << ... << field); }, fields);
    argument.endStructure();
    return argument;
}

template <typename... Fields>
const QDBusArgument& read_struct(const QDBusArgument& argument, const std::tuple<Fields&...>& fields) {
    argument.beginStructure();
    std::apply([&](auto&... field) { (argument >> ... >> field); }, fields);
    argument.endStructure();
    return argument;
}

}  // namespace

QDBusArgument& operator<<(QDBusArgument& argument, const HistoryRow& row) {
    return write_struct(argument, wire::history_row(row));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, HistoryRow& row) {
    return read_struct(argument, wire::history_row(row));
}

QDBusArgument& operator<<(QDBusArgument& argument, const Decision& decision) {
    return write_struct(argument, wire::told_decision(decision));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, Decision& decision) {
    return read_struct(argument, wire::told_decision(decision));
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftHeap& heap) {
    return write_struct(argument, wire::soft_heap(heap));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftHeap& heap) {
    return read_struct(argument, wire::soft_heap(heap));
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftWeight& weight) {
    return write_struct(argument, wire::soft_weight(weight));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftWeight& weight) {
    return read_struct(argument, wire::soft_weight(weight));
}

QDBusArgument& operator<<(QDBusArgument& argument, const SoftShares& shares) {
    return write_struct(argument, std::tie(shares.max_bytes, shares.weights));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, SoftShares& shares) {
    return read_struct(argument, std::tie(shares.max_bytes, shares.weights));
}

QDBusArgument& operator<<(QDBusArgument& argument, const Contribution& row) {
    // QtDBus writes a default value to learn the types; an empty object path would be invalid.
    const QDBusObjectPath path(row.path.isEmpty() ? u"/"_s : row.path);
    return write_struct(argument, std::tie(path, row.name, row.user, row.memory_bytes, row.state, row.weight, row.far_bytes));
}
const QDBusArgument& operator>>(const QDBusArgument& argument, Contribution& row) {
    QDBusObjectPath path;
    read_struct(argument, std::tie(path, row.name, row.user, row.memory_bytes, row.state, row.weight, row.far_bytes));
    row.path = path.path();
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
    wire::for_each_property(status, [&](const char* name, auto& value) { read(properties, name, value); });
}

void read_properties(const QVariantMap& properties, Contribution& contribution) {
    read(properties, "User", contribution.user);
    read(properties, "MemoryBytes", contribution.memory_bytes);
    read(properties, "State", contribution.state);
    read(properties, "Weight", contribution.weight);
    read(properties, "FarBytes", contribution.far_bytes);
}

}  // namespace tmm::tray
