// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/words/reason_text.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QRegularExpression>
#include <QSet>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

constexpr quint64 mib = 1ULL << 20;
const QLocale german(QLocale::German, QLocale::Germany);

QString sentence(const QString& code, const QVariantMap& values = {}, State state = State::waiting) {
    Status status;
    status.state = state;
    status.transparent_bytes = 1126 * mib;
    status.reason = u"in the words of the daemon"_s;
    status.reason_code = code;
    status.reason_values = values;
    return reason_sentence(status, german);
}

TEST(ReasonSentence, GivenIsWhatContributionsUseAndNotWhatTheyMay) {
    const QVariantMap values{{u"need-bytes"_s, 5222 * mib}, {u"total-bytes"_s, 16384 * mib}, {u"allowed-bytes"_s, 409 * mib}};
    EXPECT_EQ(sentence(u"measured"_s, values, State::giving),
              u"Your programs need 5,1\u00A0GiB of 16,0\u00A0GiB; 1,1\u00A0GiB are given."_s);
    EXPECT_EQ(sentence(u"corrected"_s, values), u"Your programs need 5,1\u00A0GiB of 16,0\u00A0GiB; nothing is left to give."_s);
}

TEST(ReasonSentence, ConditionsAreTold) {
    EXPECT_EQ(sentence(u"quiet-hours"_s, {{u"quiet-hours"_s, u"22:00-07:00"_s}}), u"Nothing is given from 22:00 to 07:00."_s);
    EXPECT_TRUE(sentence(u"in-use"_s, {{u"idle-after-seconds"_s, quint64{300}}}).contains(u"for 5 min."_s));
    EXPECT_EQ(sentence(u"on-battery"_s, {{u"by-administrator"_s, true}}),
              u"Nothing is given on the battery. An administrator set this condition."_s);
    EXPECT_TRUE(sentence(u"compressed-swap"_s, {{u"swap-bytes"_s, 94 * mib}}).contains(u"94\u00A0MiB"_s));
    EXPECT_TRUE(sentence(u"lack"_s, {{u"lack-bytes"_s, 95 * mib}}).contains(u"95\u00A0MiB"_s));
}

TEST(ReasonSentence, WhatALaterVersionAddedHasNone) {
    EXPECT_EQ(sentence(u"moonlight"_s), QString());
    EXPECT_EQ(sentence(QString()), QString());
    EXPECT_EQ(sentence(u"quiet-hours"_s, {{u"quiet-hours"_s, 7}}), u"Nothing is given from 7 to ."_s) << "no crash";
}

// The interface's description has the words, so it cannot get one that the window does not know.
TEST(ReasonSentence, EachWordOfTheInterfaceHasItsOwn) {
    QFile xml(QStringLiteral(TMM_SOURCE_DIR "/dbus/org.transparentmemory.Tmm1.xml"));
    ASSERT_TRUE(xml.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(xml.readAll());
    const QString words = text.section(u"ReasonCode is one of these words"_s, 1).section(u"ReasonValues has"_s, 0, 0);
    const QRegularExpression word(u"^ {11}([a-z-]+)  "_s, QRegularExpression::MultilineOption);
    QSet<QString> sentences;
    int nr_words = 0;
    for (auto found = word.globalMatch(words); found.hasNext(); ++nr_words)
        sentences.insert(sentence(found.next().captured(1)));
    EXPECT_EQ(nr_words, 17);
    EXPECT_EQ(sentences.size(), nr_words - 2) << "measured is as corrected, a pause as one for a time";
    EXPECT_FALSE(sentences.contains(QString()));
}

}  // namespace
}  // namespace tmm::tray
