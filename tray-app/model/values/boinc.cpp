// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc.hpp
#include "tray-app/model/values/boinc.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

// QVariant would convert texts to numbers.
template <typename T>
std::optional<T> value_of(const QVariant& value) {
    if (value.metaType() != QMetaType::fromType<T>())
        return std::nullopt;
    return value.value<T>();
}

template <typename T>
void read(const QVariantMap& values, const QString& name, T& field) {
    field = value_of<T>(values.value(name)).value_or(field);
}

void read_text(const QVariantMap& values, const QString& name, qsizetype max_length, QString& field) {
    if (const auto text = value_of<QString>(values.value(name)))
        field = text->left(max_length);
}

BoincTask task_of(const QVariantMap& values) {
    BoincTask task;
    read_text(values, u"project"_s, max_boinc_name, task.project);
    read_text(values, u"application"_s, max_boinc_name, task.application);
    read_text(values, u"name"_s, max_boinc_name, task.name);
    read_text(values, u"state"_s, max_boinc_name, task.state);
    read(values, u"progress"_s, task.progress);
    task.progress = std::isfinite(task.progress) ? std::clamp(task.progress, 0.0, 1.0) : not_known;
    read(values, u"memory-bytes"_s, task.memory_bytes);
    read(values, u"swap-bytes"_s, task.swap_bytes);
    read(values, u"needed-bytes"_s, task.needed_bytes);
    read(values, u"outside"_s, task.outside);
    return task;
}

QList<BoincTask> tasks_of(const QVariantList& list) {
    QList<BoincTask> tasks;
    for (const QVariant& each : list) {
        if (tasks.size() == max_boinc_tasks)
            break;
        if (const auto values = value_of<QVariantMap>(each))
            tasks << task_of(*values);
    }
    return tasks;
}

bool is_amount(const std::optional<double>& amount) {
    return amount && std::isfinite(*amount) && *amount >= 0;
}

std::optional<BoincDay> day_of(const QVariantList& values) {
    if (values.size() != 3)
        return std::nullopt;
    const QDate date = QDate::fromString(value_of<QString>(values[0]).value_or(QString()), Qt::ISODate);
    const auto checkpointed_s = value_of<double>(values[1]);
    const auto byte_seconds = value_of<double>(values[2]);
    if (!date.isValid() || !is_amount(checkpointed_s) || !is_amount(byte_seconds))
        return std::nullopt;
    return BoincDay{date, *checkpointed_s, *byte_seconds};
}

QList<BoincDay> days_of(const QVariantList& list) {
    QList<BoincDay> days;
    for (const QVariant& each : list.first(std::min(list.size(), max_boinc_days))) {
        if (const auto day = day_of(value_of<QVariantList>(each).value_or(QVariantList())))
            days << *day;
    }
    return days;
}

}  // namespace

void read_boinc(const QVariantMap& properties, BoincStatus& status) {
    read_text(properties, u"State"_s, max_boinc_name, status.state);
    read_text(properties, u"Message"_s, max_boinc_message, status.message);
    read_text(properties, u"ClientVersion"_s, max_boinc_name, status.client_version);
    read(properties, u"TasksOutside"_s, status.tasks_outside);
    if (const auto others = value_of<QStringList>(properties.value(u"OtherClients"_s))) {
        status.other_clients.clear();
        for (const QString& sentence : others->first(std::min(others->size(), max_boinc_others)))
            status.other_clients << sentence.left(max_boinc_message);
    }
    if (const auto tasks = value_of<QVariantList>(properties.value(u"Tasks"_s)))
        status.tasks = tasks_of(*tasks);
    if (const auto days = value_of<QVariantList>(properties.value(u"Days"_s)))
        status.days = days_of(*days);
}

UnitFile unit_file_of(const QString& word) {
    if (word == u"enabled"_s || word == u"enabled-runtime"_s)
        return UnitFile::enabled;
    return word == u"disabled"_s ? UnitFile::disabled : UnitFile::other;
}

bool concerns_boinc(const BoincSnapshot& snapshot, const BoincUnits& units) {
    const auto exists = [](UnitFile unit) { return unit == UnitFile::enabled || unit == UnitFile::disabled; };
    return snapshot.link == Link::connected || exists(units.adapter) || exists(units.client);
}

bool may_offer_boinc(const BoincUnits& units) {
    return (units.client == UnitFile::enabled || units.client == UnitFile::disabled) && units.adapter == UnitFile::disabled;
}

}  // namespace tmm::tray
