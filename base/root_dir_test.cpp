// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root_dir.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

TEST(RootDir, ReadsBelowItselfWhateverTheLeadingSlash) {
    TempTree tree;
    tree.file("sys/kernel/total", "123\n");
    const RootDir root = tree.root();
    EXPECT_EQ(root.read_file("sys/kernel/total").value(), "123\n");
    EXPECT_EQ(root.read_file("/sys/kernel/total").value(), "123\n");
    EXPECT_TRUE(root.exists("/sys/kernel/total"));
    EXPECT_FALSE(root.exists("/etc/passwd"));
}

TEST(RootDir, NamesTheFileThatIsMissing) {
    const TempTree tree;
    const auto text = tree.root().read_file("proc/vmstat");
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code(), ENOENT);
    EXPECT_EQ(text.error().message(), (tree.path() / "proc/vmstat").string() + ": No such file or directory");
}

TEST(RootDir, RefusesToReadMoreThanAsked) {
    TempTree tree;
    tree.file("big", std::string(5000, 'x'));
    EXPECT_EQ(tree.root().read_file("big", 4096).error().code(), EFBIG);
    EXPECT_EQ(tree.root().read_file("big", 5000).value().size(), 5000U);
}

TEST(RootDir, WritesOnlyFilesThatExist) {
    TempTree tree;
    tree.file("limit", "old text that is longer");
    const RootDir root = tree.root();
    ASSERT_TRUE(root.write_file("limit", "42"));
    EXPECT_EQ(tree.text("limit").substr(0, 2), "42");
    EXPECT_EQ(root.write_file("no-such-file", "42").error().code(), ENOENT);
    EXPECT_FALSE(root.exists("no-such-file"));
}

TEST(RootDir, ListsDirectoriesApart) {
    TempTree tree;
    tree.dir("cgroup/b").dir("cgroup/a").file("cgroup/memory.stat", "");
    std::filesystem::create_directory_symlink("/", tree.path() / "cgroup/link");
    const RootDir root = tree.root();
    EXPECT_EQ(root.list_dirs("cgroup").value(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(root.list_names("cgroup").value(), (std::vector<std::string>{"a", "b", "link", "memory.stat"}));
    EXPECT_EQ(root.list_names("cgroup", 3).value().size(), 3U);
    EXPECT_EQ(root.list_dirs("nowhere").error().code(), ENOENT);
}

TEST(RootDir, SubdirIsARootOfItsOwn) {
    TempTree tree;
    tree.file("a/b/c", "text");
    const auto sub = tree.root().subdir("a");
    ASSERT_TRUE(sub);
    EXPECT_EQ(sub->read_file("b/c").value(), "text");
    EXPECT_FALSE(tree.root().subdir("nowhere"));
}

TEST(RootDir, ListsNamesOfAllKinds) {
    TempTree tree;
    tree.dir("class/b").file("class/a", "");
    std::filesystem::create_directory_symlink("/", tree.path() / "class/c");
    EXPECT_EQ(tree.root().list_names("class").value(), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(RootDir, SubdirWithoutLinksFollowsNone) {
    TempTree tree;
    tree.file("a/b/c", "text");
    std::filesystem::create_directory_symlink("a", tree.path() / "link");
    const RootDir root = tree.root();
    ASSERT_TRUE(root.subdir_without_links("a/b"));
    EXPECT_EQ(root.subdir_without_links("a/b")->read_file("c").value(), "text");
    EXPECT_TRUE(root.subdir_without_links(""));
    EXPECT_EQ(root.subdir_without_links("link/b").error().code(), ELOOP);
    EXPECT_EQ(root.subdir_without_links("link").error().code(), ELOOP);
    EXPECT_EQ(root.subdir_without_links("a/../../..").error().code(), EXDEV);
    EXPECT_EQ(root.subdir_without_links("nowhere").error().code(), ENOENT);
}

}  // namespace
}  // namespace tmm
