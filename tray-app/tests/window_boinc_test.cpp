// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests how the window asks about BOINC and shows its tasks.
#include <gtest/gtest.h>

#include <QCheckBox>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include "tray-app/tests/window_fixture.hpp"
#include "tray-app/ui/boinc_question.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

class BoincWindowTest : public WindowTest {
protected:
    // Opens the window on a computer with BOINC, and tmm-boinc in that state.
    void open_with_boinc(const QString& state) {
        ASSERT_TRUE(systemd_.start());
        systemd_.set_boinc(state);
        open();
        ASSERT_TRUE(eventually([&] { return boinc_switch_.units().adapter != UnitFile::unknown; }));
    }

    bool has_page(const QString& title) {
        const auto* tabs = window_.findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->tabText(i) == title)
                return tabs->isTabVisible(i);
        }
        return false;
    }

    bool asks_about_boinc() { return window_.findChild<BoincQuestion*>()->isVisible(); }
};

TEST_F(BoincWindowTest, WithoutBoincNothingIsAskedOrShown) {
    ASSERT_TRUE(systemd_.start());
    open();
    ASSERT_TRUE(eventually([&] { return boinc_switch_.units().adapter == UnitFile::absent; }));
    EXPECT_FALSE(asks_about_boinc());
    EXPECT_FALSE(has_page(u"BOINC"_s));
    open_page(u"Settings"_s);
    EXPECT_FALSE(find<QCheckBox>(u"Let BOINC use idle memory"_s)->isVisible());
}

TEST_F(BoincWindowTest, AYesLetsBoincUseIdleMemory) {
    open_with_boinc(u"disabled"_s);
    ASSERT_TRUE(eventually([&] { return asks_about_boinc(); }));
    find<QPushButton>(u"Yes"_s)->click();
    ASSERT_TRUE(eventually([&] { return !asks_about_boinc(); }));
    EXPECT_EQ(systemd_.take_calls(), QJsonArray{u"tmm-boinc-enable.service"_s});
    EXPECT_TRUE(eventually([&] { return named<QTreeView>(u"Tasks of BOINC"_s)->parentWidget()->isVisible(); }));
    EXPECT_FALSE(preferences_.boinc_declined());
    open_page(u"Settings"_s);
    EXPECT_TRUE(find<QCheckBox>(u"Let BOINC use idle memory"_s)->isChecked());
}

TEST_F(BoincWindowTest, ANotNowIsRemembered) {
    open_with_boinc(u"disabled"_s);
    ASSERT_TRUE(eventually([&] { return asks_about_boinc(); }));
    for (QPushButton* button : window_.findChild<BoincQuestion*>()->findChildren<QPushButton*>()) {
        if (button->text() == u"&Not now"_s)
            button->click();
    }
    EXPECT_FALSE(asks_about_boinc());
    EXPECT_TRUE(preferences_.boinc_declined());
    EXPECT_TRUE(systemd_.take_calls().isEmpty());
    window_.hide();
    window_.show();
    EXPECT_FALSE(asks_about_boinc());
}

TEST_F(BoincWindowTest, AYesThatFailsSaysWhyAndAsksAgain) {
    open_with_boinc(u"disabled"_s);
    ASSERT_TRUE(eventually([&] { return asks_about_boinc(); }));
    systemd_.refuse(u"org.freedesktop.DBus.Error.AccessDenied"_s);
    auto* yes = find<QPushButton>(u"Yes"_s);
    yes->click();
    EXPECT_FALSE(yes->isEnabled()) << "one request at a time";
    EXPECT_TRUE(shows(u"BOINC was not allowed to use idle memory. This needs an administrator's password."_s));
    EXPECT_TRUE(asks_about_boinc());
    EXPECT_TRUE(yes->isEnabled());
    systemd_.refuse({});
    systemd_.set_result(u"failed"_s);
    yes->click();
    EXPECT_TRUE(shows(u"journalctl -u tmm-boinc-enable"_s));
}

TEST_F(BoincWindowTest, TheSettingShowsTheTrueStateOfBoinc) {
    open_with_boinc(u"enabled"_s);
    open_page(u"Settings"_s);
    auto* allowed = find<QCheckBox>(u"Let BOINC use idle memory"_s);
    ASSERT_TRUE(eventually([&] { return allowed->isVisible() && allowed->isChecked(); }));
    systemd_.refuse(u"org.freedesktop.DBus.Error.AccessDenied"_s);
    allowed->click();
    EXPECT_TRUE(shows(u"BOINC may still use idle memory. This needs"_s));
    EXPECT_TRUE(allowed->isChecked());
    systemd_.refuse({});
    allowed->click();
    EXPECT_TRUE(eventually([&] { return allowed->isEnabled() && !allowed->isChecked(); }));
    EXPECT_EQ(systemd_.take_calls(), QJsonArray{u"tmm-boinc-disable.service"_s});
    EXPECT_FALSE(asks_about_boinc()) << "the user has just switched it off";
    systemd_.set_boinc(u"enabled"_s);
    QTest::keyClick(&window_, Qt::Key_F5);
    EXPECT_TRUE(eventually([&] { return allowed->isChecked(); }));
}

TEST_F(BoincWindowTest, TasksOfBoincAreAmongTheContributions) {
    ASSERT_TRUE(fake_boinc_.start());
    open_with_boinc(u"enabled"_s);
    open_page(u"Contributions"_s);
    auto* table = named<QTreeView>(u"Contributions"_s);
    ASSERT_TRUE(eventually([&] { return table->model()->rowCount() == 3; }));
    daemon_.set_contribution(4, {{u"name"_s, u"boinc-client.service"_s},
                                 {u"User"_s, 1234},
                                 {u"MemoryBytes"_s, 1 << 30},
                                 {u"State"_s, u"running"_s},
                                 {u"Weight"_s, 100}});
    // The fifth is queued, without memory.
    ASSERT_TRUE(eventually([&] { return table->model()->rowCount() == 8; }));
    table->setCurrentIndex(table->model()->index(5, 0));
    EXPECT_FALSE(find<QPushButton>(u"Stop…"_s)->isEnabled()) << "nobody controls a task here";
    table->setCurrentIndex(table->model()->index(3, 0));
    EXPECT_TRUE(find<QPushButton>(u"Stop…"_s)->isEnabled());
    fake_boinc_.stop();
    EXPECT_TRUE(eventually([&] { return table->model()->rowCount() == 4; }));
}

TEST_F(BoincWindowTest, TasksOfBoincAreShown) {
    ASSERT_TRUE(fake_boinc_.start());
    open_with_boinc(u"enabled"_s);
    ASSERT_TRUE(eventually([&] { return has_page(u"BOINC"_s); }));
    open_page(u"BOINC"_s);
    EXPECT_TRUE(shows(u"BOINC 7.20.5 follows tmmd."_s));
    auto* tasks = named<QTreeView>(u"Tasks of BOINC"_s);
    ASSERT_TRUE(eventually([&] { return tasks->model()->rowCount() == 5; }));
    EXPECT_EQ(tasks->model()->index(2, 3).data().toString(), u"Waits for 1.2\u00A0GiB"_s);
    EXPECT_EQ(named<QTreeView>(u"Science and donation by day"_s)->model()->rowCount(), 7);
    auto* restart = find<QPushButton>(u"Restart BOINC"_s);
    EXPECT_FALSE(restart->isVisible());
    fake_boinc_.set({{u"TasksOutside"_s, 2}});
    EXPECT_TRUE(shows(u"Tasks that are not contributions: 2."_s));
    restart->click();
    EXPECT_FALSE(restart->isEnabled()) << "one request at a time";
    ASSERT_TRUE(eventually([&] { return restart->isEnabled(); }));
    EXPECT_EQ(systemd_.take_calls(), QJsonArray{u"boinc-client.service"_s});
    fake_boinc_.set({{u"OtherClients"_s, QJsonArray{u"Another BOINC client runs as user ann."_s}}});
    EXPECT_TRUE(shows(u"Another BOINC client runs as user ann."_s));
    const int width = window_.minimumSizeHint().width();
    const QString endless(5000, u'W');
    fake_boinc_.set(
        {{u"State"_s, u"trouble"_s},
         {u"Message"_s, endless},
         {u"OtherClients"_s, QJsonArray{endless}},
         {u"Tasks"_s, QJsonArray{QJsonObject{{u"name"_s, endless}, {u"project"_s, endless}, {u"state"_s, u"running"_s}}}}});
    EXPECT_TRUE(shows(u"WWWW"_s));
    EXPECT_EQ(window_.minimumSizeHint().width(), width);
    fake_boinc_.set({{u"Tasks"_s, QJsonArray()}, {u"Days"_s, QJsonArray()}});
    EXPECT_TRUE(shows(u"BOINC has no unfinished task."_s));
    EXPECT_TRUE(shows(u"No task has run"_s));
    fake_boinc_.stop();
    EXPECT_TRUE(shows(u"tmm-boinc does not run."_s));
}

}  // namespace
}  // namespace tmm::tray
