// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The table of contributions. Rows keep their place while a contribution lives, so that a selection stays where it is.
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

    // own_user: whose contributions are "yours".
    explicit ContributionsModel(quint32 own_user, QObject* parent = nullptr);

    void set_contributions(const QList<Contribution>& contributions);

    // nullptr for an index that is not valid.
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
