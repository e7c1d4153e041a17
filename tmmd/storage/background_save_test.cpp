// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/storage/background_save.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "base/temp_tree.hpp"

namespace tmm::storage {
namespace {

class BackgroundSaveTest : public testing::Test {
protected:
    BackgroundSaveTest() { tree_.dir("state"); }

    std::string saved() const {
        const auto text = StateFile(root_, "state/file").load();
        return text && *text ? **text : "";
    }
    // Waits for the save under way.
    static Result<void> result_of(BackgroundSave& save) {
        for (;;) {
            if (auto result = save.take_result())
                return *std::move(result);
            ::usleep(1000);
        }
    }

    TempTree tree_;
    RootDir root_ = tree_.root();
    BackgroundSave save_{StateFile(root_, "state/file")};
};

TEST_F(BackgroundSaveTest, SavesAndTellsSoOnce) {
    EXPECT_FALSE(save_.take_result()) << "nothing has begun";
    save_.begin("learned");
    EXPECT_TRUE(result_of(save_));
    EXPECT_EQ(saved(), "learned");
    EXPECT_FALSE(save_.take_result());
}

TEST_F(BackgroundSaveTest, TellsWhyItFailed) {
    std::filesystem::remove_all(tree_.path() / "state");
    save_.begin("learned");
    const auto result = result_of(save_);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code(), ENOENT);
}

TEST_F(BackgroundSaveTest, BeginsNoSecondSaveMeanwhile) {
    BackgroundSave slow(StateFile(root_, "state/file"), std::launch::deferred);
    slow.begin("first");
    slow.begin("second");
    EXPECT_EQ(saved(), "");
    EXPECT_TRUE(slow.take_result());
    EXPECT_EQ(saved(), "first");
}

TEST_F(BackgroundSaveTest, TheLastTextIsTheOneThatIsKept) {
    save_.begin("first");
    EXPECT_TRUE(save_.finish("last"));
    EXPECT_EQ(saved(), "last");
    EXPECT_FALSE(save_.take_result());
}

}  // namespace
}  // namespace tmm::storage
