// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "softlib/testing.hpp"
#include "tests/fake_os.hpp"
#include "tests/mebibyte.hpp"

namespace soft {
namespace {

using namespace std::chrono_literals;
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

TEST_F(CacheTest, AllWhoPinAKeyShareOneValue) {
    Strings strings(heap, "strings", {});
    strings.put(1, "one");
    const auto first = strings.pin(1, [&] { return make(1); });
    EXPECT_EQ(*first, "one");
    EXPECT_EQ(strings.pin(1, [&] { return make(1); }), first);
    EXPECT_EQ(strings.try_pin(1), first);
    EXPECT_EQ(strings.with(
                  1, [&] { return make(1); }, [](const std::string& value) { return value.size(); }),
              3U);
    EXPECT_EQ(made, 0);
    EXPECT_EQ(strings.statistics().hits, 4U);
    EXPECT_EQ(strings.statistics().pinned_bytes, 3U);
}

TEST_F(CacheTest, PinMakesWhatIsNotThereAndTryPinDoesNot) {
    Strings strings(heap, "strings", {});
    EXPECT_EQ(strings.try_pin(1), nullptr);
    EXPECT_EQ(*strings.pin(1, [&] { return make(1); }), "value of 1");
    EXPECT_EQ(*strings.pin(1, [&] { return make(1); }), "value of 1");
    EXPECT_EQ(made, 1);
}

TEST_F(CacheTest, APinnedValueStaysWhateverBecomesOfItsKey) {
    Strings strings(heap, "strings", {.time_to_live = 10s, .now = [this] { return now; }});
    for (int key = 1; key <= 4; ++key) {
        strings.put(key, "old");
    }
    const auto held = strings.try_pin(1);
    strings.put(1, "new");
    EXPECT_EQ(*held, "old");
    EXPECT_EQ(*strings.try_pin(1), "new");

    const auto erased = strings.try_pin(2);
    strings.erase(2);
    EXPECT_EQ(strings.try_pin(2), nullptr);
    EXPECT_EQ(*erased, "old");

    const auto expired = strings.try_pin(3);
    now += 10s;
    EXPECT_EQ(strings.try_pin(3), nullptr);
    EXPECT_EQ(*expired, "old");

    const auto cleared = strings.try_pin(1);
    strings.clear();
    EXPECT_EQ(strings.statistics().pinned_bytes, 0U);
    EXPECT_EQ(strings.try_pin(1), nullptr);
}

TEST_F(CacheTest, APinnedValueIsThereAfterItsMemoryWasTaken) {
    Strings strings(heap, "strings", {});
    strings.put(1, "one");
    const auto held = strings.try_pin(1);
    heap.seal();
    heap.lose_pages(1.0, 1);
    EXPECT_EQ(strings.pin(1, [&] { return make(1); }), held);
    EXPECT_EQ(made, 0);
}

TEST_F(CacheTest, PinnedValuesKeepToTheirBudgetAndTheLastUsedStay) {
    constexpr std::size_t budget = 160'000;
    Strings strings(heap, "strings", {.pinned_bytes = budget});
    for (int key = 0; key < 1000; ++key) {
        strings.put(key, std::string(1000, static_cast<char>('a' + key % 26)));
    }
    const auto often = strings.try_pin(7);
    for (int key = 0; key < 1000; ++key) {
        ASSERT_EQ(strings.try_pin(key)->front(), 'a' + key % 26);
        ASSERT_EQ(strings.try_pin(7), often);
        ASSERT_LE(strings.statistics().pinned_bytes, budget);
    }
    strings.put(1999, std::string(budget - 1000, 'v'));
    EXPECT_EQ(strings.try_pin(1999), strings.try_pin(1999));
    EXPECT_LE(strings.statistics().pinned_bytes, budget);
    strings.put(2000, std::string(budget + 1, 'v'));
    EXPECT_NE(strings.try_pin(2000), strings.try_pin(2000));
}

TEST_F(CacheTest, APinnedValueIsNotTheOneThatTheHeapEvicts) {
    Strings strings(heap, "strings", {});
    strings.put(1, std::string(1000, 'v'));
    for (int key = 10; key < 100000; ++key) {
        strings.put(key, std::string(1000, 'v'));
        ASSERT_NE(strings.try_pin(1), nullptr);
    }
    EXPECT_NE(strings.get(1), std::nullopt);
    EXPECT_EQ(strings.get(10), std::nullopt);
}

TEST_F(CacheTest, NobodyPinsAnOlderValueThanWasRead) {
    cache<int, std::vector<int>> numbers(heap, "numbers", {});
    std::atomic<bool> ends = false;
    numbers.put(1, std::vector<int>(2000, 0));
    std::thread writer([&] {
        for (int i = 1; i < 3000; ++i) {
            numbers.put(1, std::vector<int>(2000, i));
            if (i % 100 == 0) {
                heap.shrink(2 * mebibyte);
            }
        }
        ends = true;
    });
    int newest = 0;
    while (!ends) {
        for (const bool pins : {true, false}) {
            const auto pinned = pins ? numbers.try_pin(1) : nullptr;
            const auto copied = pins ? std::nullopt : numbers.get(1);
            if (!pinned && !copied) {
                continue;
            }
            const std::vector<int>& seen = pins ? *pinned : *copied;
            EXPECT_EQ(seen, std::vector<int>(2000, seen.front()));
            EXPECT_GE(seen.front(), newest);
            newest = seen.front();
        }
    }
    writer.join();
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

/// Counts its copies.
struct CountedKey {
    explicit CountedKey(int its_number) : number(its_number) {}
    CountedKey(const CountedKey& other) : number(other.number) { ++copies; }
    CountedKey(CountedKey&&) noexcept = default;
    CountedKey& operator=(const CountedKey&) = delete;
    CountedKey& operator=(CountedKey&&) = delete;
    ~CountedKey() = default;
    bool operator==(const CountedKey& other) const { return number == other.number; }

    int number;
    static inline int copies = 0;
};
struct HashOfCounted {
    std::size_t operator()(const CountedKey& key) const { return static_cast<std::size_t>(key.number); }
};

TEST_F(CacheTest, KeepsEachKeyOnce) {
    cache<CountedKey, std::string, HashOfCounted> strings(heap, "strings", {});
    CountedKey::copies = 0;
    for (int key = 0; key < 100; ++key) {
        strings.get_or(CountedKey(key), [&] { return make(key); });
        strings.put(CountedKey(key), "again");
        EXPECT_EQ(strings.get(CountedKey(key)), "again");
    }
    EXPECT_EQ(CountedKey::copies, 100);
}

struct HashOfText {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

template <class Cache, class Key>
concept finds = requires(Cache& one, const Key& key) {
    one.get(key);
    one.get_or(key, [] { return 1; });
    one.erase(key);
};
static_assert(finds<cache<std::string, int, HashOfText, std::equal_to<>>, std::string_view>);
static_assert(!finds<cache<std::string, int>, std::string_view> && finds<cache<std::string, int>, char[2]>);

TEST_F(CacheTest, LooksUpWithoutMakingAKey) {
    cache<std::string, int, HashOfText, std::equal_to<>> lengths(heap, "lengths", {});
    const std::string_view text = "a text";
    EXPECT_EQ(lengths.get(text), std::nullopt);
    EXPECT_EQ(lengths.get_or(text, [] { return 6; }), 6);
    EXPECT_EQ(lengths.get(std::string(text)), 6);
    EXPECT_EQ(lengths.get(text), 6);
    EXPECT_TRUE(lengths.erase(text));
    EXPECT_FALSE(lengths.erase(text));
}

TEST_F(CacheTest, KeysWithTheSameHashAreToldApart) {
    struct Bad {
        std::size_t operator()(int) const { return 7; }
    };
    cache<int, std::string, Bad> strings(heap, "strings", {});
    for (int key = 0; key < 100; ++key) {
        strings.put(key, std::to_string(key));
    }
    for (int key = 0; key < 100; key += 2) {
        EXPECT_TRUE(strings.erase(key));
    }
    for (int key = 0; key < 100; ++key) {
        EXPECT_EQ(strings.get(key), key % 2 == 0 ? std::nullopt : std::optional(std::to_string(key)));
    }
    strings.clear();
    EXPECT_EQ(strings.statistics().keys, 0U);
    strings.put(1, "one");
    EXPECT_EQ(strings.get(1), "one");
}

TEST_F(CacheTest, ReadsThatLoseTheirValueAreCountedAsLost) {
    Strings strings(heap, "strings", {});
    strings.put(1, "one");
    lose_reads(1);
    EXPECT_EQ(strings.get(1), std::nullopt);
    EXPECT_EQ(strings.get_or(1, [&] { return make(1); }), "value of 1");
    EXPECT_EQ(strings.get_or(1, [&] { return make(1); }), "value of 1");
    lose_reads(0);
    EXPECT_EQ(made, 2);
    EXPECT_EQ(strings.statistics().lost, 3U);
    EXPECT_EQ(strings.statistics().hits, 0U);

    const auto pinned = strings.try_pin(1);
    lose_reads(1);
    EXPECT_EQ(strings.try_pin(1), nullptr);
    EXPECT_EQ(*strings.pin(1, [&] { return make(1); }), "value of 1");
    lose_reads(0);
    EXPECT_EQ(made, 3);
    EXPECT_EQ(strings.statistics().lost, 5U);
    EXPECT_EQ(strings.statistics().hits, 1U);
}

TEST_F(CacheTest, PinnedValuesAreValidated) {
    Strings strings(heap, "strings", {});
    strings.put(1, "one");
    const auto pinned = strings.try_pin(1);
    validate_reads(1);
    EXPECT_EQ(strings.pin(1, [&] { return make(1); }), pinned);
    EXPECT_EQ(made, 1);
    EXPECT_EQ(strings.try_pin(1), pinned);
    validate_reads(0);
    EXPECT_EQ(made, 1);
}

// A reader copies the value after the lock, when its key may have been dropped and its entry be another key's.
TEST_F(CacheTest, AReadBesideWhichKeysComeAndGoFindsNoOtherValue) {
    cache<int, std::string> strings(heap, "strings", {.budget_bytes = 32 * 1024});
    std::atomic<int> wrong{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 20'000; ++i) {
                const int key = (i * 7 + t) % 300;
                if (i % 3 == t) {
                    strings.erase(key);
                } else if (i % 1000 == 999) {
                    heap.seal();
                    heap.release(mebibyte);
                }
                const std::string expected(static_cast<std::size_t>(key + 1), static_cast<char>('a' + key % 26));
                const std::optional<std::string> found = strings.get(key);
                wrong += found && *found != expected ? 1 : 0;
                wrong += strings.get_or(key, [&] { return expected; }) != expected ? 1 : 0;
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0);
    const cache_statistics seen = strings.statistics();
    EXPECT_EQ(seen.hits + seen.unknown + seen.lost, 120'000U);
}

}  // namespace
}  // namespace soft
