// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// names.hpp
#include "tray-app/model/words/names.hpp"

#include <pwd.h>

#include <QCoreApplication>
#include <QFile>
#include <QHash>
#include <mutex>

#include "base/text/utf8.hpp"

namespace tmm::tray {
namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Names)
};

constexpr int max_marks = 2;
constexpr std::size_t max_name_characters = 64;
constexpr std::size_t max_sentence_characters = 400;
constexpr char32_t replacement = 0xfffd;
constexpr char32_t dotted_circle = 0x25cc;  // carries a mark that has no letter
constexpr char32_t ellipsis = 0x2026;

bool is_mark(char32_t character) {
    const QChar::Category category = QChar::category(character);
    return category == QChar::Mark_NonSpacing || category == QChar::Mark_SpacingCombining || category == QChar::Mark_Enclosing;
}

QString visible(const QString& name, std::size_t max_characters) {
    std::u32string shown;
    int marks = 0;
    for (const char32_t character : name.toUcs4()) {
        if (is_mark(character) && shown.empty())
            shown += dotted_circle;
        marks = is_mark(character) ? marks + 1 : 0;
        if (marks > max_marks)
            continue;
        if (shown.size() >= max_characters) {
            shown += ellipsis;
            break;
        }
        shown += is_control(character) || is_invisible(character) ? replacement : character;
    }
    return QString::fromUcs4(shown.data(), static_cast<qsizetype>(shown.size()));
}

QString name_of(quint32 user) {
    const passwd* entry = ::getpwuid(user);
    const QString name = entry != nullptr ? visible_name(QString::fromLocal8Bit(entry->pw_name)) : QString();
    return name.isEmpty() ? Words::tr("User %1").arg(user) : name;
}

}  // namespace

QString visible_name(const QString& name) {
    return visible(name, max_name_characters);
}

QString visible_sentence(const QString& sentence) {
    return visible(sentence, max_sentence_characters);
}

QString user_name(quint32 user) {
    static std::mutex mutex;
    static QHash<quint32, QString> known;
    const std::scoped_lock lock(mutex);
    if (!known.contains(user))
        known.insert(user, name_of(user));
    return known.value(user);
}

QString process_name(quint32 process) {
    QFile file(QStringLiteral("/proc/%1/comm").arg(process));
    return file.open(QIODevice::ReadOnly) ? visible_name(QString::fromLocal8Bit(file.readAll().trimmed())) : QString();
}

QString weight_word(quint32 weight) {
    switch (weight) {
        case low_weight:
            return Words::tr("Low");
        case normal_weight:
            return Words::tr("Normal");
        case high_weight:
            return Words::tr("High");
        default:
            return {};
    }
}

}  // namespace tmm::tray
