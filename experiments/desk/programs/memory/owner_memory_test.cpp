// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "owner_memory.hpp"

#include <gtest/gtest.h>

#include "arena.hpp"
#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

const std::vector<PageIndex> all_four{3, 0, 2, 1, 1};

class FileMemory : public testing::TestWithParam<FileAccess> {};

TEST_P(FileMemory, MakesAFileAndRemovesIt) {
    const TempTree tree;
    const std::string path = (tree.path() / "file").string();
    {
        auto memory = file_memory(path, 4, 1, GetParam());
        ASSERT_TRUE(memory) << memory.error().message();
        EXPECT_EQ(std::filesystem::file_size(path), 4 * page_bytes);
        EXPECT_TRUE((*memory)->touch(all_four));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_P(FileMemory, LongerThanOneWriteAndNotARoundNumber) {
    const TempTree tree;
    const std::string path = (tree.path() / "file").string();
    const auto memory = file_memory(path, 257, 1, GetParam());
    ASSERT_TRUE(memory) << memory.error().message();
    EXPECT_EQ(std::filesystem::file_size(path), 257 * page_bytes);
    const std::string text = tree.text("file");
    EXPECT_NE(text.substr(0, page_bytes), text.substr(256 * page_bytes)) << "contents must not repeat";
}

TEST_P(FileMemory, WhatIsInTheWayIsNamedAndKept) {
    TempTree tree;
    tree.file("file", "somebody's");
    const auto memory = file_memory((tree.path() / "file").string(), 4, 1, GetParam());
    ASSERT_FALSE(memory);
    EXPECT_NE(memory.error().message().find("/file"), std::string::npos) << memory.error().message();
    EXPECT_EQ(tree.text("file"), "somebody's");
}

INSTANTIATE_TEST_SUITE_P(BothWays, FileMemory, testing::Values(FileAccess::read, FileAccess::mapped));

TEST(OwnerMemory, AFileThatBecameShorterIsAnError) {
    const TempTree tree;
    const auto memory = file_memory((tree.path() / "file").string(), 4, 1, FileAccess::read);
    ASSERT_TRUE(memory);
    std::filesystem::resize_file(tree.path() / "file", page_bytes);
    const auto touched = (*memory)->touch(all_four);
    ASSERT_FALSE(touched);
    EXPECT_NE(touched.error().message().find("has become shorter"), std::string::npos);
}

TEST(OwnerMemory, AFolderThatIsNotThereIsAnError) {
    EXPECT_FALSE(file_memory("/nonexistent/file", 4, 1, FileAccess::read));
}

TEST(OwnerMemory, AnonymousMemoryIsTouched) {
    const auto memory = anonymous_memory(4, 1, 2);
    ASSERT_TRUE(memory);
    EXPECT_TRUE((*memory)->touch(all_four));
}

}  // namespace
}  // namespace tmm::desk
