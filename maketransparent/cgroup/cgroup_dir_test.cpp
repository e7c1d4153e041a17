// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Tests against plain directories. behaviour-test has the tests that need a real cgroup v2.
#include "maketransparent/cgroup/cgroup_dir.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/temp_tree.hpp"
#include "maketransparent/cgroup/cgroup_class.hpp"
#include "maketransparent/cgroup/directory_placement.hpp"

namespace tmm {
namespace {

bool accept_all(int /*fd*/) {
    return true;
}

bool refuse_all(int /*fd*/) {
    return false;
}

TEST(CgroupDir, OpensAndCreatesOnlyOneLevel) {
    TempTree tree;
    tree.dir("cg");
    const RootDir root = tree.root();
    EXPECT_EQ(CgroupDir::open(root, "/cg/transparent.slice", false, accept_all).error().code(), ENOENT);
    EXPECT_EQ(CgroupDir::open(root, "/cg/a/b", true, accept_all).error().code(), ENOENT);
    EXPECT_TRUE(CgroupDir::open(root, "/cg/transparent.slice/", true, accept_all));
    EXPECT_TRUE(std::filesystem::is_directory(tree.path() / "cg/transparent.slice"));
    EXPECT_TRUE(CgroupDir::open(root, "/cg/transparent.slice", true, accept_all));
}

TEST(CgroupDir, RefusesOtherFilesystemsBeforeItCreatesAnything) {
    TempTree tree;
    tree.dir("cg").file("file", "");
    const auto there = CgroupDir::open(tree.root(), "/cg", true, refuse_all);
    ASSERT_FALSE(there);
    EXPECT_NE(there.error().message().find("no cgroup v2 directory"), std::string::npos);
    EXPECT_FALSE(CgroupDir::open(tree.root(), "/cg/new", true, refuse_all));
    EXPECT_FALSE(std::filesystem::exists(tree.path() / "cg/new"));
    EXPECT_EQ(CgroupDir::open(tree.root(), "/file", true, accept_all).error().code(), ENOTDIR);
    EXPECT_FALSE(CgroupDir::is_cgroup2(tree.root().fd()));
}

TEST(CgroupDir, EnablesTheMemoryControllerAboveAndHere) {
    TempTree tree;
    tree.file("cg/cgroup.subtree_control", "")
        .file("cg/t/cgroup.subtree_control", "")
        .file("cg/t/cgroup.controllers", "cpu memoryx\n");
    const auto dir = CgroupDir::open(tree.root(), "/cg/t", false, accept_all);
    ASSERT_TRUE(dir);
    dir->enable_memory_controller();
    EXPECT_EQ(tree.text("cg/cgroup.subtree_control"), "+memory");
    EXPECT_EQ(tree.text("cg/t/cgroup.subtree_control"), "");
    tree.file("cg/t/cgroup.controllers", "cpu memory\n");
    dir->enable_memory_controller();
    EXPECT_EQ(tree.text("cg/t/cgroup.subtree_control"), "+memory");
}

TEST(CgroupDir, WhatItMakesYieldsTheProcessor) {
    TempTree tree;
    tree.dir("cg").file("there/cpu.idle", "0");
    // The kernel fills the directory of a new cgroup. Here the check does, because it runs after mkdir.
    const auto fill = [](int fd) {
        const int file = ::openat(fd, "cpu.idle", O_CREAT | O_WRONLY, 0644);
        ::close(file);
        return true;
    };
    ASSERT_TRUE(CgroupDir::open(tree.root(), "/cg/new", true, fill));
    EXPECT_EQ(tree.text("cg/new/cpu.idle"), "1");
    ASSERT_TRUE(CgroupDir::open(tree.root(), "/there", true, accept_all));
    EXPECT_EQ(tree.text("there/cpu.idle"), "0");
}

TEST(CgroupDir, MarksTheSliceAndNothingElse) {
    TempTree tree;
    tree.file("transparent.slice/memory.transparent", "0").file("other/memory.transparent", "0");
    CgroupDir::open(tree.root(), "/transparent.slice", false, accept_all)->mark_if_slice();
    CgroupDir::open(tree.root(), "/other", false, accept_all)->mark_if_slice();
    EXPECT_EQ(tree.text("transparent.slice/memory.transparent"), "1");
    EXPECT_EQ(tree.text("other/memory.transparent"), "0");
}

TEST(CgroupDir, ChildrenOfOneNameAreNumbered) {
    TempTree tree;
    tree.dir("transparent.slice");
    const auto dir = CgroupDir::open(tree.root(), "/transparent.slice", false, accept_all);
    EXPECT_TRUE(dir->new_child("povray"));
    EXPECT_EQ(dir->new_child("povray")->name_of(""), (tree.path() / "transparent.slice/povray+2").string());
    EXPECT_TRUE(std::filesystem::is_directory(tree.path() / "transparent.slice/povray+2"));
}

TEST(CgroupDir, ListsTransparentChildrenThatLive) {
    TempTree tree;
    tree.file("transparent.slice/povray/cgroup.procs", "30\n4\n")
        .file("transparent.slice/povray/inner/cgroup.procs", "5\n")
        .file("transparent.slice/povray/memory.current", "4096\n")
        .file("transparent.slice/empty/cgroup.procs", "")
        .file("transparent.slice/torn/cgroup.procs", "x\n-1\n99999999999999999999\n\n")
        .file("transparent.slice/maketransparent-scene-12.scope/cgroup.procs", "7\n")
        .file("transparent.slice/boinc-client.service/cgroup.procs", "8")
        .file("transparent.slice/boinc-client.service/memory.current", "many");
    const auto list = CgroupDir::open(tree.root(), "/transparent.slice", false, accept_all)->list();
    ASSERT_TRUE(list) << list.error().message();
    ASSERT_EQ(list->size(), 3U);
    const auto& [boinc, scene, povray] = std::tie(list->at(0), list->at(1), list->at(2));
    EXPECT_EQ(boinc.name, "boinc-client.service");
    EXPECT_TRUE(boinc.foreign);
    EXPECT_EQ(boinc.memory_bytes, std::nullopt);
    EXPECT_EQ(scene.name, "scene");
    EXPECT_FALSE(scene.foreign);
    EXPECT_EQ(povray.pids, (std::vector<pid_t>{4, 5, 30}));
    EXPECT_EQ(povray.memory_bytes, 4096U);
}

TEST(CgroupDir, ElsewhereOnlyMarkedChildrenAreContributions) {
    TempTree tree;
    tree.file("cg/a/cgroup.procs", "4\n")
        .file("cg/a/memory.transparent", "1\n")
        .file("cg/b/cgroup.procs", "5\n")
        .file("cg/b/memory.transparent", "0\n");
    const auto list = CgroupDir::open(tree.root(), "/cg", false, accept_all)->list();
    ASSERT_EQ(list->size(), 1U);
    EXPECT_EQ(list->at(0).name, "a");
}

TEST(MoveProcess, WritesTheIdAndNeverCreatesTheFile) {
    TempTree tree;
    tree.file("a/cgroup.procs", "").dir("b");
    EXPECT_TRUE(move_process(*tree.root().subdir("a"), 12));
    EXPECT_EQ(tree.text("a/cgroup.procs"), "12");
    EXPECT_EQ(move_process(*tree.root().subdir("b"), 12).error().code(), ENOENT);
    EXPECT_FALSE(std::filesystem::exists(tree.path() / "b/cgroup.procs"));
}

TEST(CgroupClass, ComesFromNameOrMarkAtAnyLevel) {
    TempTree tree;
    tree.file("cg/a/memory.transparent", "1\n").dir("cg/a/b").file("cg/c/memory.transparent", "0\n").dir("cg/ab");
    const CgroupMount mount{"/", "/cg"};
    const RootDir root = tree.root();
    EXPECT_TRUE(is_transparent(root, mount, "/a"));
    EXPECT_TRUE(is_transparent(root, mount, "/a/b"));
    EXPECT_TRUE(is_transparent(root, mount, "/x/transparent.slice/y"));
    EXPECT_FALSE(is_transparent(root, mount, "/c"));
    EXPECT_FALSE(is_transparent(root, mount, "/ab"));
    EXPECT_FALSE(is_transparent(root, mount, "/vanished/x"));
    EXPECT_FALSE(is_transparent(root, mount, "/"));
}

TEST(DirectoryPlacement, NothingIsThereBeforeTheFirstContribution) {
    TempTree tree;
    tree.dir("cg");
    const RootDir root = tree.root();
    DirectoryPlacement placement(root, "/cg/transparent.slice", accept_all);
    const auto list = placement.list();
    ASSERT_TRUE(list);
    EXPECT_TRUE(list->empty());
    EXPECT_FALSE(std::filesystem::exists(tree.path() / "cg/transparent.slice"));
    EXPECT_EQ(placement.describe("x"), "a new cgroup /cg/transparent.slice/x");
}

TEST(DirectoryPlacement, WillNotReleaseIntoAContribution) {
    TempTree tree;
    tree.file("proc/self/mountinfo", "30 23 0:26 / /cg rw - cgroup2 cgroup2 rw\n")
        .file("proc/self/cgroup", "0::/transparent.slice/shell\n");
    const RootDir root = tree.root();
    DirectoryPlacement placement(root, "/cg", accept_all);
    EXPECT_FALSE(placement.release("x", {4}));
    tree.file("proc/self/cgroup", "0::/owner\n").file("cg/owner/cgroup.procs", "");
    EXPECT_TRUE(placement.release("x", {4}));
    EXPECT_EQ(tree.text("cg/owner/cgroup.procs"), "4");
}

}  // namespace
}  // namespace tmm
