// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/reading/counters/persistent_file.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

TEST(PersistentFile, ReadsWhatIsThereNow) {
    TempTree tree;
    const RootDir root = tree.root();
    PersistentFile file(root, "cgroup/cpu.stat");
    EXPECT_EQ(file.read().error().code(), ENOENT);
    tree.file("cgroup/cpu.stat", "usage_usec 1\n");
    EXPECT_EQ(file.read().value(), "usage_usec 1\n");
    tree.file("cgroup/cpu.stat", "usage_usec 22\n");
    EXPECT_EQ(file.read().value(), "usage_usec 22\n");
    tree.file("cgroup/cpu.stat", "");
    EXPECT_EQ(file.read().value(), "");
}

TEST(PersistentFile, IsOpenedAgainWhenItWasMadeAgain) {
    TempTree tree;
    const RootDir root = tree.root();
    PersistentFile file(root, "cgroup/cpu.stat");
    tree.file("cgroup/cpu.stat", "old");
    ASSERT_EQ(file.read().value(), "old");
    std::filesystem::remove_all(tree.path() / "cgroup");
    EXPECT_EQ(file.read().error().code(), ENOENT);
    tree.file("cgroup/cpu.stat", "new");
    EXPECT_EQ(file.read().value(), "new");
    std::filesystem::remove_all(tree.path() / "cgroup");
    tree.file("cgroup/cpu.stat", "newer");
    EXPECT_EQ(file.read().value(), "newer");
}

TEST(PersistentFile, ReadsAllOfALongFile) {
    TempTree tree;
    const RootDir root = tree.root();
    const std::string text = std::string(2 * 4096, 'a') + "b";
    tree.file("long", text);
    PersistentFile file(root, "long");
    EXPECT_EQ(file.read().value(), text);
}

// The kernel returns it in pages of whole lines, none of which is full.
TEST(PersistentFile, ReadsAllOfAListOfTheKernel) {
    constexpr std::size_t pages = 200;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* const memory = ::mmap(nullptr, pages * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    for (std::size_t i = 0; i < pages; i += 2)
        ASSERT_EQ(::mprotect(static_cast<char*>(memory) + i * page, page, PROT_NONE), 0);
    const RootDir root = RootDir::open("/").value();
    EXPECT_GT(std::ranges::count(PersistentFile(root, "proc/self/maps").read().value(), '\n'), pages);
    ::munmap(memory, pages * page);
}

TEST(PersistentFile, ErrorNamesTheFile) {
    TempTree tree;
    const RootDir root = tree.root();
    tree.dir("directory");
    PersistentFile file(root, "directory");
    const auto text = file.read();
    EXPECT_EQ(text.error().code(), EISDIR);
    EXPECT_TRUE(text.error().message().starts_with((tree.path() / "directory").string() + ": ")) << text.error().message();
}

}  // namespace
}  // namespace tmm::os
