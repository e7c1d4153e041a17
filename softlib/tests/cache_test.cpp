// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/fake_os.hpp"

namespace soft {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t mebibyte = std::size_t{1} << 20;
using Strings = cache<int, std::string>;

class CacheTest : public testing::Test {
protected:
    detail::FakeOs os;
    soft::heap heap{{.limit_bytes = 32 * mebibyte, .reserve_bytes = 64 * mebibyte, .background = false, .os = &os}};
    Strings::clock::time_point now{};
    int made = 0;

    std::string make(int key) {
        ++made;
        return "value of " + std::to_string(key);
    }
};

TEST_F(CacheTest, KeepsWhatIsPutAndMakesWhatIsNot) {
    Strings strings(heap, "strings", {});
    EXPECT_EQ(strings.get(1), std::nullopt);
    strings.put(1, "one");
    EXPECT_EQ(strings.get(1), "one");
    EXPECT_EQ(strings.get_or(2, [&] { return make(2); }), "value of 2");
    EXPECT_EQ(strings.get_or(2, [&] { return make(2); }), "value of 2");
    EXPECT_EQ(made, 1);
    const cache_statistics seen = strings.statistics();
    EXPECT_EQ(seen.hits, 2U);
    EXPECT_EQ(seen.unknown, 2U);
    EXPECT_EQ(seen.keys, 2U);
    EXPECT_TRUE(strings.erase(1));
    EXPECT_FALSE(strings.erase(1));
    EXPECT_EQ(strings.get(1), std::nullopt);
}

TEST_F(CacheTest, MakesAgainWhatIsLost) {
    Strings strings(heap, "strings", {});
    strings.put(1, "one");
    heap.seal();
    heap.lose_pages(1.0, 1);
    EXPECT_EQ(strings.get(1), std::nullopt);
    EXPECT_EQ(strings.get_or(1, [&] { return make(1); }), "value of 1");
    EXPECT_EQ(strings.get(1), "value of 1");
    EXPECT_EQ(strings.statistics().lost, 2U);
}

TEST_F(CacheTest, ValuesGrowOld) {
    Strings strings(heap, "strings", {.time_to_live = 10s, .now = [this] { return now; }});
    strings.put(1, "one");
    now += 9s;
    EXPECT_EQ(strings.get(1), "one");
    now += 1s;
    EXPECT_EQ(strings.get(1), std::nullopt);
    EXPECT_EQ(strings.statistics().expired, 1U);
    EXPECT_EQ(strings.get_or(1, [&] { return make(1); }), "value of 1");
    now += 9s;
    EXPECT_EQ(strings.get(1), "value of 1");
}

TEST_F(CacheTest, WhatIsMadeAgainIsYoungAndCountsWithItsOwnSize) {
    Strings strings(heap, "strings", {.time_to_live = 10s, .now = [this] { return now; }});
    const std::string longer(1000, 'v');
    strings.put(1, "short");
    heap.seal();
    heap.lose_pages(1.0, 1);
    now += 9s;
    EXPECT_EQ(strings.get_or(1, [&] { return longer; }), longer);
    EXPECT_EQ(strings.statistics().bytes, Strings::entry_bytes + longer.size());
    now += 9s;
    EXPECT_EQ(strings.get(1), longer);
}

TEST_F(CacheTest, KeepsToItsBudgetByDroppingWhatWasNotUsed) {
    Strings strings(heap, "strings", {.budget_bytes = mebibyte});
    const std::string value(1000, 'v');
    for (int key = 0; key < 10000; ++key) {
        strings.put(key, value);
        strings.get(5);
        ASSERT_LE(strings.statistics().bytes, mebibyte);
    }
    EXPECT_EQ(strings.get(5), value);
    EXPECT_EQ(strings.get(6), std::nullopt);
    EXPECT_EQ(strings.get(9999), value);
    EXPECT_GT(strings.statistics().evicted, 8000U);
}

TEST_F(CacheTest, AValueAboveTheBudgetIsKeptAlone) {
    Strings strings(heap, "strings", {.budget_bytes = 1});
    strings.put(1, std::string(100000, 'v'));
    EXPECT_EQ(strings.get(1)->size(), 100000U);
}

TEST_F(CacheTest, WithABudgetOfNothingTheLastValueOfEachPartStays) {
    Strings strings(heap, "strings", {.budget_bytes = 0});
    for (int key = 0; key < 100; ++key) {
        EXPECT_EQ(strings.get_or(key, [&] { return make(key); }), "value of " + std::to_string(key));
        EXPECT_EQ(strings.get(key), "value of " + std::to_string(key));
    }
    EXPECT_LE(strings.statistics().keys, Strings::shards);
}

TEST_F(CacheTest, WhatCouldNotBeMadeLeavesNoKey) {
    Strings strings(heap, "strings", {});
    EXPECT_THROW(strings.get_or(1, []() -> std::string { throw std::runtime_error("no network"); }), std::runtime_error);
    EXPECT_EQ(strings.statistics().keys, 0U);
    EXPECT_EQ(strings.get_or(1, [&] { return make(1); }), "value of 1");
}

TEST_F(CacheTest, KeysOfLostValuesGoByAndBy) {
    Strings strings(heap, "strings", {});
    for (int key = 0; key < 1000; ++key) {
        strings.put(key, "v");
    }
    heap.seal();
    heap.lose_pages(1.0, 1);
    for (int key = 1000; key < 2000; ++key) {
        strings.put(key, "v");
    }
    EXPECT_LE(strings.statistics().keys, 1100U);
}

TEST_F(CacheTest, ThreadsThatMissTheSameKeyMakeItOnce) {
    Strings strings(heap, "strings", {});
    std::atomic<int> makes{0};
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int key = 0; key < 500; ++key) {
                const std::string value = strings.get_or(key, [&] {
                    ++makes;
                    return std::to_string(key);
                });
                wrong += value == std::to_string(key) ? 0 : 1;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_EQ(makes, 500);
}

}  // namespace
}  // namespace soft
