// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the page of the user's own programs, on directories that look like cgroups.
#include <gtest/gtest.h>

#include <QDir>
#include <QFile>
#include <QTreeWidget>

#include "base/cgroups/exceptions.hpp"
#include "base/root_dir.hpp"
#include "tray-app/tests/window_fixture.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

class ProgramsWindowTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        add(game_, "3000000\n");
        add(job_, "2000000\n");
        add(u"app.slice/dbus.service"_s, "1000000\n");
        add(u"app.slice/empty.service"_s, "0\n");
        add(u"session.slice/org.gnome.Shell@wayland.service"_s, "9000000\n");
        if (!set_exception(cgroup(job_), Exception::never_freeze, true))
            GTEST_SKIP() << "the temporary directory's file system has no user extended attributes";
        open();
        open_page(u"Programs"_s);
    }

    QString path(const QString& unit) { return directory_.filePath(u"cgroup/"_s + unit); }
    RootDir cgroup(const QString& unit) { return RootDir::open(path(unit).toStdString()).value(); }

    void add(const QString& unit, const QByteArray& bytes) {
        QDir().mkpath(path(unit));
        QFile file(path(unit) + u"/memory.current"_s);
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(bytes);
    }

    QStringList names() {
        QStringList names;
        for (int i = 0; i < list()->topLevelItemCount(); ++i)
            names << list()->topLevelItem(i)->text(0);
        return names;
    }
    QTreeWidget* list() { return named<QTreeWidget>(u"Programs"_s); }

    const QString game_ = u"app.slice/app-gnome-game-4711.scope"_s;
    const QString job_ = u"transparent.slice/maketransparent-povray-4712.scope"_s;
};

TEST_F(ProgramsWindowTest, ListsTheUsersProgramsTheLargestFirst) {
    EXPECT_EQ(names(), (QStringList{u"game"_s, u"povray"_s, u"dbus"_s}));
    EXPECT_EQ(list()->topLevelItem(0)->text(2), u"Never count"_s);
    EXPECT_EQ(list()->topLevelItem(0)->checkState(2), Qt::Unchecked);
    EXPECT_EQ(list()->topLevelItem(1)->text(2), u"Never freeze"_s);
    EXPECT_EQ(list()->topLevelItem(1)->checkState(2), Qt::Checked);
}

TEST_F(ProgramsWindowTest, ACheckIsAnExceptionOfThatProgramOnly) {
    list()->topLevelItem(0)->setCheckState(2, Qt::Checked);
    EXPECT_TRUE(has_exception(cgroup(game_), Exception::never_count));
    EXPECT_FALSE(has_exception(cgroup(game_), Exception::never_freeze));
    EXPECT_FALSE(has_exception(cgroup(u"app.slice/dbus.service"_s), Exception::never_count));
    list()->topLevelItem(1)->setCheckState(2, Qt::Unchecked);
    EXPECT_FALSE(has_exception(cgroup(job_), Exception::never_freeze));
}

TEST_F(ProgramsWindowTest, AnExceptionThatCannotBeMadeIsTold) {
    ASSERT_TRUE(QDir(path(game_)).removeRecursively());
    list()->topLevelItem(0)->setCheckState(2, Qt::Checked);
    EXPECT_TRUE(shows(u"The exception was not changed"_s));
    EXPECT_EQ(list()->topLevelItem(0)->checkState(2), Qt::Unchecked);
}

TEST_F(ProgramsWindowTest, ProgramsThatEndAreGoneAndTheSelectionStays) {
    list()->setCurrentItem(list()->topLevelItem(1));
    ASSERT_TRUE(QDir(path(game_)).removeRecursively());
    open_page(u"Overview"_s);
    open_page(u"Programs"_s);
    EXPECT_EQ(names(), (QStringList{u"povray"_s, u"dbus"_s}));
    EXPECT_EQ(list()->currentItem(), list()->topLevelItem(0));
}

}  // namespace
}  // namespace tmm::tray
