// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// WindowTest: a window beside fake daemons, on a bus of its own.
#pragma once

#include <gtest/gtest.h>

#include <QLabel>
#include <QTabWidget>
#include <QTemporaryDir>

#include "tray-app/tests/fake_daemon.hpp"
#include "tray-app/ui/main_window.hpp"

namespace tmm::tray {

class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_TRUE(bus_.start());
        ASSERT_TRUE(daemon_.start());
    }

    void open(bool welcomed = true) {
        if (welcomed)
            preferences_.set_welcomed();
        window_.show();
        client_.start();
        ASSERT_TRUE(eventually([&] { return client_.snapshot().link == Link::connected; }));
    }

    template <typename Widget>
    Widget* find(const QString& text) {
        for (Widget* widget : window_.findChildren<Widget*>()) {
            if (widget->text().remove(u'&').startsWith(text))
                return widget;
        }
        ADD_FAILURE() << "no " << Widget::staticMetaObject.className() << " \"" << text.toStdString() << '"';
        return new Widget;
    }

    template <typename Widget>
    Widget* named(const QString& accessible_name) {
        for (Widget* widget : window_.findChildren<Widget*>()) {
            if (widget->accessibleName() == accessible_name)
                return widget;
        }
        ADD_FAILURE() << "no " << Widget::staticMetaObject.className() << " \"" << accessible_name.toStdString() << '"';
        return new Widget;
    }

    void open_page(const QString& title) {
        auto* tabs = window_.findChild<QTabWidget*>();
        for (int i = 0; i < tabs->count(); ++i) {
            if (tabs->tabText(i).remove(u'&') == title)
                return tabs->setCurrentIndex(i);
        }
        ADD_FAILURE() << "no page " << title.toStdString();
    }

    bool shows(const QString& text) {
        return eventually([&] {
            for (const QLabel* label : window_.findChildren<QLabel*>()) {
                if (label->isVisible() && label->text().contains(text))
                    return true;
            }
            return false;
        });
    }

    // Returns the next call that arrives at the daemon.
    QJsonArray call() {
        QJsonArray calls;
        EXPECT_TRUE(eventually([&] {
            calls = daemon_.take_calls();
            return !calls.isEmpty();
        }));
        return calls.isEmpty() ? QJsonArray() : calls[0].toArray();
    }

    QTemporaryDir directory_;
    PrivateBus bus_;
    FakeDaemon daemon_;
    FakeBoinc fake_boinc_;
    FakeSystemd systemd_;
    DaemonClient client_;
    Preferences preferences_{directory_.filePath(QStringLiteral("tmm-tray.ini"))};
    Autostart autostart_{directory_.filePath(QStringLiteral("autostart")), {directory_.filePath(QStringLiteral("xdg"))}};
    BoincClient boinc_{&client_.bus()};
    BoincSwitch boinc_switch_{&client_.bus()};
    MainWindow window_{&client_,      &boinc_,    &boinc_switch_,
                       &preferences_, autostart_, OwnPrograms(directory_.filePath(QStringLiteral("cgroup")))};
};

}  // namespace tmm::tray
