// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// ContributionsModel: the table of contributions. A row keeps its position among them as long as its contribution lives, so that
// the selection stays. Below BOINC's client, which is one contribution, each of its tasks has a row. Use it from the thread of
// the event loop only.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QLocale>

#include "tray-app/model/values/boinc.hpp"
#include "tray-app/model/values/status.hpp"

namespace tmm::tray {

class ContributionsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { name_column, state_column, user_column, weight_column, memory_column, nr_columns };

    // own_user: user id whose contributions are shown as "You".
    explicit ContributionsModel(quint32 own_user, QObject* parent = nullptr);

    // Replaces the contents: removes, moves, changes and inserts rows, never resets. tasks: of BOINC; those that are no
    // contributions, and those without memory, have no row.
    void set_contributions(const QList<Contribution>& contributions, const QList<BoincTask>& tasks = {});

    // Returns the contribution of a row; nullptr for an invalid index and for a task, which nobody can control here. Valid until
    // the next set_contributions().
    [[nodiscard]] const Contribution* at(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        Contribution contribution;
        bool is_task = false;
        BoincTask task;  // of that contribution, if it is one

        bool operator==(const Row& other) const {
            return contribution == other.contribution && is_task == other.is_task && (!is_task || task == other.task);
        }
    };

    [[nodiscard]] static bool is_same(const Row& one, const Row& other);
    [[nodiscard]] QList<Row> rows_for(const QList<Contribution>& contributions, const QList<BoincTask>& tasks) const;
    void remove_rows_but(const QList<Row>& wanted);
    [[nodiscard]] QString text(const Contribution& contribution, int column) const;
    [[nodiscard]] QString task_text(const Row& row, int column) const;

    quint32 own_user_;
    QLocale locale_;
    QList<Row> rows_;
};

}  // namespace tmm::tray
