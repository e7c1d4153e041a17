// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "interaction_recorder.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm::desk {
namespace {

TEST(InteractionRecorder, WritesAHeaderAndOneRowASecond) {
    const TempTree tree;
    auto recorder = InteractionRecorder::create((tree.path() / "log").string());
    ASSERT_TRUE(recorder) << recorder.error().message();
    EXPECT_EQ(tree.text("log"), LatencyLog::header);
    recorder->begin();
    recorder->end();
    recorder->finish();
    const std::string text = tree.text("log");
    EXPECT_TRUE(text.starts_with(LatencyLog::header));
    EXPECT_NE(text.find(",1,"), std::string::npos) << text;
}

TEST(InteractionRecorder, WithoutAPathItWritesNothing) {
    auto recorder = InteractionRecorder::create("");
    ASSERT_TRUE(recorder);
    recorder->begin();
    recorder->end();
    recorder->finish();
}

TEST(InteractionRecorder, AFileThatCannotBeMadeIsAnErrorThatNamesIt) {
    EXPECT_NE(InteractionRecorder::create("/nonexistent/log").error().message().find("/nonexistent/log"), std::string::npos);
    EXPECT_NE(tell_ready("/nonexistent/ready").error().message().find("/nonexistent/ready"), std::string::npos);
}

TEST(InteractionRecorder, TellsReadyByAFile) {
    const TempTree tree;
    EXPECT_TRUE(tell_ready(""));
    EXPECT_TRUE(tell_ready((tree.path() / "ready").string()));
    EXPECT_TRUE(std::filesystem::exists(tree.path() / "ready"));
}

}  // namespace
}  // namespace tmm::desk
