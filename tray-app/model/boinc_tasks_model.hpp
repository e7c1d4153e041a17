// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// BoincTasksModel: the table of BOINC's tasks, in the order of tmm-boinc. Rows move, and are never reset, so that the selection
// stays with its task. Use it from the thread of the event loop only.
#pragma once

#include <QAbstractTableModel>
#include <QList>
#include <QLocale>

#include "tray-app/model/values/boinc.hpp"

namespace tmm::tray {

// The role of a share from 0 to 1 that a bar shows.
inline constexpr int share_role = Qt::UserRole;

class BoincTasksModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { project_column, application_column, name_column, state_column, progress_column, memory_column, nr_columns };

    using QAbstractTableModel::QAbstractTableModel;

    void set_tasks(const QList<BoincTask>& tasks);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    void remove_rows_but(const QList<BoincTask>& tasks);
    [[nodiscard]] QString text(const BoincTask& task, int column) const;
    [[nodiscard]] QString hint(const BoincTask& task, int column) const;

    QLocale locale_;
    QList<BoincTask> tasks_;
};

}  // namespace tmm::tray
