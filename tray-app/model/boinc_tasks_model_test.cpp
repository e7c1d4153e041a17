// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/boinc_tasks_model.hpp"

#include <gtest/gtest.h>

#include <QSignalSpy>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

BoincTask listed_task(const QString& name, const QString& state = u"running"_s) {
    return {u"Einstein@Home"_s, u"Pulsars"_s, name, state, 0.5, 1ULL << 30, 0, 0, false};
}

TEST(BoincTasksModel, KeepsTheOrderAndTheSelection) {
    BoincTasksModel model;
    model.set_tasks({listed_task(u"a"_s), listed_task(u"b"_s), listed_task(u"c"_s)});
    const QPersistentModelIndex of_b = model.index(1, BoincTasksModel::state_column);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.set_tasks({listed_task(u"d"_s), listed_task(u"c"_s), listed_task(u"b"_s, u"queued"_s)});
    EXPECT_EQ(resets.size(), 0);
    EXPECT_EQ(changes.size(), 1) << "of b only";
    EXPECT_EQ(of_b.row(), 2);
    EXPECT_EQ(of_b.data().toString(), u"Not started yet"_s);
    QStringList names;
    for (int row = 0; row < model.rowCount(); ++row)
        names << model.index(row, BoincTasksModel::name_column).data().toString();
    EXPECT_EQ(names, (QStringList{u"d"_s, u"c"_s, u"b"_s}));
    model.set_tasks({listed_task(u"d"_s), listed_task(u"d"_s)});
    EXPECT_EQ(model.rowCount(), 2) << "twice the same name";
    model.set_tasks({listed_task(u"d"_s)});
    EXPECT_EQ(model.rowCount(), 1);
    model.set_tasks({});
    EXPECT_EQ(model.rowCount(), 0);
}

TEST(BoincTasksModel, ATaskWithoutProcessesHasNoMemory) {
    BoincTasksModel model;
    BoincTask queued = listed_task(u"a"_s, u"queued"_s);
    queued.memory_bytes = queued.swap_bytes = 0;
    model.set_tasks({queued});
    EXPECT_EQ(model.index(0, BoincTasksModel::memory_column).data().toString(), u"–"_s);
}

TEST(BoincTasksModel, ShowsHostileNamesHarmlessly) {
    BoincTasksModel model;
    BoincTask evil = listed_task(u"<b>x</b>\n\u200b\u202e"_s);
    evil.memory_bytes = 0;
    evil.swap_bytes = 1ULL << 30;
    evil.progress = not_known;
    model.set_tasks({evil});
    EXPECT_EQ(model.index(0, BoincTasksModel::memory_column).data().toString(), u"0\u00A0bytes"_s) << "all of it is in swap";
    EXPECT_EQ(model.index(0, BoincTasksModel::name_column).data().toString(), u"<b>x</b>\ufffd\ufffd\ufffd"_s);
    EXPECT_EQ(model.index(0, BoincTasksModel::name_column).data(Qt::ToolTipRole).toString(),
              u"&lt;b&gt;x&lt;/b&gt;\ufffd\ufffd\ufffd"_s);
    EXPECT_EQ(model.index(0, BoincTasksModel::memory_column).data(Qt::ToolTipRole).toString(), u"and 1.0\u00A0GiB in swap"_s);
    EXPECT_EQ(model.index(0, BoincTasksModel::progress_column).data().toString(), u"–"_s);
    for (int column = 0; column < model.columnCount(); ++column)
        EXPECT_FALSE(model.headerData(column, Qt::Horizontal).toString().isEmpty());
}

}  // namespace
}  // namespace tmm::tray
