// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tray_application.hpp
#include "tray-app/ui/tray_application.hpp"

#include <QApplication>
#include <QDateTime>
#include <chrono>

namespace tmm::tray {
namespace {

using namespace std::chrono_literals;

// A restart of the daemon takes less.
constexpr auto daemon_lost_delay = 10s;

}  // namespace

TrayApplication::TrayApplication(Preferences* preferences, Autostart autostart, QObject* parent)
    : QObject(parent), preferences_(preferences), autostart_(std::move(autostart)) {
    daemon_lost_.setSingleShot(true);
    daemon_lost_.setInterval(daemon_lost_delay);
    connect(&daemon_lost_, &QTimer::timeout, this,
            [this] { notify(notices_.on_daemon_lost(client_.snapshot().last_source, QDateTime::currentDateTime())); });
    connect(&client_, &DaemonClient::snapshot_changed, this, &TrayApplication::on_snapshot);
    connect(&client_, &DaemonClient::request_finished, this, &TrayApplication::on_request_finished);
    connect(&boinc_switch_, &BoincSwitch::finished, this, &TrayApplication::on_request_finished);
    connect(&client_, &DaemonClient::notice_received, this, [this](const QString& kind, const QString& text) {
        notify(notices_.on_notice(kind, text, client_.snapshot().status.reason_code, QDateTime::currentDateTime()));
    });
    connect(&tray_, &TrayIcon::triggered, this, &TrayApplication::run_action);
    connect(&notifier_, &Notifier::activated, this, &TrayApplication::open_window);
}

TrayApplication::~TrayApplication() {
    delete window_;
}

void TrayApplication::start(bool background) {
    on_snapshot();
    if (!background)
        connect(&tray_, &TrayIcon::absent, this, &TrayApplication::open_window, Qt::SingleShotConnection);
    tray_.start();
    client_.start();
}

void TrayApplication::on_snapshot() {
    const Snapshot& snapshot = client_.snapshot();
    tray_.show(make_view(snapshot, QDateTime::currentDateTime(), QLocale()));
    if (snapshot.link == Link::connected) {
        was_connected_ = true;
        daemon_lost_.stop();
        open_on_first_run();
    } else if (std::exchange(was_connected_, false)) {
        daemon_lost_.start();
    }
}

// Opens the window unasked: once to ask, and once before if the system lacks what is needed.
void TrayApplication::open_on_first_run() {
    if (preferences_->welcomed())
        return;
    const FirstRun first_run = first_run_of(client_.snapshot());
    const bool tell = first_run == FirstRun::no_kernel && !preferences_->no_kernel_told();
    const bool ask = (first_run == FirstRun::question || first_run == FirstRun::decided) && !preferences_->welcome_shown();
    if (tell || ask)
        open_window();
}

void TrayApplication::on_request_finished(Request request, const Failure& failure) {
    // An open window shows the failure itself.
    if (!failure || window_)
        return;
    open_window();
    window_->show_message(explain(request, failure));
}

void TrayApplication::open_window() {
    if (!window_) {
        window_ = new MainWindow(&client_, &boinc_, &boinc_switch_, preferences_, autostart_, OwnPrograms::of_session());
        window_->setAttribute(Qt::WA_DeleteOnClose);
        connect(window_, &MainWindow::triggered, this, &TrayApplication::run_action);
        connect(window_, &MainWindow::closed, this, &TrayApplication::on_window_closed);
    }
    window_->show();
    window_->raise();
    window_->activateWindow();
}

void TrayApplication::on_window_closed() {
    // Without an icon the user could not open the window again.
    if (!preferences_->close_to_tray() || !tray_.visible())
        QApplication::quit();
}

void TrayApplication::notify(const std::optional<Notification>& notification) {
    if (notification && preferences_->notifications())
        notifier_.show(*notification);
}

void TrayApplication::run_action(Action action) {
    switch (action) {
        case Action::pause_half_hour:
        case Action::pause_hour:
        case Action::pause_until_tomorrow:
        case Action::pause_until_resumed:
            return client_.pause(pause_seconds(action, QDateTime::currentDateTime()));
        case Action::resume:
            return client_.resume();
        case Action::switch_on:
            return client_.set_on(true);
        case Action::start_service:
            return client_.start_service();
        case Action::stop_contributions:
            return client_.stop_contributions();
        case Action::open_window:
            return open_window();
        case Action::open_settings:
            open_window();
            return window_->show_settings();
        case Action::quit:
            return QApplication::quit();
        case Action::none:
            return;
    }
}

}  // namespace tmm::tray
