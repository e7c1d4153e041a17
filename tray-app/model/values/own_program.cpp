// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// own_program.hpp
#include "tray-app/model/values/own_program.hpp"

#include <QRegularExpression>

#include "base/cgroups/contribution_name.hpp"

namespace tmm::tray {

using namespace Qt::StringLiterals;

namespace {

// systemd writes a byte that may not stand in a unit's name as \xAB.
QString unescaped(const QString& name) {
    const QByteArray text = name.toUtf8();
    QByteArray bytes;
    for (qsizetype at = 0; at < text.size(); ++at) {
        bool is_escape = text.sliced(at).startsWith(R"(\x)") && at + 4 <= text.size();
        const ushort byte = is_escape ? text.sliced(at + 2, 2).toUShort(&is_escape, 16) : 0;
        bytes += is_escape ? static_cast<char>(byte) : text[at];
        if (is_escape)
            at += 3;
    }
    return QString::fromUtf8(bytes);
}

}  // namespace

QString application_name(const QString& unit) {
    const std::string cgroup = unit.toStdString();
    if (is_contribution_scope(cgroup))
        return QString::fromStdString(contribution_name(cgroup));
    // An escaped part holds no dash.
    static const QRegularExpression application(uR"(^app(?:-[^-]+)?-([^-@]+)(?:-[^-]+\.scope|(?:@[^-]*)?\.service)$)"_s);
    static const QRegularExpression type(uR"(\.(?:scope|service)$)"_s);
    const QRegularExpressionMatch match = application.match(unit);
    QString name = unescaped(match.hasMatch() ? match.captured(1) : QString(unit).remove(type));
    if (match.hasMatch())
        name = name.mid(name.lastIndexOf(u'.') + 1);  // an identifier such as org.kde.konsole
    return name.isEmpty() ? unit : name;
}

}  // namespace tmm::tray
