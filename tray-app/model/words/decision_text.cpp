// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
// decision_text.hpp
#include "tray-app/model/words/decision_text.hpp"

#include <QCoreApplication>
#include <QHash>

#include "tray-app/model/words/format.hpp"
#include "tray-app/model/words/reason_text.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Decision)
};

QDateTime time_of(quint64 us) {
    return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(us / 1000));
}

}  // namespace

QString decision_time(const Decision& decision, const QDateTime& now, const QLocale& locale) {
    const QDateTime first = time_of(decision.first_us);
    const QDateTime last = time_of(decision.last_us);
    QString text = locale.toString(first.time(), QLocale::ShortFormat);
    if (first.date() != now.date())
        text = locale.toString(first.date(), QLocale::ShortFormat) + u' ' + text;
    const QString end = locale.toString(last.time(), QLocale::ShortFormat);
    return decision.times > 1 && !text.endsWith(end) ? text + QChar(0x2013) + end : text;
}

QString decision_word(const QString& kind) {
    const QHash<QString, QString> words{
        {u"giving"_s, Words::tr("Giving")},     {u"waiting"_s, Words::tr("Waiting")},     {u"paused"_s, Words::tr("Paused")},
        {u"off"_s, Words::tr("Off")},           {u"trouble"_s, Words::tr("Trouble")},     {u"learning"_s, Words::tr("Learning")},
        {u"measured"_s, Words::tr("Measured")}, {u"corrected"_s, Words::tr("Corrected")},
    };
    return words.value(kind, kind);
}

QString decision_sentence(const Decision& decision, const QLocale& locale) {
    const QVariantMap& values = decision.reason_values;
    const auto bytes = [&](const QString& key) { return format_bytes(values.value(key).toULongLong(), locale); };
    if (values.contains(u"allowed-bytes"_s)) {
        QString text = Words::tr("Your programs need %1 of %2; contributions may use %3.")
                           .arg(bytes(u"need-bytes"_s), bytes(u"total-bytes"_s), bytes(u"allowed-bytes"_s));
        if (decision.reason_code == u"corrected"_s)
            text += u' ' + Words::tr("The limits were corrected at once, because your programs waited for too many pages.");
        return text;
    }
    Status status;
    status.reason = decision.reason;
    status.reason_code = decision.reason_code;
    status.reason_values = values;
    const QString text = reason_sentence(status, locale);
    return text.isEmpty() ? decision.reason : text;
}

}  // namespace tmm::tray
