// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/names.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

using namespace std::string_view_literals;

TEST(CheckName, TakesOrdinaryNames) {
    for (const char* name : {"povray", "a", "BOINC_7.20", "x-y.z", "7zip", "_"})
        EXPECT_TRUE(check_name(name)) << name;
    EXPECT_TRUE(check_name(std::string(64, 'a')));
}

TEST(CheckName, RefusesWhatWouldNotBeAFileOrUnitName) {
    for (const auto name : {""sv, "."sv, ".."sv, ".hidden"sv, "-n"sv, "a/b"sv, "/"sv, "../up"sv, "a b"sv, "a\nb"sv, "a\0b"sv,
                            "a+2"sv, "\x1b[2J"sv, "a@b"sv, "k\xc3\xa4se"sv, "1234"sv, "a:b"sv})
        EXPECT_FALSE(check_name(name)) << name;
    EXPECT_FALSE(check_name(std::string(65, 'a')));
}

TEST(CheckName, NeverRepeatsControlCharacters) {
    EXPECT_EQ(check_name("\x1b[2J").error().message().find('\x1b'), std::string::npos);
}

TEST(NameFromCommand, IsTheLastPartMadeValid) {
    EXPECT_EQ(name_from_command("/usr/bin/povray"), "povray");
    EXPECT_EQ(name_from_command("./my prog"), "my_prog");
    EXPECT_EQ(name_from_command("--odd"), "odd");
    EXPECT_EQ(name_from_command("k\xc3\xa4se"), "k__se");
}

TEST(NameFromCommand, IsAlwaysValid) {
    for (const auto command : {""sv, "/"sv, "..."sv, "dir/"sv, "-"sv, "123"sv})
        EXPECT_EQ(name_from_command(command), "contribution") << command;
    const std::string very_long = name_from_command(std::string(500, 'x'));
    EXPECT_EQ(very_long, std::string(64, 'x'));
}

TEST(ContributionName, UndoesCgroupName) {
    EXPECT_EQ(cgroup_name("povray", 1), "povray");
    EXPECT_EQ(cgroup_name("povray", 12), "povray+12");
    EXPECT_EQ(contribution_name("povray"), "povray");
    EXPECT_EQ(contribution_name("povray+12"), "povray");
}

TEST(ContributionName, UndoesScopeName) {
    EXPECT_EQ(scope_name("my-prog", 4711, 1), "maketransparent-my-prog-4711.scope");
    EXPECT_EQ(contribution_name(scope_name("my-prog", 4711, 1)), "my-prog");
    EXPECT_EQ(contribution_name(scope_name("my-prog", 4711, 3)), "my-prog");
}

TEST(ContributionName, LeavesOtherNamesAlone) {
    for (const auto name :
         {""sv, "boinc-client.service"sv, "maketransparent-.scope"sv, "maketransparent-x.scope"sv, "run-12.scope"sv})
        EXPECT_EQ(contribution_name(name), name);
}

TEST(ForeignUnit, IsWhatSystemdRunsForOthers) {
    EXPECT_TRUE(is_foreign_unit("boinc-client.service"));
    EXPECT_TRUE(is_foreign_unit("transparent-boinc.slice"));
    EXPECT_TRUE(is_foreign_unit("run-12.scope"));
    EXPECT_FALSE(is_foreign_unit("maketransparent-x-1.scope"));
    EXPECT_FALSE(is_foreign_unit("povray+2"));
    EXPECT_FALSE(is_foreign_unit(""));
}

TEST(InTransparentSlice, ComparesWholeComponents) {
    EXPECT_TRUE(in_transparent_slice("/sys/fs/cgroup/transparent.slice"));
    EXPECT_TRUE(in_transparent_slice("/user.slice/transparent.slice/a"));
    EXPECT_TRUE(in_transparent_slice("transparent.slice/"));
    EXPECT_FALSE(in_transparent_slice("/intransparent.slice"));
    EXPECT_FALSE(in_transparent_slice("/transparent.slice.d/a"));
    EXPECT_FALSE(in_transparent_slice(""));
}

}  // namespace
}  // namespace tmm
