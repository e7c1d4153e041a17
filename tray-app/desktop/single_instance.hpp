// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// SingleInstance: keeps one tmm-tray in a session. The instance that owns the session bus name is the one. Others call it by the
// interface org.freedesktop.Application of the Desktop Entry Specification, then exit.
//
// Without a session bus, each instance takes itself for the only one. Use it from the thread of the event loop only.
#pragma once

#include <QDBusAbstractAdaptor>
#include <QObject>
#include <QString>
#include <QVariantMap>

namespace tmm::tray {

class SingleInstance : public QObject {
    Q_OBJECT

public:
    explicit SingleInstance(QObject* parent = nullptr);

    // Takes the bus name. Returns false if another instance has it. Blocks for two replies of the session bus.
    [[nodiscard]] bool claim();

    // Calls the other instance. action: "" shows its window, "quit" ends it. platform_data: of take_platform_data(). Blocks for
    // at most 5 s. Returns false if there was no reply, or an error.
    [[nodiscard]] static bool call_other_instance(const QString& action, const QVariantMap& platform_data = {});

Q_SIGNALS:
    void activated();
    void quit_requested();
};

// Exports the methods of org.freedesktop.Application. Qt deletes it with the instance.
class ApplicationAdaptor : public QDBusAbstractAdaptor {
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Application")

public:
    explicit ApplicationAdaptor(SingleInstance* instance) : QDBusAbstractAdaptor(instance), instance_(instance) {}

public Q_SLOTS:
    void Activate(const QVariantMap& platform_data);
    void Open(const QStringList& uris, const QVariantMap& platform_data);
    void ActivateAction(const QString& action, const QVariantList& parameters, const QVariantMap& platform_data);

private:
    SingleInstance* instance_;
};

}  // namespace tmm::tray
