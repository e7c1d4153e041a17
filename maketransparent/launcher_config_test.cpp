// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/launcher_config.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

TEST(LauncherConfig, MayBeMissing) {
    TempTree tree;
    const auto config = read_config(tree.root(), "/home/u/.config");
    ASSERT_TRUE(config) << config.error().message();
    EXPECT_EQ(config->cgroup_dir, "");
}

TEST(LauncherConfig, TheUsersOwnWins) {
    TempTree tree;
    tree.file("etc/tmm/maketransparent.conf", "[Launcher]\nCgroup = /a\n")
        .file("etc/tmm/maketransparent.conf.d/10.conf", "[Launcher]\nCgroup = /b\n");
    EXPECT_EQ(read_config(tree.root(), "/home/u/.config")->cgroup_dir, "/b");
    tree.file("home/u/.config/tmm/maketransparent.conf", "[Launcher]\nCgroup = /c d\n");
    EXPECT_EQ(read_config(tree.root(), "/home/u/.config")->cgroup_dir, "/c d");
    EXPECT_EQ(read_config(tree.root(), "")->cgroup_dir, "/b");
}

TEST(LauncherConfig, AnEmptyValueGoesBackToSystemd) {
    TempTree tree;
    tree.file("etc/tmm/maketransparent.conf", "[Launcher]\nCgroup = /a\n")
        .file("home/tmm/maketransparent.conf", "[Launcher]\nCgroup =\n");
    EXPECT_EQ(read_config(tree.root(), "/home")->cgroup_dir, "");
}

TEST(LauncherConfig, NamesFileLineAndKey) {
    EXPECT_EQ(make_config({{"Launcher", "Group", "/a", "f", 3}}).error().message(),
              "f:3: Group: unknown key in [Launcher]; known is Cgroup in [Launcher]");
    EXPECT_EQ(make_config({{"Launcher", "Cgroup", "a", "f", 3}}).error().message(),
              "f:3: Cgroup: 'a' must be an absolute path, or empty for systemd");
    EXPECT_FALSE(make_config({{"Other", "Cgroup", "/a", "f", 3}}));
}

TEST(LauncherConfig, RefusesABrokenFile) {
    TempTree tree;
    tree.file("etc/tmm/maketransparent.conf", "Cgroup = /a\n");
    EXPECT_NE(read_config(tree.root(), "").error().message().find("maketransparent.conf:1"), std::string::npos);
}

}  // namespace
}  // namespace tmm
