// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Soft memory in a process with few addresses (RLIMIT_AS, `ulimit -v`). Each test limits a child.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "softlib/heap.hpp"
#include "softlib/pool.hpp"
#include "softlib/softlib.h"
#include "tests/blocks.hpp"
#include "tests/mebibyte.hpp"

namespace soft {
namespace {

std::string text_of(std::size_t letters) {
    return std::string(letters, 'x');
}

// The soft limit alone, so that it can be lifted again.
void allow_addresses(std::size_t bytes) {
    rlimit limit{};
    getrlimit(RLIMIT_AS, &limit);
    limit.rlim_cur = bytes;
    ASSERT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
}
void allow_more_addresses(std::size_t more) {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    allow_addresses(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + more);
}

// The child reports its failures, which fail the test.
void in_child(const std::function<void()>& body) {
    const pid_t child = fork();
    ASSERT_NE(child, -1);
    if (child == 0) {
        body();
        _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST(AddressSpaceTest, AHeapLeavesHalfOfItToTheProgram) {
    in_child([] {
        allow_more_addresses(256 * mebibyte);
        soft::heap heap;
        EXPECT_GE(heap.statistics().reserved_bytes, 32 * mebibyte);
        EXPECT_LE(heap.statistics().reserved_bytes, 128 * mebibyte);
        pool<Block, std::uint64_t> blocks(heap, "blocks", block_of);
        std::vector<unique_ptr<Block, std::uint64_t>> kept;
        for (std::uint64_t n = 0; n < 300 * mebibyte / sizeof(Block); ++n) {
            kept.push_back(blocks.make(block_of(n)));
        }
        EXPECT_LE(heap.statistics().segment_bytes, 128 * mebibyte);
        std::size_t there = 0;
        for (std::uint64_t n = 0; n < kept.size(); ++n) {
            const auto value = kept[n].try_get();
            ASSERT_TRUE(!value || *value == block_of(n)) << n;
            there += value ? 1 : 0;
        }
        EXPECT_GE(there * sizeof(Block), 16 * mebibyte);
        EXPECT_NO_THROW(std::make_unique<std::byte[]>(64 * mebibyte));
    });
}

// Runs with the remaining addresses, then with all.
TEST(AddressSpaceTest, HugeReservationsTakeTheAvailableAddresses) {
    for (const std::size_t left : {256 * mebibyte, std::size_t{0}}) {
        in_child([left] {
            if (left > 0) {
                allow_more_addresses(left);
            }
            for (const auto& [limit, reserve] : {std::pair(SIZE_MAX, std::size_t{1}), {1, SIZE_MAX}, {SIZE_MAX, SIZE_MAX}}) {
                soft_heap* heap = soft_heap_create(limit, reserve);
                ASSERT_NE(heap, nullptr);
                soft_pool* pool = soft_pool_create(
                    heap, nullptr, [](void*, const void*, soft_builder*) { return -1; }, nullptr);
                soft_object* object = soft_object_create(pool);
                EXPECT_EQ(soft_write(object, "soft", 4), limit > 1 ? 0 : -ENOSPC);
                soft_heap_seal(heap);
                EXPECT_EQ(soft_heap_shrink(heap, SIZE_MAX) > 0, limit > 1);
                soft_heap_set_limit(heap, SIZE_MAX);
                EXPECT_EQ(soft_write(object, "soft", 4), 0);
                soft_object_destroy(object);
                soft_pool_destroy(pool);
                soft_heap_destroy(heap);
            }
        });
    }
}

TEST(AddressSpaceTest, WhereThereIsNoneThereIsNoNewHeapAndTheOldOneGoesOn) {
    in_child([] {
        constexpr std::size_t letters = 8 * mebibyte;
        soft::heap heap({.limit_bytes = 64 * mebibyte, .reserve_bytes = 64 * mebibyte});
        pool<Block, std::uint64_t> blocks(heap, "blocks", block_of);
        pool<std::string, std::size_t> texts(heap, "texts", text_of);
        std::vector<unique_ptr<Block, std::uint64_t>> kept;
        kept.reserve(1000);
        for (std::uint64_t n = 0; n < kept.capacity(); ++n) {
            kept.push_back(blocks.make(block_of(n)));
        }
        const auto text = texts.make(text_of(letters));

        allow_more_addresses(0);
        EXPECT_THROW(soft::heap(), std::bad_alloc);
        EXPECT_EQ(soft_heap_create(0, 0), nullptr);
        // So much garbage that the heap wants a thread to collect it.
        for (std::uint64_t round = 1; round < 20; ++round) {
            for (std::uint64_t n = 0; n < kept.size(); ++n) {
                ASSERT_EQ(kept[n].read(n), block_of(n));
                kept[n].write(block_of(n));
            }
        }
        // A reader's copy is ordinary memory.
        EXPECT_THROW((void)text.read(letters), std::bad_alloc);
        EXPECT_THROW((void)text.try_get(), std::bad_alloc);

        allow_addresses(RLIM_INFINITY);
        EXPECT_TRUE(text.is_there());
        EXPECT_TRUE(text.read(letters) == text_of(letters));
        EXPECT_NO_THROW(soft::heap());
    });
}

TEST(AddressSpaceTest, WithoutMemoryForHandlesNothingIsLeaked) {
    in_child([] {
        soft::heap heap({.limit_bytes = 16 * mebibyte, .reserve_bytes = 16 * mebibyte});
        pool<Block, std::uint64_t> blocks(heap, "blocks", block_of);
        std::vector<unique_ptr<Block, std::uint64_t>> kept;
        kept.reserve(1'000'000);
        allow_more_addresses(4 * mebibyte);
        EXPECT_THROW(
            for (;;) { kept.push_back(blocks.make()); }, std::bad_alloc);
        EXPECT_EQ(blocks.statistics().objects, kept.size());
        kept.pop_back();
        EXPECT_NO_THROW(kept.push_back(blocks.make(block_of(1))));
        EXPECT_EQ(kept.back().read(1), block_of(1));
    });
}

}  // namespace
}  // namespace soft
