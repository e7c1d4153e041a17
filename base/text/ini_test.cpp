// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/text/ini.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

TEST(Ini, ReadsSectionsKeysAndComments) {
    const auto entries = parse_ini("# a comment\n; another\n[Policy]\n  Beta = 1.05 \nName=a = b\n\n[Empty]\n", "t.conf");
    ASSERT_TRUE(entries);
    ASSERT_EQ(entries->size(), 2U);
    EXPECT_EQ((*entries)[0].section, "Policy");
    EXPECT_EQ((*entries)[0].key, "Beta");
    EXPECT_EQ((*entries)[0].value, "1.05");
    EXPECT_EQ((*entries)[0].where(), "t.conf:4: Beta");
    EXPECT_EQ((*entries)[1].value, "a = b");
}

TEST(Ini, EmptyTextHasNoEntries) {
    EXPECT_TRUE(parse_ini("", "t.conf")->empty());
    EXPECT_TRUE(parse_ini("\n\n# only a comment", "t.conf")->empty());
}

TEST(Ini, NamesFileAndLineOfWhatIsWrong) {
    EXPECT_EQ(parse_ini("[Policy]\nBeta 1.05\n", "t.conf").error().message(),
              "t.conf:2: expected 'Key = value', found 'Beta 1.05'");
    EXPECT_EQ(parse_ini("Beta = 1\n", "t.conf").error().message(), "t.conf:1: 'Beta' is before the first [Section]");
    EXPECT_EQ(parse_ini("[Policy]\n = 1\n", "t.conf").error().message(), "t.conf:2: no key before '='");
    for (const char* bad : {"[Policy", "[]", "["})
        EXPECT_EQ(parse_ini(bad, "t.conf").error().message(), "t.conf:1: a section line must have the form [Name]") << bad;
}

TEST(Ini, DropinsFollowInTheOrderOfTheirNames) {
    TempTree tree;
    tree.file("etc/t.conf", "[A]\nk = 1\n")
        .file("etc/t.conf.d/20.conf", "[A]\nk = 3\n")
        .file("etc/t.conf.d/10.conf", "[A]\nk = 2\n");
    tree.file("etc/t.conf.d/30.conf~", "not read");
    const auto entries = read_ini_with_dropins(tree.root(), "etc/t.conf", false);
    ASSERT_TRUE(entries) << entries.error().message();
    ASSERT_EQ(entries->size(), 3U);
    EXPECT_EQ((*entries)[1].value, "2");
    EXPECT_EQ((*entries)[2].value, "3");
}

// An administrator's drop-in may be a link, as to the file of a site.
TEST(Ini, ADropinMayBeALink) {
    TempTree tree;
    tree.file("etc/t.conf", "[A]\nk = 1\n").dir("etc/t.conf.d").file("srv/site.conf", "[A]\nk = 2\n");
    std::filesystem::create_symlink("../../srv/site.conf", tree.path() / "etc/t.conf.d/10.conf");
    EXPECT_EQ(read_ini_with_dropins(tree.root(), "etc/t.conf", false)->back().value, "2");
    std::filesystem::create_symlink("nowhere", tree.path() / "etc/t.conf.d/20.conf");
    const auto broken = read_ini_with_dropins(tree.root(), "etc/t.conf", false);
    EXPECT_EQ(broken.error().code(), ENOENT);
    EXPECT_NE(broken.error().message().find("t.conf.d/20.conf"), std::string::npos);
}

TEST(Ini, MissingMainFileIsAnErrorUnlessAllowed) {
    const TempTree tree;
    EXPECT_EQ(read_ini_with_dropins(tree.root(), "etc/t.conf", false).error().code(), ENOENT);
    EXPECT_TRUE(read_ini_with_dropins(tree.root(), "etc/t.conf", true)->empty());
}

}  // namespace
}  // namespace tmm
