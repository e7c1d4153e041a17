// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/storage/state_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <set>

#include "base/temp_tree.hpp"

namespace tmm::storage {
namespace {

namespace fs = std::filesystem;

constexpr const char* path = "var/lib/tmm/histogram";

// A root directory with /var/lib/tmm.
class StateFileTest : public testing::Test {
protected:
    StateFileTest() { tree_.dir("var/lib/tmm"); }

    std::set<std::string> names() const {
        std::set<std::string> found;
        for (const auto& entry : fs::directory_iterator(tree_.path() / "var/lib/tmm"))
            found.insert(entry.path().filename().string());
        return found;
    }
    void expect_text(const std::string& expected) const {
        const auto text = file_.load();
        ASSERT_TRUE(text) << text.error().message();
        ASSERT_TRUE(text->has_value());
        EXPECT_EQ(**text, expected);
    }
    // load() returns this error, and its message names the file.
    void expect_error(int code, const std::string& reason) const {
        const auto text = file_.load();
        ASSERT_FALSE(text) << reason;
        EXPECT_EQ(text.error().code(), code) << text.error().message();
        EXPECT_EQ(text.error().message(), (tree_.path() / path).string() + reason);
    }

    using Names = std::set<std::string>;

    TempTree tree_;
    RootDir root_ = tree_.root();
    StateFile file_{root_, path};
};

// Bounds the files that this process may write, while in scope, like a full disk.
class FileSizeLimit {
public:
    explicit FileSizeLimit(rlim_t bytes) : handler_(::signal(SIGXFSZ, SIG_IGN)) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit now{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &now);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        ::signal(SIGXFSZ, handler_);
    }

private:
    void (*handler_)(int);
    rlimit before_{};
};

// Gives up root, which may write everywhere, while in scope.
class OrdinaryUser {
public:
    OrdinaryUser() : user_(::geteuid()) {
        constexpr uid_t nobody = 65534;
        if (user_ == 0) {
            EXPECT_EQ(::seteuid(nobody), 0);
        }
    }
    OrdinaryUser(const OrdinaryUser&) = delete;
    OrdinaryUser& operator=(const OrdinaryUser&) = delete;
    ~OrdinaryUser() { EXPECT_EQ(::seteuid(user_), 0); }

private:
    uid_t user_;
};

TEST(WrapState, PutsAChecksumAndTheLengthBefore) {
    EXPECT_EQ(wrap_state("123456789"), "tmm-state 1 cbf43926 9\n123456789") << "the check value of CRC-32";
    EXPECT_EQ(wrap_state(""), "tmm-state 1 00000000 0\n");
}

TEST(UnwrapState, GivesTheTextBack) {
    for (const std::string& text : {std::string(), std::string("one\ntwo\n"), std::string("\n"), std::string("a\0b\xff", 4)})
        EXPECT_EQ(unwrap_state(wrap_state(text)).value(), text);
}

TEST(UnwrapState, SaysWhatIsWrong) {
    const auto reason = [](std::string_view file) {
        const auto text = unwrap_state(file);
        EXPECT_FALSE(text) << file;
        return text ? "" : std::to_string(text.error().code() == EBADMSG) + " " + text.error().message();
    };
    for (const char* foreign :
         {"", "\n", "text\n", "tmm-stat", "tmm-states 1 cbf43926 9\n123456789", "\ntmm-state 1 00000000 0\n"})
        EXPECT_EQ(reason(foreign), "1 is no state file of tmmd") << foreign;
    for (const char* other : {"tmm-state 2 cbf43926 9\n123456789", "tmm-state", "tmm-state\n", "tmm-state 11 x", "tmm-state x"})
        EXPECT_EQ(reason(other), "1 is of another version") << other;
    for (const char* torn : {"tmm-state 1", "tmm-state 1 \n", "tmm-state 1 cbf43926", "tmm-state 1 00000000 0",
                             "tmm-state 1 cbf43926 9\n12345678", "tmm-state 1 cbf43926 9\n1234567890", "tmm-state 1 cbf43926 9\n",
                             "tmm-state 1 cbf43926 99999999999999999999\n123456789", "tmm-state 1 cbf43926 -9\n123456789",
                             "tmm-state 1 cbf43926 09\n123456789"})
        EXPECT_EQ(reason(torn), "1 is damaged (length)") << torn;
    for (const char* damaged :
         {"tmm-state 1 cbf43926 9\n123456780", "tmm-state 1 cbf43927 9\n123456789", "tmm-state 1 CBF43926 9\n123456789",
          "tmm-state 1  9\n123456789 ", "tmm-state 1 cbf43926 9 \n123456789", "tmm-state 1 fffffffffcbf43926 9\n123456789"})
        EXPECT_TRUE(reason(damaged).starts_with("1 is damaged (")) << damaged;
    EXPECT_EQ(reason("tmm-state 1 cbf43926 9\n123456780"), "1 is damaged (checksum)");
}

TEST(UnwrapState, NoticesEveryBitAndEveryCut) {
    const std::string whole = wrap_state("t 600\nmisses 1 2 3\n");
    for (std::size_t i = 0; i < whole.size(); ++i) {
        EXPECT_FALSE(unwrap_state(whole.substr(0, i))) << i;
        for (int bit = 0; bit < 8; ++bit) {
            std::string damaged = whole;
            damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
            EXPECT_FALSE(unwrap_state(damaged)) << i << " " << bit;
        }
    }
}

TEST(WhyUntrusted, BelievesOnlyFilesOfRootAndTheCaller) {
    EXPECT_EQ(why_untrusted(S_IFREG | 0600, 0, 0), "");
    EXPECT_EQ(why_untrusted(S_IFREG | 0644, 0, 1000), "");
    EXPECT_EQ(why_untrusted(S_IFREG | 0600, 1000, 1000), "");
    EXPECT_EQ(why_untrusted(S_IFREG | 0600, 1000, 0), "belongs to user 1000");
    EXPECT_EQ(why_untrusted(S_IFREG | 0600, 1001, 1000), "belongs to user 1001");
    EXPECT_EQ(why_untrusted(S_IFREG | 0620, 0, 0), "can be written by others than its owner");
    EXPECT_EQ(why_untrusted(S_IFREG | 0602, 0, 0), "can be written by others than its owner");
    for (const mode_t type : {S_IFDIR, S_IFIFO, S_IFLNK, S_IFCHR, S_IFBLK, S_IFSOCK})
        EXPECT_EQ(why_untrusted(type | 0600, 0, 0), "is no regular file");
}

TEST_F(StateFileTest, NothingWasSaved) {
    EXPECT_EQ(file_.load().value(), std::nullopt);
    EXPECT_EQ(StateFile(root_, "no/such/directory").load().value(), std::nullopt);
}

TEST_F(StateFileTest, KeepsTheLastText) {
    for (const std::string& text : {std::string("first\n"), std::string(), std::string(100'000, 'x'), std::string("a\0b", 3)}) {
        const auto saved = file_.save(text);
        ASSERT_TRUE(saved) << saved.error().message();
        expect_text(text);
        EXPECT_EQ(names(), Names{"histogram"});
    }
    struct stat status {};
    ASSERT_EQ(::stat((tree_.path() / path).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600U);
}

TEST_F(StateFileTest, APathMayBeginWithASlashOrHaveNone) {
    ASSERT_TRUE(StateFile(root_, "/var/lib/tmm/histogram").save("absolute"));
    expect_text("absolute");
    const RootDir directory = root_.subdir("var/lib/tmm").value();
    ASSERT_TRUE(StateFile(directory, "histogram").save("name"));
    expect_text("name");
}

TEST_F(StateFileTest, WhatACrashLeftIsNoObstacle) {
    tree_.file(path + std::string(".new"), "half a te");
    ASSERT_TRUE(file_.save("whole"));
    expect_text("whole");
    EXPECT_EQ(names(), Names{"histogram"});
}

TEST_F(StateFileTest, ASymbolicLinkInTheWayOfANewFileIsNotFollowed) {
    tree_.file("elsewhere", "mine");
    fs::create_symlink(tree_.path() / "elsewhere", tree_.path() / (path + std::string(".new")));
    fs::create_symlink(tree_.path() / "elsewhere", tree_.path() / path);
    ASSERT_TRUE(file_.save("text"));
    EXPECT_EQ(tree_.text("elsewhere"), "mine");
    expect_text("text");
}

TEST_F(StateFileTest, AFullDiskLeavesTheOldFile) {
    ASSERT_TRUE(file_.save("old"));
    for (const rlim_t bytes : {0, 10, 5000}) {
        const auto saved = [&] {
            const FileSizeLimit limit(bytes);
            return file_.save(std::string(10'000, 'x'));
        }();
        ASSERT_FALSE(saved) << bytes;
        EXPECT_EQ(saved.error().code(), EFBIG);
        EXPECT_TRUE(saved.error().message().starts_with("saving " + (tree_.path() / path).string() + ": "));
        EXPECT_EQ(names(), Names{"histogram"}) << bytes;
        expect_text("old");
    }
}

TEST_F(StateFileTest, ADirectoryThatCannotBeWrittenLeavesTheOldFile) {
    ASSERT_TRUE(file_.save("old"));
    fs::permissions(tree_.path(), fs::perms{0755});
    fs::permissions(tree_.path() / "var/lib/tmm", fs::perms{0555});
    {
        const OrdinaryUser user;
        EXPECT_EQ(file_.save("new").error().code(), EACCES);
        EXPECT_EQ(file_.rename_to_bad().error().code(), EACCES);
    }
    EXPECT_EQ(names(), Names{"histogram"});
    expect_text("old");
    fs::permissions(tree_.path() / "var/lib/tmm", fs::perms{0755});
}

TEST_F(StateFileTest, OtherObstaclesAreErrorsWithoutATrace) {
    EXPECT_EQ(StateFile(root_, "no/such/directory").save("text").error().code(), ENOENT);
    tree_.dir(path + std::string("/x"));
    EXPECT_EQ(file_.save("text").error().code(), EISDIR);
    EXPECT_EQ(names(), Names{"histogram"}) << "it is still a directory";
    tree_.dir(std::string(path) + ".new/x");
    EXPECT_EQ(file_.save("text").error().code(), EEXIST);
    EXPECT_EQ(names(), (Names{"histogram", "histogram.new"})) << "tmmd must not remove it";
}

TEST_F(StateFileTest, ATextIsAtMost16MiB) {
    const std::string max_text(StateFile::max_bytes, 'x');
    ASSERT_TRUE(file_.save(max_text));
    EXPECT_TRUE(file_.load().value() == max_text);
    EXPECT_EQ(file_.save(max_text + "x").error().code(), EFBIG);
    EXPECT_TRUE(file_.load().value() == max_text);
    fs::resize_file(tree_.path() / path, StateFile::max_bytes + 65);
    EXPECT_EQ(file_.load().error().code(), EFBIG);
    EXPECT_EQ(names(), Names{"histogram"});
}

TEST_F(StateFileTest, DamagedContentNamesTheFile) {
    ASSERT_TRUE(file_.save("123456789"));
    tree_.file(path, "tmm-state 1 cbf43926 9\n12345678x");
    expect_error(EBADMSG, " is damaged (checksum)");
    tree_.file(path, "tmm-state 9 cbf43926 9\n123456789");
    expect_error(EBADMSG, " is of another version");
    tree_.file(path, "");
    expect_error(EBADMSG, " is no state file of tmmd");
}

TEST_F(StateFileTest, OnlyAnOwnRegularFileIsRead) {
    tree_.file("elsewhere", wrap_state("text"));
    const fs::path file = tree_.path() / path;
    fs::create_symlink(tree_.path() / "elsewhere", file);
    expect_error(ELOOP, " is a symbolic link");
    fs::remove(file);
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    expect_error(EPERM, " is no regular file");
    fs::remove(file);
    fs::create_directory(file);
    expect_error(EPERM, " is no regular file");
    fs::remove(file);
    ASSERT_TRUE(file_.save("text"));
    fs::permissions(file, fs::perms{0666});
    expect_error(EPERM, " can be written by others than its owner");
}

TEST_F(StateFileTest, SetsABadFileAside) {
    ASSERT_TRUE(file_.rename_to_bad()) << "there is no file";
    ASSERT_TRUE(StateFile(root_, "no/such/directory").rename_to_bad());
    for (const char* content : {"first", "second"}) {
        tree_.file(path, content);
        ASSERT_TRUE(file_.rename_to_bad());
        EXPECT_EQ(names(), Names{"histogram.bad"});
        EXPECT_EQ(tree_.text(path + std::string(".bad")), content);
    }
    EXPECT_EQ(file_.load().value(), std::nullopt);
}

}  // namespace
}  // namespace tmm::storage
