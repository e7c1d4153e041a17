// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// contributions_model.hpp
#include "tray-app/model/contributions_model.hpp"

#include <algorithm>

#include "tray-app/model/words/boinc_text.hpp"
#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/names.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr char16_t em_space = 0x2003;  // indents a task

// Only administrators are told the names of other users' contributions.
bool is_boinc(const Contribution& contribution) {
    return contribution.name == u"boinc-client.service"_s ||
           (contribution.name.isEmpty() && user_name(contribution.user) == u"boinc"_s);
}

// Aligns numbers to the right.
QVariant alignment(int column) {
    const bool number = column == ContributionsModel::memory_column || column == ContributionsModel::weight_column;
    return QVariant::fromValue(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

ContributionsModel::ContributionsModel(quint32 own_user, QObject* parent) : QAbstractTableModel(parent), own_user_(own_user) {}

bool ContributionsModel::is_same(const Row& one, const Row& other) {
    if (one.contribution.path != other.contribution.path || one.is_task != other.is_task)
        return false;
    return one.task.project == other.task.project && one.task.name == other.task.name;
}

// The contributions of before in their order, then new ones; each with its tasks.
QList<ContributionsModel::Row> ContributionsModel::rows_for(const QList<Contribution>& contributions,
                                                            const QList<BoincTask>& tasks) const {
    const auto place = [&](const Contribution& one) {
        const auto old = std::find_if(rows_.begin(), rows_.end(),
                                      [&](const Row& row) { return !row.is_task && row.contribution.path == one.path; });
        return old - rows_.begin();
    };
    QList<Contribution> ordered = contributions;
    std::stable_sort(ordered.begin(), ordered.end(),
                     [&](const Contribution& one, const Contribution& other) { return place(one) < place(other); });
    QList<Row> rows;
    for (const Contribution& contribution : ordered) {
        rows << Row{contribution, false, {}};
        if (!is_boinc(contribution))
            continue;
        for (const BoincTask& task : tasks) {
            if (!task.outside && (task.memory_bytes > 0 || task.swap_bytes > 0))
                rows << Row{contribution, true, task};
        }
    }
    return rows;
}

void ContributionsModel::set_contributions(const QList<Contribution>& contributions, const QList<BoincTask>& tasks) {
    const QList<Row> wanted = rows_for(contributions, tasks);
    remove_rows_but(wanted);
    for (int row = 0; row < static_cast<int>(wanted.size()); ++row) {
        const auto old =
            std::find_if(rows_.begin() + row, rows_.end(), [&](const Row& one) { return is_same(one, wanted[row]); });
        const auto old_row = static_cast<int>(old - rows_.begin());
        if (old == rows_.end()) {
            beginInsertRows({}, row, row);
            rows_.insert(row, wanted[row]);
            endInsertRows();
            continue;
        }
        if (old_row != row) {
            beginMoveRows({}, old_row, old_row, {}, row);
            rows_.move(old_row, row);
            endMoveRows();
        }
        if (rows_[row] == wanted[row])
            continue;
        rows_[row] = wanted[row];
        Q_EMIT dataChanged(index(row, 0), index(row, nr_columns - 1));
    }
    // More than one of the same name.
    while (rows_.size() > wanted.size()) {
        const auto last = static_cast<int>(rows_.size()) - 1;
        beginRemoveRows({}, last, last);
        rows_.removeLast();
        endRemoveRows();
    }
}

void ContributionsModel::remove_rows_but(const QList<Row>& wanted) {
    for (int row = static_cast<int>(rows_.size()) - 1; row >= 0; --row) {
        if (std::any_of(wanted.begin(), wanted.end(), [&](const Row& one) { return is_same(one, rows_[row]); }))
            continue;
        beginRemoveRows({}, row, row);
        rows_.removeAt(row);
        endRemoveRows();
    }
}

const Contribution* ContributionsModel::at(const QModelIndex& index) const {
    const bool is_contribution = index.isValid() && index.row() < rows_.size() && !rows_[index.row()].is_task;
    return is_contribution ? &rows_[index.row()].contribution : nullptr;
}

int ContributionsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ContributionsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : nr_columns;
}

QVariant ContributionsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rows_.size())
        return {};
    const Row& row = rows_[index.row()];
    if (role == Qt::DisplayRole)
        return row.is_task ? task_text(row, index.column()) : text(row.contribution, index.column());
    if (role == Qt::TextAlignmentRole)
        return alignment(index.column());
    return {};
}

QVariant ContributionsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Horizontal && role == Qt::TextAlignmentRole)
        return alignment(section);
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
        case name_column:
            return tr("Program");
        case memory_column:
            return tr("Memory");
        case state_column:
            return tr("State");
        case weight_column:
            return tr("Priority");
        case user_column:
            return tr("User");
        default:
            return {};
    }
}

QString ContributionsModel::text(const Contribution& contribution, int column) const {
    switch (column) {
        case name_column:
            return contribution.name.isEmpty() ? tr("Another user's program") : visible_name(contribution.name);
        case memory_column:
            if (contribution.far_bytes > 0)
                return tr("%1, and %2 far")
                    .arg(format_bytes(contribution.memory_bytes, locale_), format_bytes(contribution.far_bytes, locale_));
            return format_bytes(contribution.memory_bytes, locale_);
        case state_column:
            if (contribution.state == u"running"_s)
                return tr("Running");
            if (contribution.state == u"paused"_s)
                return tr("Paused");
            if (contribution.state == u"stopping"_s)
                return tr("Stopping");
            return contribution.state;
        case weight_column: {
            const QString word = weight_word(contribution.weight);
            return word.isEmpty() ? locale_.toString(contribution.weight) : word;
        }
        case user_column:
            return contribution.user == own_user_ ? tr("You") : user_name(contribution.user);
        default:
            return {};
    }
}

QString ContributionsModel::task_text(const Row& row, int column) const {
    switch (column) {
        case name_column:
            return QChar(em_space) + visible_name(row.task.project) + u": "_s + visible_name(row.task.name);
        case memory_column:
            return format_bytes(row.task.memory_bytes, locale_);
        case state_column:
            return task_sentence(row.task, locale_);
        case user_column:
            return text(row.contribution, column);
        default:
            return {};
    }
}

}  // namespace tmm::tray
