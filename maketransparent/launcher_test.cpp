// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/launcher.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

// Moves all processes, or none.
class FakePlacement : public Placement {
public:
    Result<PlacementResult> contribute(const std::string& /*name*/, const std::vector<pid_t>& pids) override {
        return move(pids);
    }
    Result<PlacementResult> release(const std::string& /*name*/, const std::vector<pid_t>& pids) override { return move(pids); }
    Result<std::vector<Contribution>> list() override {
        return std::vector<Contribution>{{.name = "science", .cgroup = "/science", .pids = {::getpid()}, .memory_bytes = {}}};
    }
    [[nodiscard]] std::string describe(const std::string& name) const override { return name; }

    bool moves = true;

private:
    [[nodiscard]] Result<PlacementResult> move(const std::vector<pid_t>& pids) const {
        PlacementResult placed;
        for (const pid_t pid : pids)
            placed.processes.push_back({pid, moves ? std::optional<Error>() : Error(EPERM, "it stays")});
        return placed;
    }
};

// The process to mark is this one, so that it is alive.
class LauncherTest : public testing::Test {
protected:
    LauncherTest() {
        const std::string user = std::to_string(::geteuid());
        tree_.file(process_ + "/stat", std::to_string(::getpid()) + " (program) S 1 1 1 0 -1 4194304 0 0\n");
        tree_.file(process_ + "/status", "Name:\tprogram\nTgid:\t" + std::to_string(::getpid()) + "\nUid:\t" + user + "\t" +
                                             user + "\t" + user + "\t" + user + "\nVmRSS:\t4 kB\n");
        tree_.file(process_ + "/cgroup", "0::/user.slice\n");
        tree_.file("proc/self/oom_score_adj", "200\n");
        options_.pids = {::getpid()};
        options_.targets = {"science"};
    }

    [[nodiscard]] std::string score() const { return tree_.text(process_ + "/oom_score_adj").substr(0, 3); }
    Launcher launcher() { return {root_, log_, placement_}; }

    const std::string process_ = "proc/" + std::to_string(::getpid());
    TempTree tree_;
    RootDir root_ = tree_.root();
    const Log log_{"maketransparent", LogLevel::error, false};
    FakePlacement placement_;
    Options options_;
};

TEST_F(LauncherTest, AMarkedProcessIsKilledBeforeTheOwners) {
    tree_.file(process_ + "/oom_score_adj", "200\n");
    EXPECT_EQ(launcher().mark(options_), 0);
    EXPECT_EQ(score(), "900");
    EXPECT_EQ(launcher().release(options_), 0);
    EXPECT_EQ(score(), "200") << "as the caller, since it is the owner's again";
}

TEST_F(LauncherTest, AProcessThatWasNotMovedKeepsItsScore) {
    tree_.file(process_ + "/oom_score_adj", "0\n");
    placement_.moves = false;
    EXPECT_EQ(launcher().mark(options_), exit_own_error);
    EXPECT_EQ(score().substr(0, 1), "0");
    tree_.file(process_ + "/oom_score_adj", "900\n");
    EXPECT_EQ(launcher().release(options_), exit_own_error);
    EXPECT_EQ(score(), "900");
}

TEST_F(LauncherTest, TheNameOfAProcessCannotDriveTheTerminal) {
    tree_.file(process_ + "/stat", std::to_string(::getpid()) + " (\033[2J) S 1 1 1 0 -1 4194304 0 0\n");
    options_.dry_run = true;
    testing::internal::CaptureStdout();
    EXPECT_EQ(launcher().mark(options_), 0);
    EXPECT_EQ(launcher().release(options_), 0);
    const std::string said = testing::internal::GetCapturedStdout();
    EXPECT_EQ(said.find('\033'), std::string::npos) << said;
    EXPECT_NE(said.find("(\\x1b[2J) ordinary again"), std::string::npos) << said;
}

TEST_F(LauncherTest, AScoreThatCannotBeSetIsNoError) {
    EXPECT_EQ(launcher().mark(options_), 0);
    EXPECT_EQ(launcher().release(options_), 0);
}

}  // namespace
}  // namespace tmm
