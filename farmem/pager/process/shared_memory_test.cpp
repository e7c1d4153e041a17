// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/pager/process/shared_memory.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace tmm::far {
namespace {

TEST(SharedMemoryTest, WhoIsGivenItCannotTakeItAway) {
    const auto memory = SharedMemory::make("test", 8192);
    ASSERT_TRUE(memory) << memory.error().message();
    EXPECT_NE(::ftruncate(memory->fd(), 0), 0);
    EXPECT_NE(::ftruncate(memory->fd(), 1 << 30), 0);
    memory->data()[4096] = 1;
}

}  // namespace
}  // namespace tmm::far
