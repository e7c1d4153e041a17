// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// main_window.hpp
#include "tray-app/ui/main_window.hpp"

#include <QCloseEvent>
#include <QDesktopServices>
#include <QFrame>
#include <QHBoxLayout>
#include <QScreen>
#include <QScrollArea>
#include <QShortcut>
#include <QStandardPaths>
#include <QStyle>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <chrono>
#include <functional>
#include <utility>

#include "tray-app/ui/boinc_question.hpp"
#include "tray-app/ui/drawing/theme.hpp"
#include "tray-app/ui/pages/about_page.hpp"
#include "tray-app/ui/pages/boinc_page.hpp"
#include "tray-app/ui/pages/contributions_page.hpp"
#include "tray-app/ui/pages/decisions_page.hpp"
#include "tray-app/ui/pages/give_to.hpp"
#include "tray-app/ui/pages/overview_page.hpp"
#include "tray-app/ui/pages/programs_page.hpp"
#include "tray-app/ui/pages/settings_page.hpp"
#include "tray-app/ui/pages/soft_page.hpp"
#include "tray-app/ui/status_header.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;
using namespace std::chrono_literals;

// The daemon's rows cover a minute or more; signals report the present state.
constexpr auto refresh_interval = 30s;

// Above the window, as long as it is not shown; in device-independent pixels.
constexpr int title_bar_height = 40;

QScrollArea* scrolled(QWidget* page) {
    auto* area = new QScrollArea;
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->viewport()->setAutoFillBackground(false);
    page->setAutoFillBackground(false);
    return area;
}

}  // namespace

MainWindow::MainWindow(DaemonClient* client, BoincClient* boinc, BoincSwitch* boinc_switch, Preferences* preferences,
                       Autostart autostart, OwnPrograms programs, QWidget* parent)
    : QWidget(parent),
      client_(client),
      boinc_(boinc),
      boinc_switch_(boinc_switch),
      preferences_(preferences),
      autostart_(std::move(autostart)),
      pages_(new QStackedWidget),
      message_(new QLabel) {
    setWindowTitle(tr("Transparent Memory"));
    setWindowIcon(icon(u"org.transparentmemory.TmmTray"_s));
    auto* header = new StatusHeader(client_);
    message_line_ = make_message_line();
    // Connect before the pages do: their message about the same request replaces this one.
    connect(client_, &DaemonClient::request_finished, this, &MainWindow::show_outcome);
    connect(boinc_switch_, &BoincSwitch::finished, this, &MainWindow::show_outcome);
    tabs_ = make_tabs(std::move(programs));
    auto* main = new QWidget;
    auto* main_layout = new QVBoxLayout(main);
    main_layout->setContentsMargins(0, 0, 0, 0);
    main_layout->addWidget(header);
    main_layout->addWidget(message_line_);
    main_layout->addWidget(new BoincQuestion(boinc_switch_, preferences_));
    main_layout->addWidget(tabs_, 1);
    pages_->addWidget(main);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(pages_);
    connect(header, &StatusHeader::triggered, this, &MainWindow::triggered);
    connect(client_, &DaemonClient::snapshot_changed, this, &MainWindow::on_snapshot);
    connect(boinc_, &BoincClient::snapshot_changed, this, &MainWindow::show_boinc);
    connect(boinc_switch_, &BoincSwitch::changed, this, &MainWindow::show_boinc);
    refresh_.setInterval(refresh_interval);
    connect(&refresh_, &QTimer::timeout, this, &MainWindow::refresh);
    connect(tabs_, &QTabWidget::currentChanged, this, &MainWindow::refresh);
    add_keys();
    // With scaled pixels a screen may be smaller than the usual size.
    resize(QSize(820, 680).boundedTo(screen()->availableSize() - QSize(0, title_bar_height)));
    restoreGeometry(preferences_->window_geometry());
    on_snapshot();
    show_boinc();
}

void MainWindow::show_boinc() {
    tabs_->setTabVisible(tabs_->indexOf(boinc_page_), concerns_boinc(boinc_->snapshot(), boinc_switch_->units()));
}

// The page About names the manual pages.
void MainWindow::show_guide() {
    for (const QString& name : {u"doc/tmm/owners.md"_s, u"doc/tmm-daemon/owners.md"_s}) {
        const QString file = QStandardPaths::locate(QStandardPaths::GenericDataLocation, name);
        if (!file.isEmpty() && QDesktopServices::openUrl(QUrl::fromLocalFile(file)))
            return;
    }
    tabs_->setCurrentWidget(about_);
}

void MainWindow::add_keys() {
    const auto add = [this](const QList<QKeySequence>& keys, const std::function<void()>& action) {
        for (const QKeySequence& key : keys)
            connect(new QShortcut(key, this), &QShortcut::activated, this, action);
    };
    add({QKeySequence(Qt::CTRL | Qt::Key_Q)}, [this] { Q_EMIT triggered(Action::quit); });
    add({QKeySequence(Qt::CTRL | Qt::Key_W), QKeySequence(Qt::Key_Escape)}, [this] { close(); });
    add({QKeySequence(Qt::Key_F1)}, [this] { tabs_->setCurrentWidget(about_); });
    add({QKeySequence(Qt::Key_F5), QKeySequence(Qt::CTRL | Qt::Key_R)}, [this] {
        client_->read_contributions();
        client_->read_soft();
        refresh();
    });
}

void MainWindow::on_snapshot() {
    follow_first_run();
    const bool connected = client_->snapshot().link == Link::connected;
    if (connected == std::exchange(connected_, connected) || !connected)
        return;
    // The daemon is new: its history can be read.
    if (isVisible())
        refresh();
}

void MainWindow::show_outcome(Request request, const Failure& failure) {
    if (failure)
        show_message(explain(request, failure));
    else
        message_line_->hide();
    if (!failure && request == Request::boinc_on)
        tabs_->setCurrentWidget(boinc_page_);
}

QTabWidget* MainWindow::make_tabs(OwnPrograms programs) {
    auto* tabs = new QTabWidget;
    overview_ = new OverviewPage(client_);
    decisions_ = new DecisionsPage(client_);
    boinc_page_ = new BoincPage(boinc_, boinc_switch_);
    auto* give_to = new GiveTo(boinc_, boinc_switch_);
    connect(give_to, &GiveTo::message, this, &MainWindow::show_message);
    connect(give_to, &GiveTo::boinc_wanted, this, [this] { tabs_->setCurrentWidget(boinc_page_); });
    connect(give_to, &GiveTo::guide_wanted, this, &MainWindow::show_guide);
    contributions_ = scrolled(new ContributionsPage(client_, boinc_, give_to));
    programs_ = new ProgramsPage(std::move(programs));
    connect(programs_, &ProgramsPage::message, this, &MainWindow::show_message);
    auto* settings = new SettingsPage(client_, boinc_switch_, preferences_, autostart_);
    connect(settings, &SettingsPage::message, this, &MainWindow::show_message);
    settings_ = scrolled(settings);
    overview_area_ = scrolled(overview_);
    tabs->addTab(overview_area_, tr("Overview"));
    tabs->addTab(contributions_, tr("Contributions"));
    tabs->addTab(boinc_page_, tr("BOINC"));
    tabs->addTab(programs_, tr("Programs"));
    tabs->addTab(new SoftPage(client_), tr("Soft memory"));
    tabs->addTab(decisions_, tr("Decisions"));
    tabs->addTab(settings_, tr("Settings"));
    about_ = scrolled(new AboutPage(client_));
    tabs->addTab(about_, tr("About"));
    return tabs;
}

QWidget* MainWindow::make_message_line() {
    auto* line = new QFrame;
    line->setFrameShape(QFrame::StyledPanel);
    line->setBackgroundRole(QPalette::ToolTipBase);
    line->setAutoFillBackground(true);
    auto* picture = new QLabel;
    const int size = style()->pixelMetric(QStyle::PM_SmallIconSize);
    picture->setPixmap(style()->standardIcon(QStyle::SP_MessageBoxWarning).pixmap(size));
    message_->setTextFormat(Qt::PlainText);
    wrap_anywhere(message_);
    message_->setForegroundRole(QPalette::ToolTipText);
    message_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* dismiss = new QToolButton;
    // A character, since the style's icon is black in dark themes too.
    dismiss->setText(u"✕"_s);
    dismiss->setForegroundRole(QPalette::ToolTipText);
    dismiss->setAutoRaise(true);
    dismiss->setToolTip(tr("Dismiss"));
    dismiss->setAccessibleName(tr("Dismiss the message"));
    auto* layout = new QHBoxLayout(line);
    layout->addWidget(picture);
    layout->addWidget(message_, 1);
    layout->addWidget(dismiss);
    connect(dismiss, &QToolButton::clicked, line, &QWidget::hide);
    line->hide();
    return line;
}

// Shows the page of the first run that fits the daemon, as long as the user has not answered the question.
void MainWindow::follow_first_run() {
    if (preferences_->welcomed())
        return;
    switch (first_run_of(client_->snapshot())) {
        case FirstRun::question:
            return make_welcome(WelcomePage::Kind::question);
        case FirstRun::decided:
            return make_welcome(WelcomePage::Kind::decided);
        case FirstRun::no_kernel:
            if (!preferences_->no_kernel_told())
                make_welcome(WelcomePage::Kind::no_kernel);
            return;
        case FirstRun::none:
            return;
    }
}

void MainWindow::make_welcome(WelcomePage::Kind kind) {
    if (welcome_ && welcome_->kind() == kind)
        return;
    delete welcome_;
    welcome_ = new WelcomePage(kind, autostart_.enabled());
    pages_->addWidget(welcome_);
    pages_->setCurrentWidget(welcome_);
    if (kind == WelcomePage::Kind::no_kernel)
        preferences_->set_no_kernel_told();
    else
        preferences_->set_welcome_shown();
    connect(welcome_, &WelcomePage::answered, this, [this](bool give, bool start_at_login) {
        preferences_->set_welcomed();
        end_welcome(start_at_login);
        if (give && client_->contributions().isEmpty())
            tabs_->setCurrentWidget(contributions_);
        const State state = client_->snapshot().status.state;
        // Also without a pause: the daemon then knows that somebody decided, and other users are not asked.
        if (give)
            Q_EMIT triggered(state == State::off ? Action::switch_on : Action::resume);
        else if (state != State::off)
            Q_EMIT triggered(Action::pause_until_resumed);
    });
    connect(welcome_, &WelcomePage::read, this, [this](bool start_at_login) {
        if (welcome_->kind() == WelcomePage::Kind::decided)
            preferences_->set_welcomed();
        end_welcome(start_at_login);
    });
}

void MainWindow::end_welcome(bool start_at_login) {
    pages_->removeWidget(welcome_);
    std::exchange(welcome_, nullptr)->deleteLater();
    // Its button had the focus.
    tabs_->setFocus();
    if (!autostart_.set_enabled(start_at_login))
        show_message(tr("The file for starting at login could not be written."));
}

void MainWindow::show_settings() {
    tabs_->setCurrentWidget(settings_);
}

void MainWindow::show_message(const QString& text) {
    message_->setText(text);
    message_line_->show();
}

void MainWindow::refresh() {
    client_->read_status();
    boinc_switch_->read();
    if (tabs_->currentWidget() == overview_area_)
        overview_->refresh();
    if (tabs_->currentWidget() == programs_)
        programs_->refresh();
    if (tabs_->currentWidget() == decisions_)
        decisions_->refresh();
}

void MainWindow::showEvent(QShowEvent* event) {
    client_->watch_contributions(true);
    boinc_->watch(true);
    refresh();
    refresh_.start();
    QWidget::showEvent(event);
}

void MainWindow::hideEvent(QHideEvent* event) {
    refresh_.stop();
    client_->watch_contributions(false);
    boinc_->watch(false);
    QWidget::hideEvent(event);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    preferences_->set_window_geometry(saveGeometry());
    event->accept();
    Q_EMIT closed();
}

}  // namespace tmm::tray
