// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// own_program.hpp
#include "tray-app/model/values/own_program.hpp"

#include <gtest/gtest.h>

namespace tmm::tray {
namespace {

std::string name_of_unit(const char* unit) {
    return application_name(QString::fromLatin1(unit)).toStdString();
}

TEST(OwnProgram, HasTheNameOfItsApplication) {
    EXPECT_EQ(name_of_unit("app-gnome-firefox\\x2desr-4711.scope"), "firefox-esr");
    EXPECT_EQ(name_of_unit("app-org.kde.konsole-4711.scope"), "konsole");
    EXPECT_EQ(name_of_unit("app-org.kde.dolphin@2f3a.service"), "dolphin");
    EXPECT_EQ(name_of_unit("app-gnome-org.gnome.Evince-4711.scope"), "Evince");
    EXPECT_EQ(name_of_unit("maketransparent-povray-4711.scope"), "povray");
}

TEST(OwnProgram, AnotherUnitKeepsItsName) {
    EXPECT_EQ(name_of_unit("gnome-terminal-server.service"), "gnome-terminal-server");
    EXPECT_EQ(name_of_unit("vte-spawn-1.scope"), "vte-spawn-1");
    EXPECT_EQ(name_of_unit("plain"), "plain");
    EXPECT_EQ(name_of_unit("a\\x5cx41.scope"), "a\\x41") << "each escape once";
    EXPECT_EQ(name_of_unit(".scope"), ".scope");
}

}  // namespace
}  // namespace tmm::tray
