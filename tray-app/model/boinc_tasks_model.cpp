// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// boinc_tasks_model.hpp
#include "tray-app/model/boinc_tasks_model.hpp"

#include <algorithm>

#include "tray-app/model/words/boinc_text.hpp"
#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/names.hpp"

namespace tmm::tray {
namespace {

bool is_same(const BoincTask& one, const BoincTask& other) {
    return one.project == other.project && one.name == other.name;
}

// A task without processes has none.
bool has_memory(const BoincTask& task) {
    return task.memory_bytes > 0 || task.swap_bytes > 0;
}

QVariant alignment(int column) {
    const bool number = column == BoincTasksModel::progress_column || column == BoincTasksModel::memory_column;
    return QVariant::fromValue(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

void BoincTasksModel::set_tasks(const QList<BoincTask>& tasks) {
    remove_rows_but(tasks);
    for (int row = 0; row < static_cast<int>(tasks.size()); ++row) {
        const BoincTask& task = tasks[row];
        const auto old = std::find_if(tasks_.begin() + row, tasks_.end(), [&](const BoincTask& t) { return is_same(t, task); });
        const auto old_row = static_cast<int>(old - tasks_.begin());
        if (old == tasks_.end()) {
            beginInsertRows({}, row, row);
            tasks_.insert(row, task);
            endInsertRows();
            continue;
        }
        if (old_row != row) {
            beginMoveRows({}, old_row, old_row, {}, row);
            tasks_.move(old_row, row);
            endMoveRows();
        }
        if (tasks_[row] == task)
            continue;
        tasks_[row] = task;
        Q_EMIT dataChanged(index(row, 0), index(row, nr_columns - 1));
    }
    // More than one of the same name.
    while (tasks_.size() > tasks.size()) {
        const auto last = static_cast<int>(tasks_.size()) - 1;
        beginRemoveRows({}, last, last);
        tasks_.removeLast();
        endRemoveRows();
    }
}

void BoincTasksModel::remove_rows_but(const QList<BoincTask>& tasks) {
    for (int row = static_cast<int>(tasks_.size()) - 1; row >= 0; --row) {
        if (std::any_of(tasks.begin(), tasks.end(), [&](const BoincTask& task) { return is_same(task, tasks_[row]); }))
            continue;
        beginRemoveRows({}, row, row);
        tasks_.removeAt(row);
        endRemoveRows();
    }
}

int BoincTasksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(tasks_.size());
}

int BoincTasksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : nr_columns;
}

QVariant BoincTasksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= tasks_.size())
        return {};
    const BoincTask& task = tasks_[index.row()];
    if (role == Qt::DisplayRole)
        return text(task, index.column());
    if (role == Qt::ToolTipRole)
        return hint(task, index.column());
    if (role == Qt::TextAlignmentRole)
        return alignment(index.column());
    if (role == share_role && index.column() == progress_column)
        return task.progress;
    return {};
}

QVariant BoincTasksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignment(section);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
        case project_column:
            return tr("Project");
        case application_column:
            return tr("Application");
        case name_column:
            return tr("Task");
        case progress_column:
            return tr("Progress");
        case memory_column:
            return tr("Memory");
        case state_column:
            return tr("State");
        default:
            return {};
    }
}

QString BoincTasksModel::text(const BoincTask& task, int column) const {
    switch (column) {
        case project_column:
            return visible_name(task.project);
        case application_column:
            return visible_name(task.application);
        case name_column:
            return visible_name(task.name);
        case progress_column:
            return format_share(task.progress, locale_);
        case memory_column:
            return has_memory(task) ? format_bytes(task.memory_bytes, locale_) : QString(QChar(0x2013));
        case state_column:
            return task_sentence(task, locale_);
        default:
            return {};
    }
}

QString BoincTasksModel::hint(const BoincTask& task, int column) const {
    if (column == progress_column)
        return {};
    if (column == memory_column)
        return task.swap_bytes == 0 ? QString() : tr("and %1 in swap").arg(format_bytes(task.swap_bytes, locale_));
    // Escaped: a hint that looks like markup would be drawn as such.
    return text(task, column).toHtmlEscaped();
}

}  // namespace tmm::tray
