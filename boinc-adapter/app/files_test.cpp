// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm::boinc {
namespace {

namespace fs = std::filesystem;

constexpr Preferences quarter{.busy_percent = 25, .idle_percent = 12.5, .leave_in_memory = true};

class FilesTest : public testing::Test {
protected:
    FilesTest() { tree.dir("data").dir("state"); }
    Files files() { return {tree.root().subdir("data").value(), tree.root().subdir("state").value()}; }

    TempTree tree;
};

TEST(Backup, SurvivesItsText) {
    for (const OverrideText& users :
         {OverrideText(), OverrideText(""), OverrideText("text\nnone\n\n <x/>  "), OverrideText("a\r\n")}) {
        OverrideBackup backup{users, {quarter, {50, 90, false}, {0.01, 100, true}}};
        EXPECT_EQ(parse_backup(format_backup(backup)).value(), backup);
        backup.told = {50, 90, false};
        EXPECT_EQ(parse_backup(format_backup(backup)).value(), backup);
    }
}

TEST(Backup, IsAnErrorIfItIsDamaged) {
    const std::string whole = format_backup({"text", {quarter, quarter}});
    for (std::size_t size = 0; size < whole.find("text"); ++size)
        EXPECT_FALSE(parse_backup(whole.substr(0, size)).has_value()) << size;
    EXPECT_FALSE(parse_backup("tmm-boinc override 2\ntext\n").has_value()) << "nothing was pushed";
    const OverrideBackup full{"text", std::vector<Preferences>(OverrideBackup::max_pushed, quarter)};
    EXPECT_TRUE(parse_backup(format_backup(full)).has_value());
    EXPECT_FALSE(
        parse_backup(format_backup({"text", std::vector<Preferences>(OverrideBackup::max_pushed + 1, quarter)})).has_value());
}

TEST(Backup, OfTheFirstVersionIsReadToo) {
    const OverrideBackup backup{"text\n", {{10, 10, true}, {12.5, 12.5, true}}};
    EXPECT_EQ(parse_backup("tmm-boinc override 1\n10 10 1\n12.5 12.5 1\ntext\ntext\n").value(), backup);
}

TEST(State, SurvivesItsTextWithAnyName) {
    SavedState state;
    state.held = {{"http://a/", "b"}, {"http://a b/\t%", "line\nend %41 \x7f"}, {"u", "%"}};
    for (const bool stopped : {false, true}) {
        state.has_stopped = stopped;
        EXPECT_EQ(parse_state(format_state(state)).value(), state);
    }
    EXPECT_EQ(parse_state(format_state({})).value(), SavedState());
}

TEST(State, IsAnErrorIfItIsDamaged) {
    for (const char* text :
         {"", "other\n", "tmm-boinc state 1\nmore\n", "tmm-boinc state 1\nheld u n%4\n", "tmm-boinc state 1\nheld u %zz\n"})
        EXPECT_EQ(parse_state(text).error().code(), EINVAL) << text;
}

TEST_F(FilesTest, TheOverrideIsWrittenThroughALinkByteForByte) {
    tree.file("etc/override.xml", "a long text of the user's");
    fs::create_symlink(tree.path() / "etc/override.xml", tree.path() / "data/global_prefs_override.xml");
    Files opened = files();
    EXPECT_EQ(opened.load().value(), OverrideText("a long text of the user's"));
    for (const char* text : {"short", "a text that is much longer than the one before it", ""}) {
        ASSERT_TRUE(opened.save(OverrideText(text)));
        EXPECT_EQ(tree.text("etc/override.xml"), text);
    }
    EXPECT_TRUE(fs::is_symlink(tree.path() / "data/global_prefs_override.xml"));
}

TEST_F(FilesTest, AnOverrideThatWasNotThereIsRemovedAgain) {
    Files opened = files();
    EXPECT_EQ(opened.load().value(), OverrideText());
    ASSERT_TRUE(opened.save(OverrideText("ours")));
    ASSERT_TRUE(opened.save(OverrideText()));
    EXPECT_FALSE(fs::exists(tree.path() / "data/global_prefs_override.xml"));
    EXPECT_TRUE(opened.save(OverrideText()));
}

TEST_F(FilesTest, ANamedPipeStopsNothing) {
    for (const char* name : {"data/gui_rpc_auth.cfg", "data/global_prefs_override.xml"})
        ASSERT_EQ(::mkfifo((tree.path() / name).c_str(), 0666), 0);
    Files opened = files();
    EXPECT_EQ(opened.load().error().code(), EINVAL);
    EXPECT_EQ(opened.read_password().error().code(), EINVAL);
    EXPECT_EQ(opened.save(OverrideText("text")).error().code(), ENXIO);
    const UniqueFd reader(::open((tree.path() / "data/global_prefs_override.xml").c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
    EXPECT_EQ(opened.save(OverrideText("text")).error().code(), EINVAL);
}

TEST_F(FilesTest, ALinkToItsOwnFilesIsNotWrittenThrough) {
    const auto link = tree.path() / "data/global_prefs_override.xml";
    Files opened = files();
    ASSERT_TRUE(opened.save_state({}));
    const std::string before = tree.text("state/state");
    fs::create_symlink("../state/state", link);
    EXPECT_EQ(opened.save(OverrideText("text")).error().code(), ELOOP);
    EXPECT_EQ(tree.text("state/state"), before);
    fs::remove(link);
    fs::create_symlink("../state/override", link);
    EXPECT_FALSE(opened.save(OverrideText("text")).has_value());
    EXPECT_FALSE(fs::exists(tree.path() / "state/override"));
}

TEST_F(FilesTest, KeepsBackupAndStateForTheNextAdapter) {
    const OverrideBackup backup{"text", {quarter}};
    SavedState state;
    state.held = {{"u", "n"}};
    {
        Files first = files();
        EXPECT_FALSE(first.load_backup().value());
        EXPECT_EQ(first.load_state().value(), SavedState());
        ASSERT_TRUE(first.save_backup(backup));
        ASSERT_TRUE(first.save_state(state));
    }
    Files next = files();
    EXPECT_EQ(next.load_backup().value(), backup);
    EXPECT_EQ(next.load_state().value(), state);
    ASSERT_TRUE(next.erase_backup());
    EXPECT_TRUE(next.erase_backup());
    EXPECT_FALSE(next.load_backup().value());
}

TEST_F(FilesTest, ReadsThePasswordWithoutItsLineEnd) {
    Files opened = files();
    EXPECT_EQ(opened.read_password().value(), "");
    tree.file("data/gui_rpc_auth.cfg", "secret\n");
    EXPECT_EQ(opened.read_password().value(), "secret");
    tree.file("data/gui_rpc_auth.cfg", "\n");  // Debian's
    EXPECT_EQ(opened.read_password().value(), "");
}

}  // namespace
}  // namespace tmm::boinc
