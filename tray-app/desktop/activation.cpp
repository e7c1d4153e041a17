// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// activation.hpp
#include "tray-app/desktop/activation.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

// Qt's Wayland platform reads this one when a window asks to be activated.
constexpr const char* token_variable = "XDG_ACTIVATION_TOKEN";
constexpr const char* startup_variable = "DESKTOP_STARTUP_ID";  // of X11
const QString token_key = u"activation-token"_s;
const QString startup_key = u"desktop-startup-id"_s;

}  // namespace

QVariantMap take_platform_data() {
    QVariantMap data;
    const QString token = qEnvironmentVariable(token_variable);
    const QString startup_id = qEnvironmentVariable(startup_variable);
    if (!token.isEmpty())
        data[token_key] = token;
    if (!startup_id.isEmpty())
        data[startup_key] = startup_id;
    qunsetenv(token_variable);
    return data;
}

void use_activation_token(const QString& token) {
    if (!token.isEmpty())
        qputenv(token_variable, token.toUtf8());
}

void use_platform_data(const QVariantMap& platform_data) {
    use_activation_token(platform_data.value(token_key).toString());
}

}  // namespace tmm::tray
