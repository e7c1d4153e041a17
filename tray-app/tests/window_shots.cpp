// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Saves pictures of all pages, for people to check: window_shots DIRECTORY light|dark. Draws offscreen, with the locale of $LANG,
// the scale $QT_SCALE_FACTOR and the services on $DBUS_SYSTEM_BUS_ADDRESS.
#include <QApplication>
#include <QDir>
#include <QMouseEvent>
#include <QPushButton>
#include <QStyleFactory>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTranslator>
#include <cstdio>
#include <functional>
#include <optional>

#include "base/cgroups/exceptions.hpp"
#include "base/root_dir.hpp"
#include "tray-app/ui/drawing/chart_widget.hpp"
#include "tray-app/ui/drawing/theme.hpp"
#include "tray-app/ui/main_window.hpp"
#include "tray-app/ui/pages/welcome_page.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr int deadline_ms = 60'000;

QPalette dark_palette() {
    QPalette palette(QColor(0x35, 0x39, 0x3f), QColor(0x2a, 0x2d, 0x32));
    palette.setColor(QPalette::Base, QColor(0x1e, 0x20, 0x24));
    palette.setColor(QPalette::AlternateBase, QColor(0x26, 0x29, 0x2e));
    palette.setColor(QPalette::ToolTipBase, QColor(0x4a, 0x42, 0x28));
    palette.setColor(QPalette::ToolTipText, QColor(0xf0, 0xf0, 0xf0));
    palette.setColor(QPalette::PlaceholderText, QColor(0x90, 0x90, 0x90));
    return palette;
}

class Pictures {
public:
    Pictures(QWidget& window, QString directory) : window_(window), directory_(std::move(directory)) {}

    void take(const QString& name, const std::function<bool()>& ready) {
        if (!QTest::qWaitFor(ready, deadline_ms))
            std::fprintf(stderr, "window_shots: %s is not ready\n", qPrintable(name));
        QCoreApplication::processEvents();
        if (!window_.grab().save(directory_ + u'/' + name + u".png"_s))
            std::fprintf(stderr, "window_shots: %s cannot be written\n", qPrintable(name));
    }

private:
    QWidget& window_;
    QString directory_;
};

// Stand-ins for the user's cgroups.
OwnPrograms make_programs(const QString& directory) {
    const auto add = [&](const QString& cgroup, const QByteArray& bytes, std::optional<Exception> exception = std::nullopt) {
        QDir().mkpath(directory + cgroup);
        QFile file(directory + cgroup + u"/memory.current"_s);
        if (file.open(QIODevice::WriteOnly))
            file.write(bytes);
        const auto opened = RootDir::open((directory + cgroup).toStdString());
        if (exception && opened)
            (void)set_exception(*opened, *exception, true);
    };
    add(u"/app.slice/app-firefox-4711.scope"_s, "2415919104\n");
    add(u"/app.slice/app-gnome-supertuxkart-4712.scope"_s, "1181116006\n", Exception::never_count);
    add(u"/app.slice/app-org.kde.konsole-4713.scope"_s, "94371840\n");
    add(u"/transparent.slice/maketransparent-povray-4714.scope"_s, "734003200\n");
    add(u"/transparent.slice/maketransparent-game-4715.scope"_s, "157286400\n", Exception::never_freeze);
    return OwnPrograms(directory);
}

int run(const QString& directory) {
    const QTemporaryDir home;
    Preferences preferences(home.filePath(u"tmm-tray.ini"_s));
    DaemonClient client;
    BoincClient boinc(&client.bus());
    BoincSwitch boinc_switch(&client.bus());
    MainWindow window(&client, &boinc, &boinc_switch, &preferences, Autostart(home.path(), {}),
                      make_programs(home.filePath(u"cgroup"_s)));
    bool history = false;
    QObject::connect(&client, &DaemonClient::history_read, &window, [&] { history = true; });
    bool soft = false;
    QObject::connect(&client, &DaemonClient::soft_read, &window, [&] { soft = true; });
    bool decisions = false;
    QObject::connect(&client, &DaemonClient::decisions_read, &window, [&] { decisions = true; });
    window.resize(820, 680);
    window.show();
    client.start();
    const auto at_once = [] { return true; };
    Pictures pictures(window, directory);
    pictures.take(u"welcome"_s, [&] { return client.snapshot().link == Link::connected && history; });
    auto* welcome = window.findChild<WelcomePage*>();
    Q_EMIT welcome->answered(true, false);
    auto* tabs = window.findChild<QTabWidget*>();
    const QString names[] = {u"overview"_s, u"contributions"_s, u"boinc"_s,    u"programs"_s,
                             u"soft"_s,     u"decisions"_s,     u"settings"_s, u"about"_s};
    for (int i = 0; i < tabs->count(); ++i) {
        tabs->setCurrentIndex(i);
        pictures.take(names[i], [&] {
            return client.contributions().size() == 3 && (names[i] != u"decisions"_s || decisions) &&
                   (names[i] != u"soft"_s || soft);
        });
    }
    tabs->setCurrentIndex(0);
    const QList<QPushButton*> ranges = tabs->currentWidget()->findChildren<QPushButton*>();
    const QString range_names[] = {u"hour"_s, u"day"_s, u"week"_s};
    for (int i = 0; i < ranges.size(); ++i) {
        history = false;
        ranges[i]->click();
        pictures.take(u"range-"_s + range_names[i], [&] { return history; });
    }
    auto* chart = window.findChild<ChartWidget*>();
    // Sent as an event, because the offscreen pointer cannot reach every position at 2x.
    const QPointF pointer(chart->width() / 2.0, chart->height() / 3.0);
    QMouseEvent move(QEvent::MouseMove, pointer, chart->mapToGlobal(pointer), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(chart, &move);
    pictures.take(u"hover"_s, at_once);
    window.show_message(explain(Request::set_caps, {u"org.transparentmemory.Tmm1.Error.NotAuthorized"_s, {}}));
    pictures.take(u"refused"_s, at_once);
    window.resize(520, 480);
    pictures.take(u"small"_s, at_once);
    return EXIT_SUCCESS;
}

}  // namespace
}  // namespace tmm::tray

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("Usage: window_shots DIRECTORY light|dark\n", stderr);
        return EXIT_FAILURE;
    }
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    if (QString::fromLocal8Bit(argv[2]) == QStringLiteral("dark"))
        QApplication::setPalette(tmm::tray::dark_palette());
    QTranslator translator;
    if (translator.load(QLocale(), QStringLiteral("tmm-tray"), QStringLiteral("_"), QStringLiteral(":/i18n")))
        QCoreApplication::installTranslator(&translator);
    const QString directory = QString::fromLocal8Bit(argv[1]);
    QDir().mkpath(directory);
    return tmm::tray::run(directory);
}
