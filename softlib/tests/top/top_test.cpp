// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "softlib/pool.hpp"
#include "tests/soft_test.hpp"
#include "top/processes.hpp"
#include "top/table.hpp"

namespace soft::top {
namespace {

using namespace std::chrono_literals;

constexpr const char* maps =
    "55d0c0000000-55d0c0001000 r--p 00000000 08:01 1 /usr/bin/program\n"
    "7f1234560000-7f1234571000 rw-p 00000000 00:01 42 /memfd:softlib-board (deleted)\n";

TEST(FindBoard, ItsLineSaysWhereItIs) {
    EXPECT_EQ(find_board(maps), 0x7f1234560000U);
    EXPECT_EQ(find_board("7f-8f rw-p 00000000 00:01 42 /memfd:softlib-board (deleted)"), 0x7fU);
}

TEST(FindBoard, ManyProcessesHaveNone) {
    EXPECT_EQ(find_board(""), std::nullopt);
    EXPECT_EQ(find_board("55d0c0000000-55d0c0001000 r--p 00000000 08:01 1 /usr/bin/program\n"), std::nullopt);
    EXPECT_EQ(find_board("zz /memfd:softlib-board (deleted)"), std::nullopt);
}

TEST(HeapsOf, PoolsAreWithTheirHeaps) {
    detail::Board board;
    board.slots[3].kind = detail::Slot::Kind::heap;
    board.slots[3].heap_id = 7;
    board.slots[3].of_heap.limit_bytes = 1000;
    board.slots[3].of_heap.base_address = 0x1000;
    board.slots[3].of_heap.reserved_bytes = 0x1000;
    board.slots[0].kind = detail::Slot::Kind::pool;
    board.slots[0].heap_id = 7;
    board.slots[0].name = {'b', 'e', '\033', '!'};
    board.slots[0].of_pool.rebuild_ns = 5;
    board.slots[1].kind = detail::Slot::Kind::pool;
    board.slots[1].heap_id = 8;
    const auto heaps = heaps_of(board, "1000-2000 rw-p\nLazyFree: 4 kB\n");
    ASSERT_EQ(heaps.size(), 1U);
    EXPECT_EQ(heaps[0].limit_bytes, 1000U);
    EXPECT_EQ(heaps[0].mapped.lazy_free_bytes, 4096U);
    ASSERT_EQ(heaps[0].pools.size(), 1U);
    EXPECT_EQ(heaps[0].pools[0].name, "be?!");
    EXPECT_EQ(heaps[0].pools[0].statistics.rebuild_time, 5ns);
}

TEST(HeapsOf, ANameWithoutAnEndIsRead) {
    detail::Board board;
    board.slots[0].kind = detail::Slot::Kind::heap;
    board.slots[1].kind = detail::Slot::Kind::pool;
    board.slots[1].name.fill('n');
    EXPECT_EQ(heaps_of(board, "").at(0).pools.at(0).name.size(), sizeof(detail::Slot::name));
}

TEST(InBinaryUnits, NumbersAreShort) {
    EXPECT_EQ(in_binary_units(0), "0");
    EXPECT_EQ(in_binary_units(1023), "1023");
    EXPECT_EQ(in_binary_units(1024), "1.0K");
    EXPECT_EQ(in_binary_units(1536), "1.5K");
    EXPECT_EQ(in_binary_units((1U << 20) - 1), "1.0M");
    EXPECT_EQ(in_binary_units(UINT64_MAX), "16384.0P");
}

Snapshot with_pool(std::uint64_t hits, std::uint64_t misses) {
    Pool pool{"thumbnails", {}};
    pool.statistics.hits = hits;
    pool.statistics.misses = misses;
    pool.statistics.pinned_bytes = 1536;
    return {{{42, "viewer", {{1, 2048, 1024, 512, 1024, {}, {pool}}}, ""}}, 0};
}

TEST(Table, RatesAreOfTheTimeSinceTheLastTable) {
    const std::string text = table(with_pool(400, 120), with_pool(100, 20), 2s);
    EXPECT_NE(text.find("thumbnails                 0    1.5K       150   25.0"), std::string::npos) << text;
    EXPECT_NE(text.find("42 viewer"), std::string::npos) << text;
}

TEST(Table, WhatIsSeenForTheFirstTimeHasNoRates) {
    const std::string text = table(with_pool(400, 120), {}, 2s);
    EXPECT_NE(text.find("thumbnails                 0    1.5K         0    0.0"), std::string::npos) << text;
}

TEST(Table, APoolThatCountsFromTheStartAgainHasNoNegativeRates) {
    const std::string text = table(with_pool(4, 1), with_pool(400, 120), 2s);
    EXPECT_NE(text.find("thumbnails                 0    1.5K         0    0.0"), std::string::npos) << text;
}

TEST(Table, SaysIfTheKernelCannotTakeWhatItWasOffered) {
    const auto shown = [](std::uint64_t offered_mb, std::size_t resident_mb, std::size_t lazy_free_mb) {
        const detail::MappedMemory mapped{resident_mb * mebibyte, lazy_free_mb * mebibyte, 0};
        return table({{{42, "viewer", {{1, 80 * mebibyte, 70 * mebibyte, 0, offered_mb * mebibyte, mapped, {}}}, ""}}, 0}, {},
                     2s);
    };
    constexpr const char* warning = "offered";
    // 6 MB are being filled.
    EXPECT_EQ(shown(64, 70, 64).find(warning), std::string::npos);
    EXPECT_EQ(shown(64, 10, 4).find(warning), std::string::npos);
    EXPECT_EQ(shown(0, 70, 0).find(warning), std::string::npos);
    EXPECT_NE(shown(64, 70, 0).find("! the kernel was offered 64.0M that it cannot take"), std::string::npos);
}

TEST(Table, WhatCannotBeSeenIsSaid) {
    EXPECT_NE(table({}, {}, 2s).find("No process has soft memory"), std::string::npos);
    EXPECT_NE(table({{}, 3}, {}, 2s).find("3 processes may not be read"), std::string::npos);
    EXPECT_NE(table({{{42, "viewer", {}, "may not be read"}}, 0}, {}, 2s).find("42 viewer          may not be read"),
              std::string::npos);
}

using PollProcessesTest = SoftTest;

TEST_F(PollProcessesTest, ThisProcessIsSeen) {
    pool<int> numbers(heap, "seen from outside", [] { return 1; });
    const auto number = numbers.make();
    number.read();
    const Snapshot snapshot = poll_processes(getpid());
    ASSERT_EQ(snapshot.processes.size(), 1U);
    if (snapshot.processes[0].trouble == std::strerror(ENOSYS)) {
        GTEST_SKIP() << "no process_vm_readv(2) here";
    }
    ASSERT_EQ(snapshot.processes[0].trouble, "");
    bool seen = false;
    for (const HeapOfProcess& one : snapshot.processes[0].heaps) {
        for (const Pool& pool : one.pools) {
            seen = seen || (pool.name == "seen from outside" && pool.statistics.rebuilds == 1);
        }
    }
    EXPECT_TRUE(seen);
}

}  // namespace
}  // namespace soft::top
