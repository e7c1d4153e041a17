// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionsModel: the table of contributions. A row keeps its position as long as its contribution lives, so that the
// selection stays. Use it from the thread of the event loop only.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QLocale>

#include "tray-app/model/status.hpp"

namespace tmm::tray {

class ContributionsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { name_column, state_column, user_column, weight_column, memory_column, nr_columns };

    // own_user: user id whose contributions are shown as "You".
    explicit ContributionsModel(quint32 own_user, QObject* parent = nullptr);

    // Replaces the contents: removes, changes and appends rows, never resets.
    void set_contributions(const QList<Contribution>& contributions);

    // Returns the contribution of a row; nullptr for an invalid index. Valid until the next set_contributions().
    [[nodiscard]] const Contribution* at(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const Contribution& contribution, int column) const;

    quint32 own_user_;
    QLocale locale_;
    QList<Contribution> contributions_;
};

}  // namespace tmm::tray
