// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the window with the fake daemon, offscreen: clicks arrive at the daemon, and the window shows the daemon's state.
#include <gtest/gtest.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTest>
#include <QTimeEdit>
#include <QTreeView>

#include "tray-app/tests/window_fixture.hpp"
#include "tray-app/ui/drawing/chart_widget.hpp"
#include "tray-app/ui/pages/settings_page.hpp"
#include "tray-app/ui/pages/welcome_page.hpp"
#include "tray-app/ui/tray_application.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr quint64 gigabyte = 1ULL << 30;
const QString not_authorized = u"org.transparentmemory.Tmm1.Error.NotAuthorized"_s;

TEST_F(WindowTest, ShowsTheStateAndFollowsIt) {
    open();
    EXPECT_TRUE(shows(u"Giving 9.2\u00A0GiB"_s));
    EXPECT_TRUE(shows(u"Your programs need 4.3\u00A0GiB of 16.0\u00A0GiB; 9.2\u00A0GiB are given."_s));
    daemon_.set({{u"State"_s, u"off"_s}, {u"ReasonCode"_s, u"off"_s}, {u"Reason"_s, u"<b>no markup</b>"_s}});
    EXPECT_TRUE(shows(u"Switched off"_s));
    open_page(u"Decisions"_s);
    EXPECT_TRUE(shows(u"<b>no markup</b>"_s)) << "the daemon's own words";
    EXPECT_TRUE(find<QPushButton>(u"Switch on"_s)->isVisible());
    daemon_.stop();
    EXPECT_TRUE(shows(u"The service is not running"_s));
    EXPECT_TRUE(find<QPushButton>(u"Start the service"_s)->isVisible());
    open_page(u"Contributions"_s);
    EXPECT_TRUE(shows(u"does not know the contributions"_s));
    EXPECT_TRUE(daemon_.start());
    EXPECT_TRUE(shows(u"Giving"_s));
}

TEST_F(WindowTest, ButtonsTriggerTheirActions) {
    open();
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    QList<QAction*> entries;
    for (const QPushButton* button : window_.findChildren<QPushButton*>()) {
        if (button->menu() != nullptr)
            entries = button->menu()->actions();
    }
    ASSERT_EQ(entries.size(), 4);
    for (QAction* entry : entries)
        entry->trigger();
    daemon_.set({{u"State"_s, u"paused"_s}});
    ASSERT_TRUE(shows(u"Paused"_s));
    find<QPushButton>(u"Resume"_s)->click();
    ASSERT_EQ(actions.size(), 5);
    const Action expected[] = {Action::pause_half_hour, Action::pause_hour, Action::pause_until_tomorrow,
                               Action::pause_until_resumed, Action::resume};
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(actions[i][0].value<Action>(), expected[i]);
}

TEST_F(WindowTest, EveryCapArrivesAtTheDaemon) {
    open();
    open_page(u"Settings"_s);
    auto* apply = find<QPushButton>(u"Apply"_s);
    const QSignalSpy answers(&client_, &DaemonClient::request_finished);
    EXPECT_FALSE(apply->isEnabled());
    find<QCheckBox>(u"Allow at most"_s)->click();
    named<QDoubleSpinBox>(u"Maximum memory allowed"_s)->setValue(4.5);
    find<QCheckBox>(u"Allow at most this share"_s)->click();
    named<QSpinBox>(u"Maximum share of memory allowed"_s)->setValue(25);
    find<QCheckBox>(u"Only while nobody"_s)->click();
    find<QCheckBox>(u"Only while the computer is not on battery"_s)->click();
    find<QCheckBox>(u"Quiet hours"_s)->click();
    named<QTimeEdit>(u"Start of the quiet hours"_s)->setTime(QTime(21, 30));
    named<QTimeEdit>(u"End of the quiet hours"_s)->setTime(QTime(6, 0));
    EXPECT_TRUE(apply->isEnabled());
    apply->click();
    const QJsonObject caps{{u"max-bytes"_s, 4.5 * gigabyte},
                           {u"max-percent"_s, 25.0},
                           {u"only-when-idle"_s, true},
                           {u"only-on-mains"_s, true},
                           {u"quiet-hours"_s, u"21:30-06:00"_s}};
    EXPECT_EQ(call(), (QJsonArray{u""_s, u"SetCaps"_s, caps}));
    ASSERT_TRUE(eventually([&] { return !answers.isEmpty(); }));
    EXPECT_EQ(client_.snapshot().status.caps.max_percent, 25);
    EXPECT_FALSE(apply->isEnabled());

    // Only changes are sent; an unchecked box removes its cap.
    find<QCheckBox>(u"Allow at most"_s)->click();
    find<QCheckBox>(u"Quiet hours"_s)->click();
    apply->click();
    const QJsonObject none = call().at(2).toObject();
    EXPECT_EQ(none.keys(), (QStringList{u"max-bytes"_s, u"quiet-hours"_s}));
    EXPECT_EQ(none[u"quiet-hours"_s], u""_s);
}

TEST_F(WindowTest, AfterARefusalTheCapsInForceAreShown) {
    open();
    open_page(u"Settings"_s);
    daemon_.refuse(u"SetCaps"_s, not_authorized);
    auto* idle = find<QCheckBox>(u"Only while nobody"_s);
    idle->click();
    find<QPushButton>(u"Apply"_s)->click();
    EXPECT_TRUE(shows(u"The settings were not changed. This needs"_s));
    EXPECT_FALSE(idle->isChecked());
    EXPECT_FALSE(find<QPushButton>(u"Apply"_s)->isEnabled());
}

TEST_F(WindowTest, SwitchingIsRefusedOrDone) {
    open();
    open_page(u"Settings"_s);
    auto* on = find<QCheckBox>(u"Give memory"_s);
    EXPECT_TRUE(on->isChecked());
    daemon_.refuse(u"SetOn"_s, not_authorized);
    on->click();
    EXPECT_TRUE(shows(u"Giving was not switched on or off. This needs"_s));
    EXPECT_TRUE(on->isChecked());
    daemon_.refuse(u"SetOn"_s, {});
    daemon_.take_calls();
    on->click();
    EXPECT_EQ(call(), (QJsonArray{u""_s, u"SetOn"_s, false}));
    EXPECT_TRUE(shows(u"Switched off"_s));
    EXPECT_FALSE(on->isChecked());
}

TEST_F(WindowTest, CapsChangedElsewhereAreShownUnlessTheUserEdits) {
    open();
    open_page(u"Settings"_s);
    auto* mains = find<QCheckBox>(u"Only while the computer is not on battery"_s);
    const auto caps = [](bool on_mains) {
        return QJsonObject{{u"max-bytes"_s, 4096},
                           {u"max-percent"_s, 100.0},
                           {u"only-when-idle"_s, false},
                           {u"only-on-mains"_s, on_mains},
                           {u"quiet-hours"_s, u""_s}};
    };
    daemon_.set({{u"Caps"_s, caps(true)}});
    EXPECT_TRUE(eventually([&] { return mains->isChecked(); }));
    find<QCheckBox>(u"Quiet hours"_s)->click();
    daemon_.set({{u"Caps"_s, caps(false)}});
    ASSERT_TRUE(eventually([&] { return !client_.snapshot().status.caps.only_on_mains; }));
    EXPECT_TRUE(mains->isChecked());
    find<QPushButton>(u"Revert"_s)->click();
    EXPECT_FALSE(mains->isChecked());
}

TEST_F(WindowTest, ChoicesForTheProgramAreKept) {
    open();
    open_page(u"Settings"_s);
    find<QCheckBox>(u"Notify me of trouble"_s)->click();
    find<QCheckBox>(u"Keep the icon"_s)->click();
    EXPECT_FALSE(preferences_.notifications());
    EXPECT_FALSE(preferences_.close_to_tray());
    EXPECT_FALSE(autostart_.enabled());
    find<QCheckBox>(u"Show the icon when I log in"_s)->click();
    EXPECT_TRUE(autostart_.enabled());
}

TEST_F(WindowTest, ContributionsAreControlled) {
    open();
    open_page(u"Contributions"_s);
    auto* table = named<QTreeView>(u"Contributions"_s);
    ASSERT_TRUE(eventually([&] { return table->model()->rowCount() == 3; }));
    table->setCurrentIndex(table->model()->index(0, 0));
    // The header has buttons of the same names.
    const auto of_page = [&](const QString& text) {
        for (QPushButton* button : table->parentWidget()->findChildren<QPushButton*>()) {
            if (button->text() == text)
                return button;
        }
        return static_cast<QPushButton*>(nullptr);
    };
    QPushButton* pause = of_page(u"&Pause"_s);
    QPushButton* resume = of_page(u"&Resume"_s);
    pause->click();
    EXPECT_EQ(call(), (QJsonArray{u"/contributions/1"_s, u"Pause"_s}));
    ASSERT_TRUE(eventually([&] { return resume->isEnabled() && !pause->isEnabled(); }));
    resume->click();
    EXPECT_EQ(call(), (QJsonArray{u"/contributions/1"_s, u"Resume"_s}));
    auto* priority = named<QComboBox>(u"Priority"_s);
    QTest::keyClick(priority, Qt::Key_Down);
    EXPECT_EQ(call(), (QJsonArray{u"/contributions/1"_s, u"SetWeight"_s, 500}));

    find<QPushButton>(u"Stop…"_s)->click();
    auto* question = window_.findChild<QMessageBox*>();
    ASSERT_NE(question, nullptr);
    EXPECT_TRUE(question->text().contains(u"povray"_s));
    find<QPushButton>(u"Cancel"_s)->click();
    ASSERT_TRUE(eventually([&] { return window_.findChild<QMessageBox*>() == nullptr; }));
    EXPECT_TRUE(daemon_.take_calls().isEmpty());
    find<QPushButton>(u"Stop…"_s)->click();
    for (QAbstractButton* button : window_.findChild<QMessageBox*>()->buttons()) {
        if (button->text() == u"&Stop"_s)
            button->click();
    }
    EXPECT_EQ(call(), (QJsonArray{u"/contributions/1"_s, u"Stop"_s}));
    for (const quint32 number : {1U, 2U, 3U})
        daemon_.remove_contribution(number);
    EXPECT_TRUE(shows(u"There are no contributions"_s));
}

TEST_F(WindowTest, DecisionsAreListedWithReasons) {
    open();
    open_page(u"Decisions"_s);
    auto* list = window_.findChild<QTableWidget*>();
    ASSERT_TRUE(eventually([&] { return list->rowCount() == 3; }));
    EXPECT_EQ(list->item(1, 1)->text(), u"Corrected"_s);
    EXPECT_TRUE(list->item(1, 2)->text().startsWith(u"Your programs need 5.2"_s)) << list->item(1, 2)->text().toStdString();
    EXPECT_TRUE(list->item(2, 2)->text().startsWith(u"The service is learning"_s)) << list->item(2, 2)->text().toStdString();
}

TEST_F(WindowTest, TheFirstRunExplainsAndAsks) {
    open(false);
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    auto* welcome = window_.findChild<WelcomePage*>();
    ASSERT_NE(welcome, nullptr);
    EXPECT_TRUE(welcome->isVisible());
    find<QCheckBox>(u"Show the icon when I log in"_s);
    for (QCheckBox* check : welcome->findChildren<QCheckBox*>())
        check->click();
    for (QPushButton* button : welcome->findChildren<QPushButton*>()) {
        if (button->text() == u"&Not now"_s)
            button->click();
    }
    ASSERT_EQ(actions.size(), 1);
    EXPECT_EQ(actions[0][0].value<Action>(), Action::pause_until_resumed);
    EXPECT_TRUE(preferences_.welcomed());
    EXPECT_TRUE(autostart_.enabled());
    EXPECT_TRUE(window_.findChild<QTabWidget*>()->isVisible());
}

TEST_F(WindowTest, AMissingCgroup2IsToldAndNothingIsAsked) {
    daemon_.set({{u"State"_s, u"trouble"_s}, {u"ReasonCode"_s, u"no-kernel"_s}});
    open(false);
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    EXPECT_TRUE(shows(u"This computer cannot give memory yet"_s));
    EXPECT_TRUE(shows(u"cgroup v2"_s)) << "a kernel without the patches needs nothing else";
    EXPECT_TRUE(shows(u"tmmd(8)"_s));
    for (const QLabel* label : window_.findChildren<QLabel*>())
        EXPECT_FALSE(label->isVisible() && label->text().contains(u'?')) << label->text().toStdString();
    find<QPushButton>(u"Continue"_s)->click();
    EXPECT_TRUE(window_.findChild<QTabWidget*>()->isVisible());
    EXPECT_TRUE(shows(u"no cgroup v2"_s));
    EXPECT_EQ(actions.size(), 0);
    EXPECT_FALSE(preferences_.welcomed()) << "nobody has answered yet";
    daemon_.set({{u"State"_s, u"giving"_s}, {u"ReasonCode"_s, u"measured"_s}});
    EXPECT_TRUE(shows(u"Should this computer give"_s)) << "now an answer has an effect";
}

TEST_F(WindowTest, OtherTroubleAsksNothing) {
    daemon_.set({{u"State"_s, u"trouble"_s}, {u"ReasonCode"_s, u"trouble"_s}});
    open(false);
    EXPECT_TRUE(shows(u"The service cannot work"_s));
    EXPECT_EQ(window_.findChild<WelcomePage*>(), nullptr);
}

TEST_F(WindowTest, AnotherUsersDecisionIsNotUndone) {
    daemon_.set({{u"OwnerDecided"_s, true}});
    open(false);
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    EXPECT_TRUE(shows(u"has been decided already"_s));
    for (const QPushButton* button : window_.findChild<WelcomePage*>()->findChildren<QPushButton*>())
        EXPECT_EQ(button->text(), u"&Continue"_s);
    find<QPushButton>(u"Continue"_s)->click();
    EXPECT_EQ(actions.size(), 0);
    EXPECT_TRUE(preferences_.welcomed());
}

TEST_F(WindowTest, TheFirstYesIsKnownToTheDaemon) {
    open(false);
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    find<QPushButton>(u"Give memory"_s)->click();
    ASSERT_EQ(actions.size(), 1);
    EXPECT_EQ(actions[0][0].value<Action>(), Action::resume) << "so that no other user is asked";
}

TEST_F(WindowTest, TheFirstRunSwitchesOnOnlyIfOff) {
    daemon_.set({{u"State"_s, u"off"_s}});
    open(false);
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    for (QPushButton* button : window_.findChild<WelcomePage*>()->findChildren<QPushButton*>()) {
        if (button->text() == u"&Give memory"_s)
            button->click();
    }
    ASSERT_EQ(actions.size(), 1);
    EXPECT_EQ(actions[0][0].value<Action>(), Action::switch_on);
}

TEST_F(WindowTest, TheChartDescribesItsValuesToScreenReaders) {
    open();
    auto* chart = window_.findChild<ChartWidget*>();
    ASSERT_TRUE(eventually([&] { return chart->accessibleDescription().contains(u"your programs used 5.1"_s); }));
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_TRUE(chart->accessibleDescription().contains(u"Your programs: "_s)) << chart->accessibleDescription().toStdString();
    QTest::keyClick(chart, Qt::Key_Home);
    QTest::keyClick(chart, Qt::Key_End);
    EXPECT_TRUE(chart->accessibleDescription().contains(u"Your programs: 5.1"_s)) << chart->accessibleDescription().toStdString();
}

TEST_F(WindowTest, EverythingThatTakesTheFocusHasAName) {
    open();
    for (const QWidget* widget : window_.findChildren<QWidget*>()) {
        // Skip Qt's own lists of combo boxes, which are separate windows.
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || qobject_cast<const QTabWidget*>(widget->parent()) != nullptr ||
            widget->window() != &window_)
            continue;
        const bool named = !widget->accessibleName().isEmpty() || !widget->property("text").toString().isEmpty() ||
                           widget->inherits("QScrollArea") || widget->inherits("QTabWidget") || widget->inherits("QLineEdit");
        EXPECT_TRUE(named) << widget->metaObject()->className();
    }
}

TEST_F(WindowTest, HasTheKeysOfWindows) {
    open();
    const QSignalSpy actions(&window_, &MainWindow::triggered);
    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    QTest::keyClick(&window_, Qt::Key_F1);
    auto* tabs = window_.findChild<QTabWidget*>();
    EXPECT_EQ(tabs->tabText(tabs->currentIndex()).remove(u'&'), u"About"_s);
    QSignalSpy read(&client_, &DaemonClient::snapshot_changed);
    QTest::keyClick(&window_, Qt::Key_F5);
    EXPECT_TRUE(eventually([&] { return !read.isEmpty(); }));
    QTest::keyClick(&window_, Qt::Key_Q, Qt::ControlModifier);
    ASSERT_EQ(actions.size(), 1);
    EXPECT_EQ(actions[0][0].value<Action>(), Action::quit);
    QTest::keyClick(&window_, Qt::Key_W, Qt::ControlModifier);
    EXPECT_FALSE(window_.isVisible());
    window_.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    QTest::keyClick(&window_, Qt::Key_Escape);
    EXPECT_FALSE(window_.isVisible());
}

TEST_F(WindowTest, ALongReasonDoesNotWidenTheWindow) {
    open();
    ASSERT_TRUE(shows(u"Your programs need"_s));
    const int width = window_.minimumSizeHint().width();
    const QString word(400, u'x');
    daemon_.set({{u"Reason"_s, word}, {u"SourceReason"_s, word}});
    open_page(u"Decisions"_s);
    ASSERT_TRUE(shows(word));
    window_.show_message(word);
    QCoreApplication::processEvents();
    EXPECT_EQ(window_.minimumSizeHint().width(), width);
}

// Full HD at 200 % is 960 x 540, of which a panel and a title take a part.
TEST_F(WindowTest, FitsASmallScreen) {
    EXPECT_LE(window_.width(), window_.screen()->availableSize().width());
    EXPECT_LE(window_.height(), window_.screen()->availableSize().height());
    systemd_.start();
    systemd_.set_boinc(u"disabled"_s);
    open(false);
    EXPECT_LE(window_.minimumSizeHint().height(), 440) << "the question of the first run";
    EXPECT_LE(window_.minimumSizeHint().width(), 900);
    find<QPushButton>(u"Give memory"_s)->click();
    ASSERT_TRUE(shows(u"BOINC is installed"_s));
    window_.show_message(u"A message."_s);
    QCoreApplication::processEvents();
    EXPECT_LE(window_.minimumSizeHint().height(), 440) << "beside the question about BOINC";
}

TEST_F(WindowTest, AboutIsNoHigherThanItsText) {
    open();
    window_.resize(780, 680);
    open_page(u"About"_s);
    QCoreApplication::processEvents();
    const auto* area = qobject_cast<QScrollArea*>(window_.findChild<QTabWidget*>()->currentWidget());
    ASSERT_NE(area, nullptr);
    EXPECT_LE(area->widget()->height(), area->viewport()->height());
    EXPECT_TRUE(shows(u"Soft memory"_s));
}

TEST_F(WindowTest, TheFocusStaysInTheWindowAfterTheFirstQuestion) {
    open(false);
    window_.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
    find<QPushButton>(u"Give memory"_s)->setFocus();
    find<QPushButton>(u"Give memory"_s)->click();
    ASSERT_TRUE(eventually([&] { return window_.findChild<WelcomePage*>() == nullptr; }));
    ASSERT_NE(window_.focusWidget(), nullptr);
    EXPECT_TRUE(window_.findChild<QTabWidget*>()->isAncestorOf(window_.focusWidget()))
        << window_.focusWidget()->metaObject()->className();
}

TEST_F(WindowTest, TheChosenRangeIsVisibleInTheDark) {
    const QPalette before = QApplication::palette();
    QApplication::setPalette(QPalette(QColor(0x35, 0x39, 0x3f), QColor(0x2a, 0x2d, 0x32)));
    open();
    const auto lightness_of = [&](const QString& text) {
        const QPushButton* button = find<QPushButton>(text);
        const QImage image = const_cast<QPushButton*>(button)->grab().toImage();
        return image.pixelColor(6, image.height() / 2);
    };
    const QColor chosen = lightness_of(u"Hour"_s);
    const QColor other = lightness_of(u"Day"_s);
    const int distance =
        std::abs(chosen.red() - other.red()) + std::abs(chosen.green() - other.green()) + std::abs(chosen.blue() - other.blue());
    EXPECT_GT(distance, 100) << chosen.name().toStdString() << " and " << other.name().toStdString();
    QApplication::setPalette(before);
}

TEST_F(WindowTest, OnlyAnOpenWindowWatches) {
    open();
    ASSERT_TRUE(eventually([&] { return client_.contributions().size() == 3; }));
    window_.close();
    daemon_.remove_contribution(1);
    daemon_.set({{u"OpaqueBytes"_s, 1}});
    ASSERT_TRUE(eventually([&] { return client_.snapshot().status.opaque_bytes == 1; }));
    EXPECT_EQ(client_.contributions().size(), 3);
    EXPECT_FALSE(preferences_.window_geometry().isEmpty());
}

}  // namespace
}  // namespace tmm::tray

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    return RUN_ALL_TESTS();
}
