// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "gnuplot_session.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

// A program that reads a session's commands; stands in for gnuplot.
class Script {
public:
    explicit Script(const std::string& text) {
        tree_.file("program", "#!/bin/sh\n" + text);
        ::chmod(path().c_str(), 0755);
    }
    [[nodiscard]] std::string path() const { return (tree_.path() / "program").string(); }

private:
    TempTree tree_;
};

TEST(GnuplotSession, WaitsForTheMarkAndForNothingElse) {
    const Script script("while read -r line; do echo other; echo marker; echo \"$line\"; done\n");
    auto session = GnuplotSession::start(script.path());
    ASSERT_TRUE(session) << session.error().message();
    EXPECT_TRUE(session->run("mark\n", "mark"));
    EXPECT_TRUE(session->run("again\n", "again")) << "what an earlier answer left behind is skipped";
}

TEST(GnuplotSession, TheMarkMayArriveInPieces) {
    const Script script("read -r line; printf ma; printf 'rk\\nrest'; read -r line; echo; echo two\n");
    auto session = GnuplotSession::start(script.path());
    ASSERT_TRUE(session);
    EXPECT_TRUE(session->run("x\n", "mark"));
    EXPECT_TRUE(session->run("x\n", "two"));
}

TEST(GnuplotSession, AnEndedProgramIsAnError) {
    const Script script("read -r line\n");
    auto session = GnuplotSession::start(script.path());
    ASSERT_TRUE(session);
    const auto result = session->run("plot\n", "mark");
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().message(), "gnuplot has ended: its messages are on standard error");
    EXPECT_FALSE(session->run("plot\n", "mark"));
}

TEST(GnuplotSession, AMissingProgramIsAnErrorThatNamesIt) {
    const auto session = GnuplotSession::start("/nonexistent/gnuplot");
    ASSERT_FALSE(session);
    EXPECT_NE(session.error().message().find("cannot start /nonexistent/gnuplot"), std::string::npos);
}

}  // namespace
}  // namespace tmm::desk
