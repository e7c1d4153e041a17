// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/options.hpp"

#include <gtest/gtest.h>

namespace tmm {
namespace {

class Line {
public:
    Line(std::initializer_list<const char*> words) : words_{"maketransparent"} {
        words_.insert(words_.end(), words.begin(), words.end());
        for (std::string& word : words_)
            argv_.push_back(word.data());
        argv_.push_back(nullptr);
    }
    Result<Options> parse() { return parse_options(static_cast<int>(words_.size()), argv_.data()); }

private:
    std::vector<std::string> words_;
    std::vector<char*> argv_;
};

std::string error_of(std::initializer_list<const char*> words) {
    Line line(words);
    const auto options = line.parse();
    return options ? "(none)" : options.error().message();
}

TEST(Options, RunsTheRestOfTheLine) {
    Line line{"-n", "scene", "povray", "-n", "x", "--help"};
    const auto options = line.parse();
    ASSERT_TRUE(options) << options.error().message();
    EXPECT_EQ(options->action, Action::run);
    EXPECT_EQ(options->name, "scene");
    EXPECT_STREQ(options->command[0], "povray");
    EXPECT_STREQ(options->command[3], "--help");
    EXPECT_EQ(options->command[4], nullptr);
}

TEST(Options, CommandMayLookLikeAnOptionAfterDashes) {
    Line line{"--", "-p", "1"};
    const auto options = line.parse();
    ASSERT_TRUE(options);
    EXPECT_EQ(options->action, Action::run);
    EXPECT_STREQ(options->command[0], "-p");
}

TEST(Options, MarksProcesses) {
    Line line{"--cgroup=/sys/fs/cgroup/x", "--dry-run", "-v", "-p", "12", "4194304"};
    const auto options = line.parse();
    ASSERT_TRUE(options);
    EXPECT_EQ(options->action, Action::mark);
    EXPECT_EQ(options->pids, (std::vector<pid_t>{12, 4194304}));
    EXPECT_EQ(options->cgroup_dir, "/sys/fs/cgroup/x");
    EXPECT_TRUE(options->dry_run);
    EXPECT_TRUE(options->verbose);
}

TEST(Options, ReleasesNamesAndProcesses) {
    Line line{"--user", "--release", "povray", "12"};
    const auto options = line.parse();
    ASSERT_TRUE(options);
    EXPECT_EQ(options->action, Action::release);
    EXPECT_EQ(options->manager, Manager::user);
    EXPECT_EQ(options->targets, (std::vector<std::string>{"povray", "12"}));
}

TEST(Options, HelpAndVersionWin) {
    Line help{"-p", "--help"};
    EXPECT_EQ(help.parse()->action, Action::help);
    Line version{"--version"};
    EXPECT_EQ(version.parse()->action, Action::version);
}

TEST(Options, NamesTheWordThatIsWrong) {
    EXPECT_NE(error_of({}).find("no command"), std::string::npos);
    EXPECT_NE(error_of({"--"}).find("no command"), std::string::npos);
    EXPECT_NE(error_of({"-x", "cmd"}).find("'-x'"), std::string::npos);
    EXPECT_NE(error_of({"-lx"}).find("'-x'"), std::string::npos);
    EXPECT_NE(error_of({"--nonsense", "cmd"}).find("'--nonsense'"), std::string::npos);
    EXPECT_NE(error_of({"--list=3"}).find("'--list=3'"), std::string::npos);
    EXPECT_NE(error_of({"-n"}).find("'-n' needs a value"), std::string::npos);
    EXPECT_NE(error_of({"--cgroup"}).find("'--cgroup' needs a value"), std::string::npos);
    EXPECT_NE(error_of({"--cgroup=", "cmd"}).find("needs a directory"), std::string::npos);
    EXPECT_NE(error_of({"-n", "a/b", "cmd"}).find("'a/b'"), std::string::npos);
    EXPECT_NE(error_of({"-p"}).find("process id"), std::string::npos);
    EXPECT_NE(error_of({"-p", "12", "-n", "x"}).find("'-n' is no process id"), std::string::npos);
    EXPECT_NE(error_of({"--release"}).find("needs at least one"), std::string::npos);
    EXPECT_NE(error_of({"--release", "a b"}).find("'a b'"), std::string::npos);
    EXPECT_NE(error_of({"--list", "x"}).find("'x'"), std::string::npos);
    EXPECT_NE(error_of({"--list", "-p", "1"}).find("only one of"), std::string::npos);
    EXPECT_NE(error_of({"--user", "--system", "cmd"}).find("exclude"), std::string::npos);
    EXPECT_NE(error_of({"--user", "--cgroup", "/x", "cmd"}).find("without systemd"), std::string::npos);
}

TEST(ParsePid, RefusesWhatIsNone) {
    for (const char* text : {"", "0", "-1", "+1", "1x", "4194305", "18446744073709551617", "99999999999999999999999", "one"})
        EXPECT_FALSE(parse_pid(text)) << text;
    EXPECT_EQ(*parse_pid("1"), 1);
}

}  // namespace
}  // namespace tmm
