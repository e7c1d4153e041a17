// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "boinc-adapter/app/files/files.hpp"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <vector>

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
        const OverrideBackup backup{users, {quarter, {50, 90, false}, {0.01, 100, true}}, {50, 90, false}};
        EXPECT_EQ(parse_backup(format_backup(backup)).value(), backup);
    }
}

TEST(Backup, IsAnErrorIfItIsDamaged) {
    const std::string whole = format_backup({"text", {quarter, quarter}});
    for (std::size_t size = 0; size < whole.find("text"); ++size)
        EXPECT_FALSE(parse_backup(whole.substr(0, size)).has_value()) << size;
    EXPECT_FALSE(parse_backup("tmm-boinc override 3\ntold 50 90 0\ntext\n").has_value()) << "nothing was pushed";
    EXPECT_FALSE(parse_backup("tmm-boinc override 3\n10 10 1\ntext\n").has_value()) << "the client told nothing";
    EXPECT_FALSE(parse_backup("tmm-boinc override 3\n10 10 1\ntold 50 90 0\ntold 50 90 0\ntext\n").has_value());
    EXPECT_TRUE(parse_backup("tmm-boinc override 3\n10 10 1\ntold 50 90 0\ntext\n").has_value());
    EXPECT_FALSE(parse_backup("tmm-boinc override 2\n10 10 1\ntold 50 90 0\ntext\n").has_value()) << "another version";
    const OverrideBackup full{"text", std::vector<Preferences>(OverrideBackup::max_pushed, quarter)};
    EXPECT_TRUE(parse_backup(format_backup(full)).has_value());
    EXPECT_FALSE(
        parse_backup(format_backup({"text", std::vector<Preferences>(OverrideBackup::max_pushed + 1, quarter)})).has_value());
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

// As on Debian: the client owns its directory, and the adapter is another user, in the client's group. Without root's rights both
// are the user who runs the test.
class SharedDirectory : public FilesTest {
protected:
    static constexpr uid_t client = 65533;
    static constexpr uid_t adapter = 65534;

    // Acts as somebody while in scope.
    class Acting {
    public:
        explicit Acting(uid_t user, std::vector<gid_t> groups = {client}) {
            if (!is_root())
                return;
            before_.resize(static_cast<std::size_t>(::getgroups(0, nullptr)));
            EXPECT_EQ(::getgroups(static_cast<int>(before_.size()), before_.data()), static_cast<int>(before_.size()));
            EXPECT_TRUE(::setgroups(groups.size(), groups.data()) == 0 && ::setegid(user) == 0 && ::seteuid(user) == 0);
            is_acting_ = true;
        }
        Acting(const Acting&) = delete;
        Acting& operator=(const Acting&) = delete;
        ~Acting() {
            EXPECT_TRUE(!is_acting_ ||
                        (::seteuid(0) == 0 && ::setegid(0) == 0 && ::setgroups(before_.size(), before_.data()) == 0));
        }

    private:
        std::vector<gid_t> before_;
        bool is_acting_ = false;
    };

    SharedDirectory() {
        EXPECT_EQ(::chmod(tree.path().c_str(), 0755), 0);
        own("state", adapter, adapter);
        own("data", client, client);
        set_mode("data", 0775);
    }
    ~SharedDirectory() override { set_mode("data", 0755); }

    static bool is_root() { return ::geteuid() == 0; }
    void own(const char* path, uid_t user, gid_t group) {
        if (is_root()) {
            EXPECT_EQ(::chown((tree.path() / path).c_str(), user, group), 0);
        }
    }
    void set_mode(const char* path, mode_t mode) { EXPECT_EQ(::chmod((tree.path() / path).c_str(), mode), 0); }
    struct stat status(const char* path) {
        struct stat found {};
        EXPECT_EQ(::stat((tree.path() / path).c_str(), &found), 0) << path;
        return found;
    }
    // Puts the user's text there, as a client with the usual umask does.
    void make_override(mode_t mode) {
        tree.file(file, "the user's");
        own(file, client, client);
        set_mode(file, mode);
    }
    Result<void> save_as_adapter(const OverrideText& text) {
        const Acting other(adapter);
        return files().save(text);
    }
    std::vector<std::string> names_in_data() { return tree.root().list_names("data").value(); }

    static constexpr const char* file = "data/global_prefs_override.xml";
    const std::string name = (tree.path() / file).string();
    const std::string folder = (tree.path() / "data").string();
};

TEST_F(SharedDirectory, AFileThatTheAdapterMakesIsTheClientsToo) {
    std::vector<gid_t> groups(static_cast<std::size_t>(::getgroups(0, nullptr)));
    ASSERT_GE(::getgroups(static_cast<int>(groups.size()), groups.data()), 0);
    for (const gid_t group : groups) {
        if (!is_root() && group != ::getegid()) {
            ASSERT_EQ(::chown(folder.c_str(), static_cast<uid_t>(-1), group), 0);
        }
    }
    const mode_t before = ::umask(077);
    const auto saved = save_as_adapter(OverrideText("ours"));
    ::umask(before);
    ASSERT_TRUE(saved) << saved.error().message();
    EXPECT_EQ(status(file).st_gid, status("data").st_gid);
    EXPECT_EQ(status(file).st_mode & 07777, 0664U);
    const Acting other(client, {});
    EXPECT_EQ(::access(name.c_str(), R_OK | W_OK), 0);
    EXPECT_TRUE(UniqueFd(::open(name.c_str(), O_RDWR | O_CLOEXEC)));
}

TEST_F(SharedDirectory, AFileThatTheClientCouldNotWriteIsNotLeftThere) {
    set_mode("data", 0777);
    Result<void> saved;
    {
        const Acting other(adapter, {});
        saved = files().save(OverrideText("ours"));
    }
    // The client of one's own needs no group.
    EXPECT_EQ(saved.has_value(), !is_root());
    EXPECT_EQ(names_in_data().size(), is_root() ? 0U : 1U);
}

TEST_F(SharedDirectory, ThatIsClosedToTheGroupNamesTheRemedy) {
    set_mode("data", 0555);
    const auto saved = save_as_adapter(OverrideText("ours"));
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().code(), EACCES);
    EXPECT_EQ(saved.error().message(), "tmm-boinc may not make or remove files in " + folder + "; as root, 'chgrp boinc " +
                                           folder + "' and 'chmod g+w " + folder + "' let it");
    EXPECT_TRUE(save_as_adapter(OverrideText())) << "nothing is there";
    set_mode("data", 0775);
    ASSERT_TRUE(save_as_adapter(OverrideText("ours")));
    set_mode("data", 0555);
    const auto removed = save_as_adapter(OverrideText());
    ASSERT_FALSE(removed);
    EXPECT_EQ(removed.error().message(), saved.error().message());
}

TEST_F(SharedDirectory, AFileThatTheClientMadeIsReplaced) {
    make_override(0644);
    for (const std::string& text : {std::string("ours, and longer than the user's"), std::string("x\r\n\0 ", 5), std::string()}) {
        const auto saved = save_as_adapter(OverrideText(text));
        ASSERT_TRUE(saved) << saved.error().message();
        EXPECT_EQ(tree.text(file), text);
        EXPECT_EQ(names_in_data().size(), 1U) << "nothing else is left";
    }
    if (is_root()) {
        EXPECT_EQ(status(file).st_uid, adapter);
        EXPECT_EQ(status(file).st_gid, client);
        EXPECT_EQ(status(file).st_mode & 07777, 0664U);
    }
    ASSERT_TRUE(save_as_adapter(OverrideText()));
    EXPECT_TRUE(names_in_data().empty());
}

TEST_F(SharedDirectory, AnUnfinishedReplacementIsNoObstacle) {
    make_override(0644);
    tree.file("data/global_prefs_override.xml.tmm-boinc", "half of");
    own("data/global_prefs_override.xml.tmm-boinc", adapter, client);
    ASSERT_TRUE(save_as_adapter(OverrideText("ours")));
    EXPECT_EQ(tree.text(file), "ours");
    EXPECT_EQ(names_in_data().size(), is_root() ? 1U : 2U) << "in place it needs no other file";
}

TEST_F(SharedDirectory, AFileThatCannotBeReplacedNamesTheRemedyAndStays) {
    const std::string remedy =
        "tmm-boinc may not write to " + name + "; as root, 'chgrp boinc " + name + "' and 'chmod g+w " + name + "' let it";
    const auto expect_kept = [&](const char* what) {
        const auto saved = save_as_adapter(OverrideText("ours"));
        ASSERT_FALSE(saved) << what;
        EXPECT_EQ(saved.error().code(), EACCES) << what;
        EXPECT_EQ(saved.error().message(), remedy) << what;
        EXPECT_EQ(tree.text(file), "the user's") << what;
    };
    make_override(0444);
    expect_kept("its owner closed it");
    make_override(0644);
    if (is_root()) {
        own(file, 0, 0);
        expect_kept("it is an administrator's");
        own(file, client, client);
        fs::create_hard_link(name, tree.path() / "second");
        expect_kept("it has a second name");
        fs::remove(tree.path() / "second");
        set_mode("data", 0755);
        expect_kept("Debian's directory is closed to the group");
        EXPECT_EQ(names_in_data().size(), 1U);
    }
}

TEST_F(SharedDirectory, ALinkToAFileThatCannotBeWrittenStays) {
    tree.file("etc/override.xml", "the user's");
    set_mode("etc/override.xml", 0444);
    fs::create_symlink("../etc/override.xml", name);
    const auto saved = save_as_adapter(OverrideText("ours"));
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message().find("'chmod g+w " + name + "'"), std::string::npos) << saved.error().message();
    EXPECT_TRUE(fs::is_symlink(name));
    EXPECT_EQ(tree.text("etc/override.xml"), "the user's");
}

TEST_F(SharedDirectory, ALinkWithoutAFileStaysAndNothingIsMadeThere) {
    const auto target = tree.dir("etc").path() / "etc/override.xml";
    own("etc", adapter, adapter);
    fs::create_symlink(target, name);
    EXPECT_EQ(files().load().value(), OverrideText());
    const auto saved = save_as_adapter(OverrideText("ours"));
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().message(),
              name + " is a link to " + target.string() + ", which is not there; as root, remove the link or make the file");
    const auto restored = save_as_adapter(OverrideText());
    EXPECT_TRUE(restored) << restored.error().message();
    EXPECT_EQ(fs::read_symlink(name), target);
    EXPECT_FALSE(fs::exists(target));
}

TEST_F(SharedDirectory, AFileOfTheAdaptersThatAnUpgradeMovedBehindALinkLosesItsPreferences) {
    ASSERT_TRUE(save_as_adapter(OverrideText("ours")));
    tree.dir("etc");
    fs::rename(name, tree.path() / "etc/override.xml");
    fs::create_symlink("../etc/override.xml", name);
    ASSERT_TRUE(save_as_adapter(OverrideText()));
    EXPECT_TRUE(fs::is_symlink(name));
    EXPECT_EQ(tree.text("etc/override.xml"), "<global_preferences>\n</global_preferences>\n");
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
