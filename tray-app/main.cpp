// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmm-tray(1): connects the command line, the session and the application.
#include <QApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <cstdio>
#include <cstdlib>

#include "tray-app/desktop/activation.hpp"
#include "tray-app/desktop/autostart.hpp"
#include "tray-app/desktop/preferences.hpp"
#include "tray-app/desktop/single_instance.hpp"
#include "tray-app/options.hpp"
#include "tray-app/ui/drawing/theme.hpp"
#include "tray-app/ui/one_request.hpp"
#include "tray-app/ui/tray_application.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

int fail(const std::string& message) {
    std::fprintf(stderr, "tmm-tray: %s\n", message.c_str());
    return EXIT_FAILURE;
}

// QApplication aborts the process if there is no display.
bool has_display() {
    for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
        if (qEnvironmentVariableIsSet(variable))
            return true;
    }
    return false;
}

int quit_other(int argc, char** argv) {
    const QCoreApplication application(argc, argv);
    if (SingleInstance::call_other_instance(u"quit"_s))
        return EXIT_SUCCESS;
    return fail("no tmm-tray runs in this session");
}

void install_translators(QCoreApplication& application) {
    const QLocale locale;
    auto* of_qt = new QTranslator(&application);
    if (of_qt->load(locale, u"qtbase"_s, u"_"_s, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(of_qt);
    auto* own = new QTranslator(&application);
    if (own->load(locale, u"tmm-tray"_s, u"_"_s, u":/i18n"_s))
        QCoreApplication::installTranslator(own);
}

// Sends a request without a window. Failures are shown as a notification, which needs translations but no display.
int send(Request request, int argc, char** argv) {
    QCoreApplication application(argc, argv);
    install_translators(application);
    OneRequest one(request);
    QString failure;
    QObject::connect(
        &one, &OneRequest::ended, &application,
        [&](const QString& message) {
            failure = message;
            QCoreApplication::exit(message.isEmpty() ? EXIT_SUCCESS : EXIT_FAILURE);
        },
        Qt::QueuedConnection);
    one.start();
    const int code = QCoreApplication::exec();
    return code == EXIT_SUCCESS ? code : fail(failure.toStdString());
}

int run(const Options& options, int argc, char** argv) {
    if (!has_display())
        return fail("no desktop found (neither DISPLAY nor WAYLAND_DISPLAY is set); use tmmctl(1) in a terminal");
    const QVariantMap platform_data = take_platform_data();
    QApplication application(argc, argv);
    QApplication::setQuitOnLastWindowClosed(false);
    QGuiApplication::setDesktopFileName(u"org.transparentmemory.TmmTray"_s);
    QGuiApplication::setWindowIcon(icon(u"org.transparentmemory.TmmTray"_s));
    install_translators(application);
    const QString name = QCoreApplication::translate("main", "Transparent Memory");
    QGuiApplication::setApplicationDisplayName(name);
    QCoreApplication::setApplicationName(name);  // Qt gives it to panels as the title of the icon

    SingleInstance instance;
    if (!instance.claim()) {
        if (options.background || SingleInstance::call_other_instance({}, platform_data))
            return EXIT_SUCCESS;
        return fail("another tmm-tray runs in this session but does not answer");
    }
    use_platform_data(platform_data);
    Preferences preferences(Preferences::user_path());
    TrayApplication tray(&preferences, Autostart::of_session());
    QObject::connect(&instance, &SingleInstance::activated, &tray, &TrayApplication::open_window);
    QObject::connect(&instance, &SingleInstance::quit_requested, &application, &QCoreApplication::quit, Qt::QueuedConnection);
    tray.start(options.background);
    if (options.window)
        tray.open_window();
    return QApplication::exec();
}

int main_of(int argc, char** argv) {
    const auto options = parse_options(argc, argv);
    if (!options)
        return fail(options.error().message() + "; see tmm-tray --help");
    // Qt would read its own options from argv; tmm-tray documents none of them.
    int nr_arguments = 1;
    switch (options->action) {
        case Options::Action::help:
            std::fputs(usage().c_str(), stdout);
            return EXIT_SUCCESS;
        case Options::Action::version:
            std::puts("tmm-tray " TMM_VERSION);
            return EXIT_SUCCESS;
        case Options::Action::pause:
            return send(Request::pause, nr_arguments, argv);
        case Options::Action::resume:
            return send(Request::resume, nr_arguments, argv);
        case Options::Action::quit:
            return quit_other(nr_arguments, argv);
        case Options::Action::run:
            break;
    }
    return run(*options, nr_arguments, argv);
}

}  // namespace
}  // namespace tmm::tray

int main(int argc, char** argv) {
    return tmm::tray::main_of(argc, argv);
}
