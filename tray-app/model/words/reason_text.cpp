// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// reason_text.hpp
#include "tray-app/model/words/reason_text.hpp"

#include <QCoreApplication>

#include "tray-app/model/words/format.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Reason)
};

const QString no_kernel = u"no-kernel"_s;

QString need_sentence(const Status& status, const QLocale& locale) {
    const QString need = format_bytes(status.reason_values.value(u"need-bytes"_s).toULongLong(), locale);
    const QString total = format_bytes(status.reason_values.value(u"total-bytes"_s).toULongLong(), locale);
    const quint64 given = status.transparent_bytes;
    if (status.state != State::giving)
        return Words::tr("Your programs need %1 of %2; nothing is left to give.").arg(need, total);
    if (given == 0)
        return Words::tr("Your programs need %1 of %2; nothing is given, because there is no contribution.").arg(need, total);
    return Words::tr("Your programs need %1 of %2; %3 are given.").arg(need, total, format_bytes(given, locale));
}

QString condition_sentence(const Status& status) {
    const QString& code = status.reason_code;
    const QVariantMap& values = status.reason_values;
    if (code == u"quiet-hours"_s) {
        const QStringList hours = values.value(u"quiet-hours"_s).toString().split(u'-');
        return Words::tr("Nothing is given from %1 to %2.").arg(hours.value(0), hours.value(1));
    }
    if (code == u"on-battery"_s)
        return Words::tr("Nothing is given on the battery.");
    if (code == u"mains-unknown"_s)
        return Words::tr("Nothing is given, because the service cannot tell whether this computer is on mains power.");
    if (code == u"in-use"_s) {
        const qulonglong minutes = (values.value(u"idle-after-seconds"_s).toULongLong() + 59) / 60;
        return Words::tr("Memory is given only after nobody has used this computer for %1 min.").arg(minutes);
    }
    if (code == u"presence-unknown"_s)
        return Words::tr("Nothing is given, because the service cannot tell whether somebody uses this computer.");
    return {};
}

QString hold_sentence(const Status& status, const QLocale& locale) {
    const QVariantMap& values = status.reason_values;
    if (status.reason_code == u"pressure"_s)
        return Words::tr("Your programs waited for memory, so contributions are frozen until that is over.");
    if (status.reason_code == u"compressed-swap"_s)
        return Words::tr("Compressed swap takes %1, so contributions are frozen to leave your programs enough.")
            .arg(format_bytes(values.value(u"swap-bytes"_s).toULongLong(), locale));
    if (status.reason_code == u"lack"_s)
        return Words::tr("Your programs lack %1, so contributions are frozen until they have it back.")
            .arg(format_bytes(values.value(u"lack-bytes"_s).toULongLong(), locale));
    return {};
}

}  // namespace

QString trouble_sentence(const QString& code, const QString& words) {
    if (code == no_kernel)
        return Words::tr(
            "This system has no cgroup v2 for memory, so no memory is given. The command tmmctl doctor says what to do.");
    return Words::tr("The service cannot work at the moment: “%1”. The command tmmctl doctor says what to do.").arg(words);
}

QString reason_sentence(const Status& status, const QLocale& locale) {
    const QString& code = status.reason_code;
    if (code == u"measured"_s || code == u"corrected"_s)
        return need_sentence(status, locale);
    if (code == u"learning"_s)
        return Words::tr("The service is learning how much your programs need. Contributions get only free memory.");
    if (code == u"no-samples"_s)
        return Words::tr("The kernel does not show which memory is used. Contributions get only free memory.");
    if (code == u"off"_s)
        return Words::tr("No memory is given until you switch giving on again.");
    if (code == u"paused"_s || code == u"paused-for-a-time"_s)
        return Words::tr("Contributions are paused. Your programs can use all memory.");
    if (code == no_kernel || code == u"trouble"_s)
        return trouble_sentence(code, status.reason);
    QString condition = condition_sentence(status);
    if (condition.isEmpty())
        return hold_sentence(status, locale);
    if (status.reason_values.value(u"by-administrator"_s).toBool())
        condition += u' ' + Words::tr("An administrator set this condition.");
    return condition;
}

bool kernel_guards(const QString& last_source) {
    return last_source == u"tmm"_s;
}

QString guard_sentence(const QString& last_source) {
    return kernel_guards(last_source)
               ? Words::tr("Your programs can use all memory: the kernel takes it from contributions first.")
               : Words::tr("Contributions run like any other program, and may take memory that your programs need.");
}

}  // namespace tmm::tray
