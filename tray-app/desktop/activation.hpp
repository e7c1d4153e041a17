// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Activation tokens (xdg-activation): a compositor lets a window come to the front only with the token of the click that asked
// for it. The token is in the environment of a program that the click starts, and in the calls that pass the wish on. Call these
// from the thread of the event loop only.
#pragma once

#include <QString>
#include <QVariantMap>

namespace tmm::tray {

// Returns the platform data of org.freedesktop.Application for this program's own token, and removes the token from the
// environment, so that no child uses it. Call it before a QGuiApplication exists, which would take it.
QVariantMap take_platform_data();

// Lets the next window that is activated use the token. Without a token it does nothing.
void use_activation_token(const QString& token);
void use_platform_data(const QVariantMap& platform_data);

}  // namespace tmm::tray
