// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/replay/owner_model.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <random>

namespace tmm::replay {
namespace {

TEST(LruMemory, HoldsTheTopOfTheStack) {
    LruMemory memory(core::Pages(2));
    EXPECT_TRUE(memory.touch(std::nullopt, core::Pages(1)));
    EXPECT_TRUE(memory.touch(std::nullopt, core::Pages(1)));
    EXPECT_FALSE(memory.touch(core::LruStack::Place{.above = core::Pages(1), .weight = 1}, core::Pages(1)));
    EXPECT_TRUE(memory.touch(std::nullopt, core::Pages(1))) << "a first use evicts the bottom page";
    EXPECT_TRUE(memory.touch(core::LruStack::Place{.above = core::Pages(2), .weight = 1}, core::Pages(1)));
    EXPECT_EQ(memory.resident(), core::Pages(2));
}

TEST(LruMemory, WhatWasEvictedDoesNotComeBackByItself) {
    LruMemory memory(core::Pages(10));
    for (int page = 0; page < 10; ++page)
        memory.touch(std::nullopt, core::Pages(1));
    memory.resize(core::Pages(4));
    memory.resize(core::Pages(10));
    EXPECT_EQ(memory.resident(), core::Pages(4));
    EXPECT_FALSE(memory.touch(core::LruStack::Place{.above = core::Pages(3), .weight = 1}, core::Pages(1)));
    EXPECT_TRUE(memory.touch(core::LruStack::Place{.above = core::Pages(4), .weight = 1}, core::Pages(1)));
}

// The same LRU memory as a list, for comparison.
class SlowMemory {
public:
    explicit SlowMemory(std::size_t size) : size_(size) {}
    bool misses(core::PageKey page) {
        const auto found = std::find(pages_.begin(), pages_.end(), page);
        const bool missed = found == pages_.end();
        if (!missed)
            pages_.erase(found);
        pages_.push_front(page);
        resize(size_);
        return missed;
    }
    void resize(std::size_t size) {
        size_ = size;
        while (pages_.size() > size)
            pages_.pop_back();
    }
    void remove(core::PageKey page) { pages_.remove(page); }

private:
    std::size_t size_;
    std::list<core::PageKey> pages_;
};

TEST(OwnerModel, CountsTheMissesOfAMemoryWhoseSizeChanges) {
    constexpr std::size_t memory = 120;
    OwnerModel model(core::Pages(memory), 0);
    SlowMemory at_limit(memory);
    SlowMemory all_memory(memory);
    std::mt19937_64 random(1);
    std::uint64_t misses_at_limit = 0;
    std::uint64_t misses_all_memory = 0;
    for (int step = 0; step < 20'000; ++step) {
        const core::PageKey page = random() % (random() % 2 == 0 ? 30 : 200);
        if (random() % 50 == 0) {
            model.forget(page);
            at_limit.remove(page);
            all_memory.remove(page);
            continue;
        }
        if (random() % 100 == 0) {
            const std::size_t limit = 20 + random() % (memory - 20);
            model.end_epoch(core::Pages(limit));
            at_limit.resize(limit);
        }
        const OwnerModel::Use use = model.use(page, 1);
        const bool missed_at_limit = at_limit.misses(page);
        const bool missed_all_memory = all_memory.misses(page);
        ASSERT_EQ(use.first || use.evicted, missed_at_limit) << step;
        if (!use.first) {
            misses_at_limit += missed_at_limit;
            misses_all_memory += missed_all_memory;
        }
    }
    EXPECT_EQ(model.misses_at_limit(), misses_at_limit);
    EXPECT_EQ(model.misses_all_memory(), misses_all_memory);
    EXPECT_GT(misses_at_limit, misses_all_memory);
    EXPECT_GT(misses_all_memory, 0U);
}

TEST(OwnerModel, ASampledPageStandsForMany) {
    OwnerModel model(core::Pages(100), 3);
    model.use(1, 1);
    model.use(2, 2);
    EXPECT_EQ(model.pages(), core::Pages(24));
    EXPECT_EQ(model.resident(), core::Pages(24));
    EXPECT_EQ(model.use(1, 1).position, core::Pages(16));
    model.end_epoch(core::Pages(8));
    EXPECT_TRUE(model.use(2, 2).evicted);
    EXPECT_EQ(model.misses_at_limit(), 16U);
}

}  // namespace
}  // namespace tmm::replay
