// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// caps.hpp
#include "tray-app/model/values/caps.hpp"

#include <QStringList>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

const QString time_format = u"HH:mm"_s;

}  // namespace

std::optional<QuietHours> parse_quiet_hours(const QString& text) {
    const QStringList parts = text.split(u'-');
    if (parts.size() != 2)
        return {};
    const QuietHours hours{QTime::fromString(parts[0], time_format), QTime::fromString(parts[1], time_format)};
    if (!hours.begin.isValid() || !hours.end.isValid())
        return {};
    return hours;
}

QString format_quiet_hours(const QuietHours& hours) {
    return hours.begin.toString(time_format) + u'-' + hours.end.toString(time_format);
}

QVariantMap changed_caps(const Caps& from, const Caps& to) {
    QVariantMap changes;
    if (from.max_bytes != to.max_bytes)
        changes[u"max-bytes"_s] = to.max_bytes;
    if (from.max_percent != to.max_percent)
        changes[u"max-percent"_s] = to.max_percent;
    if (from.only_when_idle != to.only_when_idle)
        changes[u"only-when-idle"_s] = to.only_when_idle;
    if (from.only_on_mains != to.only_on_mains)
        changes[u"only-on-mains"_s] = to.only_on_mains;
    if (from.quiet_hours != to.quiet_hours)
        changes[u"quiet-hours"_s] = to.quiet_hours;
    return changes;
}

}  // namespace tmm::tray
