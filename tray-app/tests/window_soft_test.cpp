// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests the page of soft memory with the fake daemon.
#include <gtest/gtest.h>
#include <unistd.h>

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTreeWidget>

#include "tray-app/model/words/names.hpp"
#include "tray-app/tests/window_fixture.hpp"

namespace tmm::tray {
namespace {

using namespace Qt::StringLiterals;

class SoftWindowTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        open();
        open_page(u"Soft memory"_s);
        ASSERT_TRUE(eventually([&] { return list()->topLevelItemCount() == 2; }));
    }

    QTreeWidget* list() { return named<QTreeWidget>(u"Soft memory"_s); }
    QStringList row(int number) {
        QStringList texts;
        for (int column = 1; column < list()->columnCount(); ++column)
            texts << list()->topLevelItem(number)->text(column).replace(QChar(0xa0), QChar(u' '));
        return texts;
    }
};

TEST_F(SoftWindowTest, ShowsTheFiguresAndTheOrderOfTmmctlAndWhy) {
    const QString user = user_name(::getuid());
    EXPECT_EQ(row(0), (QStringList{user, u"300 MiB"_s, u"280 MiB"_s, u"2.0 GiB"_s, u"40.0 %"_s, u"150.0 %"_s, u"50.0 %"_s}));
    EXPECT_EQ(row(1), (QStringList{user, u"1.0 GiB"_s, u"922 MiB"_s, u"3.0 GiB"_s, u"80.0 %"_s, u"25.0 %"_s, u"1.0 %"_s}));
    EXPECT_TRUE(shows(u"would save 50.0\u00A0% of its work"_s)) << "of the first row";
    list()->setCurrentItem(list()->topLevelItem(1));
    EXPECT_TRUE(shows(u"would save 1.0\u00A0% of its work"_s));
}

TEST_F(SoftWindowTest, TheMaximumArrivesAtTheDaemonAndIsTakenBack) {
    auto* check = find<QCheckBox>(u"All together"_s);
    auto* maximum = named<QDoubleSpinBox>(u"Maximum of all soft memory"_s);
    EXPECT_FALSE(check->isChecked() || maximum->isEnabled());
    check->click();
    maximum->setValue(2);
    find<QPushButton>(u"Set the maximum"_s)->click();
    EXPECT_EQ(call(), (QJsonArray{QString(), u"SetSoftCap"_s, 2147483648.0}));
    EXPECT_TRUE(shows(u"all soft memory together may have at most 2.0"_s));
    check->click();
    find<QPushButton>(u"Set the maximum"_s)->click();
    EXPECT_EQ(call().at(1).toString(), u"SetSoftCap"_s);
    EXPECT_TRUE(shows(u"or gain more from it"_s));
}

TEST_F(SoftWindowTest, TheWeightIsOfTheSelectedProgramsUser) {
    auto* weight = named<QSpinBox>(u"Weight of the user"_s);
    EXPECT_EQ(weight->value(), 100);
    weight->setValue(300);
    find<QPushButton>(u"Set the weight"_s)->click();
    EXPECT_EQ(call(), (QJsonArray{QString(), u"SetSoftWeight"_s, static_cast<int>(::getuid()), 300}));
    EXPECT_EQ(weight->value(), 300);
}

TEST_F(SoftWindowTest, ARefusalIsExplained) {
    daemon_.refuse(u"SetSoftCap"_s, u"org.transparentmemory.Tmm1.Error.NotAuthorized"_s);
    find<QPushButton>(u"Set the maximum"_s)->click();
    EXPECT_TRUE(shows(u"The division of soft memory was not changed. This needs an administrator's password."_s));
}

}  // namespace
}  // namespace tmm::tray
