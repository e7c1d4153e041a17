// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// One instance a session: whoever has the session bus name is it, and others ask it to show its window, by the interface
// org.freedesktop.Application of the Desktop Entry Specification.
//
// Without a session bus every instance is the only one.
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

    // False: another instance has the name. Blocks for two answers of the session bus itself.
    [[nodiscard]] bool claim();

    // Asks the other instance: "" for its window, or "quit". Blocks until it answers or some seconds have passed; false: it did
    // not do it.
    [[nodiscard]] static bool call_other_instance(const QString& action);

Q_SIGNALS:
    void activated();
    void quit_requested();
};

// The interface's methods as others call them.
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
