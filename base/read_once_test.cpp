// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_once.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <thread>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

class ReadOnceTest : public testing::Test {
protected:
    ReadOnceTest() { tree_.file("sys/one", "1"); }
    std::string read(const std::string& path) { return root_.read_file(path).value(); }

    TempTree tree_;
    RootDir root_ = tree_.root();
};

TEST_F(ReadOnceTest, AllReadersGetTheFirstText) {
    {
        const ReadOnce once(root_);
        EXPECT_EQ(read("sys/one"), "1");
        tree_.file("sys/one", "2");
        EXPECT_EQ(read("/sys/one"), "1");
        EXPECT_EQ(root_.subdir("sys")->read_file("one").value(), "1");
        EXPECT_EQ(root_.subdir_without_links("sys")->read_file("one").value(), "1");
    }
    EXPECT_EQ(read("sys/one"), "2");
    const ReadOnce next(root_);
    EXPECT_EQ(read("sys/one"), "2");
}

TEST_F(ReadOnceTest, AFileThatIsMissingStaysSo) {
    const ReadOnce once(root_);
    EXPECT_EQ(root_.read_file("sys/two").error().code(), ENOENT);
    tree_.file("sys/two", "2");
    EXPECT_EQ(root_.read_file("sys/two").error().code(), ENOENT);
}

TEST_F(ReadOnceTest, AWriteIsSeen) {
    const ReadOnce once(root_);
    EXPECT_EQ(read("sys/one"), "1");
    ASSERT_TRUE(root_.subdir("sys")->write_file("one", "3"));
    EXPECT_EQ(read("sys/one"), "3");
    EXPECT_EQ(root_.texts().reads().at((tree_.path() / "sys/one").string()), 2);
}

TEST_F(ReadOnceTest, AnotherThreadReadsAsAlways) {
    const ReadOnce once(root_);
    EXPECT_EQ(read("sys/one"), "1");
    tree_.file("sys/one", "2");
    std::string seen;
    std::thread([&] { seen = read("sys/one"); }).join();
    EXPECT_EQ(seen, "2");
    EXPECT_EQ(read("sys/one"), "1");
}

}  // namespace
}  // namespace tmm
