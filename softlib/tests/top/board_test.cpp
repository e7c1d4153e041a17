// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/counters/board.hpp"

#include <fstream>
#include <string>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/soft_test.hpp"

namespace soft::detail {
namespace {

// Finds the board as softlib-top does.
const Board* board_of_this_process() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
        if (line.find(Board::mapping_name) != std::string::npos) {
            return reinterpret_cast<const Board*>(std::stoull(line, nullptr, 16));
        }
    }
    return nullptr;
}

const Slot* slot_of(const std::string& name) {
    for (const Slot& slot : board_of_this_process()->slots) {
        if (slot.kind != Slot::Kind::free && name == slot.name.data()) {
            return &slot;
        }
    }
    return nullptr;
}

using BoardTest = SoftTest;

TEST_F(BoardTest, APoolsCountersCanBeFoundFromOutside) {
    pool<int> numbers(heap, "numbers on the board", [] { return 1; });
    ASSERT_NE(board_of_this_process(), nullptr);
    EXPECT_EQ(board_of_this_process()->magic, Board::right_magic);
    const Slot* slot = slot_of("numbers on the board");
    ASSERT_NE(slot, nullptr);
    EXPECT_EQ(slot->kind, Slot::Kind::pool);
    const auto number = numbers.make();
    number.read();
    EXPECT_EQ(slot->of_pool.objects, 1U);
    EXPECT_EQ(slot->of_pool.rebuilds, 1U);
}

TEST_F(BoardTest, ASlotIsUsedAgain) {
    {
        const pool<int> numbers(heap, "short", [] { return 1; });
        EXPECT_NE(slot_of("short"), nullptr);
    }
    EXPECT_EQ(slot_of("short"), nullptr);
}

TEST_F(BoardTest, ALongNameIsCut) {
    const pool<int> numbers(heap, std::string(100, 'n'), [] { return 1; });
    EXPECT_NE(slot_of(std::string(sizeof(Slot::name) - 1, 'n')), nullptr);
}

TEST_F(BoardTest, PoolsBeyondTheBoardCountForThemselves) {
    std::vector<std::unique_ptr<pool<int>>> pools;
    for (std::size_t i = 0; i < Board::max_slots + 10; ++i) {
        pools.push_back(std::make_unique<pool<int>>(heap, "many", [] { return 1; }));
    }
    const auto number = pools.back()->make();
    number.read();
    EXPECT_EQ(pools.back()->statistics().rebuilds, 1U);
}

}  // namespace
}  // namespace soft::detail
