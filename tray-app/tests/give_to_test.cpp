// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the window's help to get contributions, with a stand-in for maketransparent.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QPushButton>
#include <QTest>
#include <QTextBrowser>

#include "tray-app/desktop/program_starter.hpp"
#include "tray-app/tests/window_fixture.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

class GiveToTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        qputenv("PATH", (directory_.path() + u':' + QString::fromLocal8Bit(path_)).toLocal8Bit());
    }

    void TearDown() override { qputenv("PATH", path_); }

    // Returns the path of an executable script.
    QString script(const QString& name, const QString& text) {
        QFile file(directory_.filePath(name));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(u"#!/bin/sh\ncd '%1'\n%2\n"_s.arg(directory_.path(), text).toLocal8Bit());
        file.setPermissions(QFile::ReadUser | QFile::WriteUser | QFile::ExeUser);
        return file.fileName();
    }

    // Returns the content of a file as soon as it has the text.
    bool noted(const QString& name, const QByteArray& text) {
        return eventually([&] {
            QFile file(directory_.filePath(name));
            return file.open(QIODevice::ReadOnly) && file.readAll() == text;
        });
    }

    void open_contributions() {
        open();
        open_page(u"Contributions"_s);
    }

    void choose(const QString& program) {
        auto* button = find<QPushButton>(u"Start a program"_s);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        auto* dialog = window_.findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr);
        Q_EMIT dialog->fileSelected(program);
        dialog->close();
        ASSERT_TRUE(eventually([&] { return window_.findChild<QFileDialog*>() == nullptr; }));
    }

    const QByteArray path_ = qgetenv("PATH");
};

TEST_F(GiveToTest, FollowsAYesIfThereIsNoContribution) {
    for (const quint32 number : {1U, 2U, 3U})
        daemon_.remove_contribution(number);
    open(false);
    find<QPushButton>(u"Give memory"_s)->click();
    EXPECT_TRUE(shows(u"Give to"_s));
    EXPECT_TRUE(shows(u"There are no contributions"_s));
}

TEST_F(GiveToTest, AYesWithContributionsShowsTheOverview) {
    open(false);
    ASSERT_TRUE(eventually([&] { return client_.contributions().size() == 3; }));
    find<QPushButton>(u"Give memory"_s)->click();
    EXPECT_EQ(window_.findChild<QTabWidget*>()->currentIndex(), 0);
}

TEST_F(GiveToTest, TellsHowToInstallBoinc) {
    ASSERT_TRUE(systemd_.start());
    open_contributions();
    EXPECT_TRUE(shows(u"apt install tmm-boinc"_s));
    EXPECT_FALSE(find<QPushButton>(u"Show BOINC"_s)->isVisible());
}

TEST_F(GiveToTest, LeadsToBoincThatIsInstalled) {
    ASSERT_TRUE(systemd_.start());
    systemd_.set_boinc(u"enabled"_s);
    ASSERT_TRUE(fake_boinc_.start());
    open_contributions();
    EXPECT_TRUE(shows(u"BOINC 7.20.5 follows tmmd."_s));
    auto* button = find<QPushButton>(u"Show BOINC"_s);
    EXPECT_TRUE(button->isVisible());
    button->click();
    const auto* tabs = window_.findChild<QTabWidget*>();
    EXPECT_EQ(tabs->tabText(tabs->currentIndex()), u"BOINC"_s);
}

TEST_F(GiveToTest, StartsAProgramAsAContribution) {
    script(u"maketransparent"_s, u"printf '%s\\n' \"$@\" >arguments; exit 0"_s);
    open_contributions();
    const QString program = script(u"-render it"_s, {});
    choose(program);
    EXPECT_TRUE(noted(u"arguments"_s, "--\n" + program.toLocal8Bit() + '\n'));
}

TEST_F(GiveToTest, AMissingLauncherIsTold) {
    qputenv("PATH", directory_.path().toLocal8Bit());
    open_contributions();
    choose(script(u"render"_s, {}));
    EXPECT_TRUE(shows(u"“render” was not started, because maketransparent is not installed."_s));
    EXPECT_TRUE(shows(u"apt install maketransparent"_s));
}

TEST_F(GiveToTest, AFailureOfTheLauncherIsTold) {
    script(u"maketransparent"_s, u"echo maketransparent: no cgroup v2 >&2; exit 125"_s);
    open_contributions();
    choose(script(u"render"_s, {}));
    EXPECT_TRUE(shows(u"“render” was not started. The reason: maketransparent: no cgroup v2"_s));
}

TEST_F(GiveToTest, AProgramThatEndsWithAnErrorIsTold) {
    script(u"maketransparent"_s, u"shift; exec \"$@\""_s);
    open_contributions();
    choose(script(u"render"_s, u"exit 2"_s));
    EXPECT_TRUE(shows(u"“render” ended with exit status 2."_s));
    choose(script(u"like-the-launcher"_s, u"exit 125"_s));
    EXPECT_TRUE(shows(u"“like-the-launcher” ended with exit status 125."_s));
}

TEST_F(GiveToTest, AFileThatIsNoProgramIsTold) {
    script(u"maketransparent"_s, u"touch started"_s);
    open_contributions();
    QFile notes(directory_.filePath(u"notes.txt"_s));
    ASSERT_TRUE(notes.open(QIODevice::WriteOnly));
    choose(notes.fileName());
    EXPECT_TRUE(shows(u"“notes.txt” is not a program"_s));
    EXPECT_FALSE(QFile::exists(directory_.filePath(u"started"_s)));
}

TEST_F(GiveToTest, AProgramOutlivesItsStarter) {
    script(u"maketransparent"_s, u"shift; exec \"$@\""_s);
    const QString fifo = directory_.filePath(u"fifo"_s);
    ASSERT_EQ(::mkfifo(fifo.toLocal8Bit().constData(), 0600), 0);
    const QString program = script(u"render"_s, u"echo begun >log; read word <fifo; echo $word >log"_s);
    {
        ProgramStarter starter;
        starter.start(program);
        ASSERT_TRUE(noted(u"log"_s, "begun\n"));
    }
    QFile end(fifo);
    ASSERT_TRUE(end.open(QIODevice::WriteOnly));
    end.write("alive\n");
    end.close();
    EXPECT_TRUE(noted(u"log"_s, "alive\n"));
}

TEST_F(GiveToTest, OpensTheGuideOrElseTheHelp) {
    open_contributions();
    QTextBrowser desktop;
    QDesktopServices::setUrlHandler(u"file"_s, &desktop, "setSource");
    qputenv("XDG_DATA_DIRS", directory_.path().toLocal8Bit());
    auto* guide = find<QPushButton>(u"Guide"_s);
    auto* tabs = window_.findChild<QTabWidget*>();
    ASSERT_TRUE(QDir(directory_.path()).mkpath(u"doc/tmm-daemon"_s));
    QFile file(directory_.filePath(u"doc/tmm-daemon/owners.md"_s));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    guide->click();
    EXPECT_EQ(desktop.source(), QUrl::fromLocalFile(file.fileName()));
    EXPECT_EQ(tabs->tabText(tabs->currentIndex()), u"Contributions"_s);
    ASSERT_TRUE(file.remove());
    guide->click();
    EXPECT_EQ(tabs->tabText(tabs->currentIndex()), u"About"_s);
    QDesktopServices::unsetUrlHandler(u"file"_s);
    qunsetenv("XDG_DATA_DIRS");
}

}  // namespace
}  // namespace tmm::tray
