// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tray_icon.hpp
#include "tray-app/ui/tray_icon.hpp"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

#include "tray-app/ui/drawing/theme.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString watcher_service = u"org.kde.StatusNotifierWatcher"_s;
const QString watcher_object = u"/StatusNotifierWatcher"_s;

QIcon panel_icon(const QString& name) {
    return icon(panel_icon_name(name, qEnvironmentVariable("XDG_CURRENT_DESKTOP")));
}

}  // namespace

TrayIcon::TrayIcon(QObject* parent) : QObject(parent), menu_(std::make_unique<QMenu>()) {
    for (const MenuEntry& entry : make_menu(view_)) {
        if (entry.begins_group)
            menu_->addSeparator();
        QAction* action = menu_->addAction(entry.text);
        connect(action, &QAction::triggered, this, [this, what = entry.action] { Q_EMIT triggered(what); });
        actions_ << action;
    }
}

TrayIcon::~TrayIcon() = default;

void TrayIcon::start() {
    auto bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        Q_EMIT absent();
        return;
    }
    watcher_ = std::make_unique<QDBusServiceWatcher>(watcher_service, bus, QDBusServiceWatcher::WatchForOwnerChange);
    connect(watcher_.get(), &QDBusServiceWatcher::serviceOwnerChanged, this,
            [this](const QString&, const QString&, const QString& owner) {
                icon_.reset();
                if (!owner.isEmpty())
                    query_tray();
            });
    // The watcher may exist before a panel shows its icons.
    bus.connect(watcher_service, watcher_object, watcher_service, u"StatusNotifierHostRegistered"_s, this, SLOT(make_icon()));
    query_tray();
}

void TrayIcon::query_tray() {
    auto question =
        QDBusMessage::createMethodCall(watcher_service, watcher_object, u"org.freedesktop.DBus.Properties"_s, u"Get"_s);
    question.setAutoStartService(false);
    question << watcher_service << u"IsStatusNotifierHostRegistered"_s;
    auto* answer = new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(question), this);
    connect(answer, &QDBusPendingCallWatcher::finished, this, [this](QDBusPendingCallWatcher* finished) {
        finished->deleteLater();
        const QDBusPendingReply<QDBusVariant> reply = *finished;
        if (!reply.isError() && reply.value().variant().toBool())
            make_icon();
        else if (!icon_)
            Q_EMIT absent();
    });
}

void TrayIcon::make_icon() {
    if (icon_)
        return;
    icon_ = std::make_unique<QSystemTrayIcon>(panel_icon(view_.icon));
    icon_->setToolTip(view_.tooltip);
    icon_->setContextMenu(menu_.get());
    connect(icon_.get(), &QSystemTrayIcon::activated, this, [this](QSystemTrayIcon::ActivationReason reason) {
        if (reason != QSystemTrayIcon::Context)
            Q_EMIT triggered(Action::open_window);
    });
    icon_->show();
}

void TrayIcon::show(const View& view) {
    if (icon_ && view.icon != view_.icon)
        icon_->setIcon(panel_icon(view.icon));
    if (icon_ && view.tooltip != view_.tooltip)
        icon_->setToolTip(view.tooltip);
    view_ = view;
    update_menu();
}

void TrayIcon::update_menu() {
    const QList<MenuEntry> entries = make_menu(view_);
    for (qsizetype i = 0; i < entries.size(); ++i) {
        actions_[i]->setText(entries[i].text);
        actions_[i]->setEnabled(entries[i].enabled);
        actions_[i]->setVisible(entries[i].visible);
    }
}

}  // namespace tmm::tray
