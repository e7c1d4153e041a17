// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/result.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

namespace tmm {
namespace {

TEST(Result, HoldsAValueOrAnError) {
    const Result<int> value = 7;
    ASSERT_TRUE(value);
    EXPECT_EQ(*value, 7);

    const Result<int> error = Error(ENOENT, "gone");
    ASSERT_FALSE(error);
    EXPECT_EQ(error.error().code(), ENOENT);
    EXPECT_EQ(error.error().message(), "gone");
}

TEST(Result, MovesOutWhatCannotBeCopied) {
    Result<std::unique_ptr<int>> result = std::make_unique<int>(3);
    const std::unique_ptr<int> taken = *std::move(result);
    EXPECT_EQ(*taken, 3);
}

TEST(Result, VoidIsAValueUnlessGivenAnError) {
    EXPECT_TRUE(Result<void>());
    EXPECT_FALSE(Result<void>(Error(EIO, "disk")));
}

TEST(Result, WrongAlternativeAborts) {
    EXPECT_DEATH((void)Result<int>(Error(EIO, "disk")).value(), "");
    EXPECT_DEATH((void)Result<int>(1).error(), "");
}

TEST(Error, ContextGoesInFront) {
    const Error error = Error::from_errno(ENOENT, "/a/b").with_context("reading the limits");
    EXPECT_EQ(error.code(), ENOENT);
    EXPECT_EQ(error.message(), "reading the limits: /a/b: No such file or directory");
}

}  // namespace
}  // namespace tmm
