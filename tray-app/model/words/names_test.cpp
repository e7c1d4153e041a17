// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tray-app/model/words/names.hpp"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

TEST(VisibleName, LeavesNamesOfPeopleAlone) {
    for (const QString& name : {u"povray"_s, u"größer"_s, u"Việt"_s, u"日本語"_s, u"हिन्दी"_s, u"e\u0301\u0302"_s})
        EXPECT_EQ(visible_name(name), name);
}

TEST(VisibleName, ShowsWhatIsInvisible) {
    EXPECT_EQ(visible_name(u"pov\u200bray"_s), u"pov\ufffdray"_s) << "a zero-width space";
    EXPECT_EQ(visible_name(u"pov\u202eray"_s), u"pov\ufffdray"_s) << "a mark of direction";
    EXPECT_EQ(visible_name(u"a\nb"_s), u"a\ufffdb"_s);
}

TEST(VisibleName, BoundsMarksAndLength) {
    EXPECT_EQ(visible_name(u"a"_s + QString(40, QChar(0x0301)) + u"b"_s), u"a\u0301\u0301b"_s);
    EXPECT_EQ(visible_name(u"\u0301x"_s), u"\u25cc\u0301x"_s) << "a mark without a letter";
    EXPECT_EQ(visible_name(QString(1000, u'x')).size(), 65);
    EXPECT_EQ(visible_sentence(QString(1000, u'x')).size(), 401);
    EXPECT_EQ(visible_sentence(u"a\u202eb"_s), u"a\ufffdb"_s);
}

TEST(UserName, IsThatOfTheSystem) {
    const passwd* me = ::getpwuid(::getuid());
    ASSERT_NE(me, nullptr);
    EXPECT_EQ(user_name(::getuid()), QString::fromLocal8Bit(me->pw_name));
    EXPECT_EQ(user_name(4'000'000'000), u"User 4000000000"_s);
}

TEST(WeightWord, IsThatOfTheBox) {
    EXPECT_EQ(weight_word(20), u"Low"_s);
    EXPECT_EQ(weight_word(100), u"Normal"_s);
    EXPECT_EQ(weight_word(500), u"High"_s);
    EXPECT_EQ(weight_word(99), QString());
}

}  // namespace
}  // namespace tmm::tray
