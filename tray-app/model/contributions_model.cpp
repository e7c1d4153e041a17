// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// contributions_model.hpp
#include "tray-app/model/contributions_model.hpp"

#include <algorithm>

#include "tray-app/model/format.hpp"
#include "tray-app/model/names.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

// Aligns numbers to the right.
QVariant alignment(int column) {
    const bool number = column == ContributionsModel::memory_column || column == ContributionsModel::weight_column;
    return QVariant::fromValue(Qt::Alignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
}

}  // namespace

ContributionsModel::ContributionsModel(quint32 own_user, QObject* parent) : QAbstractTableModel(parent), own_user_(own_user) {}

void ContributionsModel::set_contributions(const QList<Contribution>& contributions) {
    const auto listed = [&](const Contribution& old) {
        return std::any_of(contributions.begin(), contributions.end(), [&](const Contribution& c) { return c.path == old.path; });
    };
    for (int row = static_cast<int>(contributions_.size()) - 1; row >= 0; --row) {
        if (listed(contributions_.at(row)))
            continue;
        beginRemoveRows({}, row, row);
        contributions_.removeAt(row);
        endRemoveRows();
    }
    for (const Contribution& contribution : contributions) {
        const auto old = std::find_if(contributions_.begin(), contributions_.end(),
                                      [&](const Contribution& c) { return c.path == contribution.path; });
        const auto row = static_cast<int>(old - contributions_.begin());
        if (old == contributions_.end()) {
            beginInsertRows({}, row, row);
            contributions_ << contribution;
            endInsertRows();
        } else if (*old != contribution) {
            *old = contribution;
            Q_EMIT dataChanged(index(row, 0), index(row, nr_columns - 1));
        }
    }
}

const Contribution* ContributionsModel::at(const QModelIndex& index) const {
    return index.isValid() && index.row() < contributions_.size() ? &contributions_[index.row()] : nullptr;
}

int ContributionsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(contributions_.size());
}

int ContributionsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : nr_columns;
}

QVariant ContributionsModel::data(const QModelIndex& index, int role) const {
    const Contribution* contribution = at(index);
    if (contribution == nullptr)
        return {};
    if (role == Qt::DisplayRole)
        return text(*contribution, index.column());
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

}  // namespace tmm::tray
