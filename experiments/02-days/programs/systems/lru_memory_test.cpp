// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "lru_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <list>
#include <map>
#include <random>

namespace tmm::days {
namespace {

using Kind = LruMemory::Outcome;

// The same by the simplest means.
class NaiveLru {
public:
    explicit NaiveLru(std::size_t limit) : limit_(limit) {}
    LruMemory::Touch touch(std::uint32_t unit) {
        LruMemory::Touch touch{.outcome = Kind::first, .distance = 0};
        const auto found = std::find(order_.begin(), order_.end(), unit);
        if (found != order_.end()) {
            order_.erase(found);
            touch.outcome = Kind::hit;
        } else if (const auto left = evicted_.find(unit); left != evicted_.end()) {
            touch = {.outcome = Kind::refault, .distance = evictions_ - left->second};
            evicted_.erase(left);
        }
        order_.push_front(unit);
        shrink(limit_);
        return touch;
    }
    void free(std::uint32_t unit) {
        order_.remove(unit);
        evicted_.erase(unit);
    }
    void shrink(std::size_t limit) {
        limit_ = limit;
        for (; order_.size() > limit_; order_.pop_back())
            evicted_[order_.back()] = evictions_++;
    }
    [[nodiscard]] std::size_t size() const { return order_.size(); }

private:
    std::size_t limit_;
    std::list<std::uint32_t> order_;
    std::map<std::uint32_t, std::uint64_t> evicted_;
    std::uint64_t evictions_ = 0;
};

TEST(LruMemoryTest, DoesWhatANaiveLruDoes) {
    const std::vector<std::uint8_t> is_file(60, 0);
    LruMemory memory(is_file, 40, 0);
    NaiveLru naive(40);
    std::mt19937 random(7);  // NOLINT: the same each time
    for (std::uint32_t step = 0; step < 20'000; ++step) {
        const std::uint32_t unit = random() % 60;
        if (random() % 50 == 0) {
            const std::uint32_t limit = 1 + random() % 40;
            memory.set_limit(limit);
            naive.shrink(limit);
        }
        if (random() % 20 == 0) {
            memory.free(unit);
            naive.free(unit);
            continue;
        }
        const auto found = memory.touch(unit, step);
        const auto expected = naive.touch(unit);
        ASSERT_EQ(found.outcome, expected.outcome) << step;
        ASSERT_EQ(found.distance, expected.distance) << step;
        ASSERT_EQ(memory.resident(), naive.size()) << step;
    }
}

TEST(LruMemoryTest, EvictsByAge) {
    const std::vector<std::uint8_t> is_file(4, 0);
    LruMemory memory(is_file, 4, 0);
    memory.touch(0, 1);
    memory.touch(1, 5);
    memory.touch(2, 9);
    memory.evict_older(6);
    EXPECT_EQ(memory.take_evicted(), (std::vector<std::uint32_t>{0, 1}));
    EXPECT_TRUE(memory.is_resident(2));
    EXPECT_TRUE(memory.take_evicted().empty());
}

TEST(LruMemoryTest, CompressedMemoryIsInNeitherClass) {
    const std::vector<std::uint8_t> is_file{0, 0, 1, 1};
    LruMemory memory(is_file, 4, 0.5);
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        memory.touch(unit, unit);
    memory.set_limit(1);
    EXPECT_EQ(memory.resident(), 1U);
    EXPECT_EQ(memory.total(), 3U) << "two anonymous units take half a unit each, the file none";
    EXPECT_DOUBLE_EQ(memory.donated(), 2);
    memory.free(0);
    EXPECT_DOUBLE_EQ(memory.donated(), 2.5);
    memory.touch(1, 9);
    EXPECT_EQ(memory.total(), 4U);
}

TEST(LruMemoryTest, TakesFirstWhatExceedsItsCgroupsProtection) {
    const std::vector<std::uint8_t> is_file(8, 0);
    const std::vector<std::uint16_t> cgroup_of{0, 0, 0, 1, 1, 1, 2, 2};
    LruMemory memory(is_file, 8, 0, &cgroup_of);
    for (std::uint32_t unit = 0; unit < 8; ++unit)
        memory.touch(unit, unit);
    ASSERT_EQ(memory.nr_cgroups(), 3U);
    EXPECT_EQ(memory.resident_of(1), 3U);
    memory.protect({2, 3});
    memory.set_limit(5);
    EXPECT_EQ(memory.take_evicted(), (std::vector<std::uint32_t>{0, 6, 7})) << "the oldest of those beyond protection";
    memory.set_limit(3);
    EXPECT_EQ(memory.take_evicted(), (std::vector<std::uint32_t>{1, 2})) << "then the oldest of all";
}

TEST(LruMemoryTest, OneUnitStays) {
    const std::vector<std::uint8_t> is_file(2, 0);
    LruMemory memory(is_file, 2, 0);
    memory.touch(0, 0);
    memory.touch(1, 0);
    memory.set_limit(0);
    memory.evict(5);
    memory.evict_older(100);
    EXPECT_EQ(memory.resident(), 1U);
}

TEST(LruMemoryTest, WithoutContributionsUnitsLeaveFullMemoryOnly) {
    const std::vector<std::uint8_t> is_file(5, 0);
    LruMemory memory(is_file, 4, 0);
    memory.leave_unused();
    memory.set_limit(1);
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        memory.touch(unit, 0);
    EXPECT_EQ(memory.resident(), 4U);
    EXPECT_EQ(memory.limit(), 1U);
    memory.touch(4, 0);
    EXPECT_EQ(memory.take_evicted(), std::vector<std::uint32_t>{0});
}

}  // namespace
}  // namespace tmm::days
