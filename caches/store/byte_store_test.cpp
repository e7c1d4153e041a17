// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/store/byte_store.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace tmm::caches {
namespace {

using What = Outcome::What;
using Need = ByteStore::Need;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

class ByteStoreTest : public testing::Test {
protected:
    explicit ByteStoreTest(std::size_t limit = 64 * mebibyte) : heap_({.limit_bytes = limit, .background = false}) {}

    Outcome set(std::string_view key, std::string_view value, std::uint32_t expires = 0, std::uint32_t flags = 0) {
        return store_.update(key, Need::nothing, [&](Item*) { return Put{Buffer(value, max_trailer_bytes), flags, expires}; });
    }
    std::string get(std::string_view key) {
        const std::optional<Item> item = store_.get(key);
        return item ? std::string(item->value.view()) : "-";
    }

    soft::heap heap_;
    std::atomic<std::uint32_t> now_{100};
    ByteStore store_{{.heap = heap_, .max_value_bytes = 40 * mebibyte, .fast_above_bytes = 12 * mebibyte, .now = [this] {
                          return now_.load();
                      }}};
};

TEST_F(ByteStoreTest, GetsWhatWasPut) {
    EXPECT_EQ(get("key"), "-");
    const Outcome outcome = set("key", "value", 200, 77);
    EXPECT_EQ(outcome.what, What::stored);
    now_ = 103;
    std::optional<Item> item = store_.get("key");
    ASSERT_TRUE(item);
    EXPECT_EQ(item->value.view(), "value");
    EXPECT_EQ(item->flags, 77U);
    EXPECT_EQ(item->expires, 200U);
    EXPECT_EQ(item->cas, outcome.cas);
    EXPECT_EQ(item->last_access, 100U);
    EXPECT_FALSE(item->is_fetched);
    now_ = 104;
    item = store_.get("key", ByteStore::Use::does_not);
    EXPECT_EQ(item->last_access, 103U);
    EXPECT_TRUE(item->is_fetched);
    EXPECT_EQ(store_.get("key")->last_access, 103U);
    EXPECT_EQ(store_.statistics().hits, 3U);
    EXPECT_EQ(store_.statistics().unknown, 1U);
}

TEST_F(ByteStoreTest, KeepsEmptyAndBinaryKeysAndValues) {
    const std::string zeros(3, '\0');
    set("", zeros);
    set(zeros, "");
    set(std::string(max_key_bytes, 'k'), "long");
    EXPECT_EQ(get(""), zeros);
    EXPECT_EQ(get(zeros), "");
    EXPECT_EQ(get(std::string(max_key_bytes, 'k')), "long");
    EXPECT_EQ(set(std::string(max_key_bytes + 1, 'k'), "longer").what, What::kept);
    EXPECT_EQ(get(std::string(max_key_bytes + 1, 'k')), "-");
}

TEST_F(ByteStoreTest, KeepsValuesOfAllSizes) {
    for (const std::size_t bytes : {1UL, 511UL, 4096UL, 40'000UL, mebibyte, 2 * mebibyte, 40 * mebibyte}) {
        std::string value(bytes, 'a');
        value.back() = 'z';
        EXPECT_EQ(set("key", value).what, What::stored) << bytes;
        EXPECT_TRUE(get("key") == value) << bytes;
    }
    EXPECT_EQ(set("key", std::string(40 * mebibyte + 1, 'a')).what, What::too_large);
    EXPECT_EQ(get("key"), "-") << "not the value before, which is old";
}

TEST_F(ByteStoreTest, ReadsIntoTheValueWithoutMoreMemory) {
    set("key", std::string(100'000, 'x'));
    const std::optional<Item> item = store_.get("key");
    EXPECT_LE(item->value.capacity(), 100'000 + 4 + max_trailer_bytes);
}

TEST_F(ByteStoreTest, DecidesByThePresentItem) {
    const auto decide = [&](auto&& decision) { return store_.update("key", Need::item, decision); };
    EXPECT_EQ(decide([](Item* item) -> Decision {
                  EXPECT_EQ(item, nullptr);
                  return Remove{};
              }).what,
              What::kept);
    const std::uint64_t cas = set("key", "1").cas;
    Outcome outcome = decide([](Item* item) -> Decision {
        item->value.append("2");
        return Put{std::move(item->value), 5, 150, 2};
    });
    EXPECT_EQ(outcome.what, What::stored);
    EXPECT_GT(outcome.cas, cas);
    EXPECT_EQ(get("key"), "12");
    outcome = decide([&](Item* item) -> Decision {
        EXPECT_EQ(item->marks, 2);
        EXPECT_TRUE(item->is_fetched);
        EXPECT_EQ(item->cas, outcome.cas);
        return Touch{.expires = 170, .marks = 1};
    });
    EXPECT_EQ(outcome.what, What::touched);
    EXPECT_EQ(store_.get("key")->expires, 170U);
    EXPECT_EQ(store_.get("key")->marks, 1);
    EXPECT_EQ(decide([](Item*) -> Decision { return Keep{}; }).what, What::kept);
    EXPECT_THROW(decide([](Item*) -> Decision { throw std::runtime_error("no"); }), std::runtime_error);
    EXPECT_EQ(get("key"), "12");
    EXPECT_EQ(decide([](Item*) -> Decision { return Remove{}; }).what, What::removed);
    EXPECT_EQ(get("key"), "-");
    EXPECT_EQ(store_.statistics().items, 0U);
}

TEST_F(ByteStoreTest, NeverRepeatsACas) {
    std::set<std::uint64_t> seen;
    for (int i = 0; i < 1000; ++i) {
        EXPECT_TRUE(seen.insert(set(std::to_string(i % 10), "value").cas).second);
    }
    EXPECT_EQ(seen.count(0), 0U);
    const Outcome own =
        store_.update("key", Need::nothing, [](Item*) { return Put{.value = Buffer("value"), .cas = std::uint64_t{1} << 60U}; });
    EXPECT_EQ(own.cas, std::uint64_t{1} << 60U);
    EXPECT_EQ(store_.get("key")->cas, own.cas);
}

TEST_F(ByteStoreTest, ForgetsWhatIsTooOld) {
    set("key", "value", 110);
    set("other", "value", 111);
    set("past", "value");
    EXPECT_EQ(set("past", "value", 100).what, What::stored);
    EXPECT_EQ(get("past"), "-");
    now_ = 109;
    EXPECT_EQ(get("key"), "value");
    now_ = 110;
    EXPECT_EQ(get("key"), "-");
    EXPECT_EQ(store_.statistics().expired, 1U);
    now_ = 111;
    EXPECT_EQ(store_
                  .update("other", Need::item,
                          [](Item* item) -> Decision {
                              EXPECT_EQ(item, nullptr);
                              return Keep{};
                          })
                  .what,
              What::kept);
    EXPECT_EQ(store_.statistics().items, 0U);
}

TEST_F(ByteStoreTest, SweepsWhatIsTooOldInPieces) {
    for (int i = 0; i < 3000; ++i) {
        set(std::to_string(i), "value", i % 3 == 0 ? 0 : 110);
    }
    EXPECT_EQ(store_.sweep_all(false), 0U);
    now_ = 110;
    std::size_t freed = 0;
    for (int i = 0; i < 3000 && freed < 2000; ++i) {
        freed += store_.sweep(100, false);
    }
    EXPECT_EQ(freed, 2000U);
    EXPECT_EQ(store_.statistics().items, 1000U);
    EXPECT_EQ(store_.statistics().swept, 2000U);
}

TEST_F(ByteStoreTest, RemembersForHoursWhenItWasUsedAndThenThatThisIsLongAgo) {
    set("key", "value");
    now_ += 60'000;
    store_.sweep_all(false);
    EXPECT_EQ(store_.get("key", ByteStore::Use::does_not)->last_access, 100U);
    for (int day = 0; day < 10; ++day) {
        now_ += 50'000;
        store_.sweep_all(false);
        EXPECT_LT(store_.get("key", ByteStore::Use::does_not)->last_access, now_ - 60'000);
    }
}

TEST_F(ByteStoreTest, FlushesAtOnceAndGivesTheMemoryBack) {
    for (int i = 0; i < 100; ++i) {
        set(std::to_string(i), std::string(100'000, 'x'));
    }
    EXPECT_GT(heap_.statistics().segment_bytes, 8 * mebibyte);
    store_.flush();
    EXPECT_EQ(heap_.statistics().segment_bytes, 0U);
    EXPECT_EQ(get("1"), "-");
    set("1", "new");
    EXPECT_EQ(get("1"), "new");
    store_.sweep_all(false);
    EXPECT_EQ(store_.statistics().items, 1U);
    EXPECT_EQ(get("1"), "new");
}

TEST_F(ByteStoreTest, FlushesLater) {
    set("before", "value");
    store_.flush(10);
    set("meanwhile", "value");
    now_ = 109;
    EXPECT_EQ(get("before"), "value");
    now_ = 110;
    EXPECT_EQ(get("before"), "-");
    set("after", "value");
    EXPECT_EQ(get("meanwhile"), "-");
    EXPECT_EQ(get("after"), "value");
    store_.flush(10);
    store_.flush(20);
    now_ = 125;
    EXPECT_EQ(get("after"), "value") << "a later flush replaces it";
    now_ = 130;
    EXPECT_EQ(get("after"), "-");
}

TEST_F(ByteStoreTest, ManyFlushesDoNotReviveAnItem) {
    for (unsigned i = 0; i < nr_generations * 2 + 3; ++i) {
        const std::string key = std::to_string(i);
        set(key, "value");
        EXPECT_EQ(get(key), "value");
        store_.flush();
        for (unsigned before = 0; before <= i; before += 7) {
            EXPECT_EQ(get(std::to_string(before)), "-");
        }
    }
}

TEST_F(ByteStoreTest, FindsOutWhatTheKernelTook) {
    constexpr int items = 20'000;
    for (int i = 0; i < items; ++i) {
        set(std::to_string(i), "value " + std::to_string(i) + std::string(300, 'x'));
    }
    heap_.seal();
    if (heap_.lose_pages(0.3, 1) == 0) {
        GTEST_SKIP() << "the kernel takes no pages here";
    }
    int hits = 0;
    for (int i = 0; i < items; i += 2) {
        const std::string value = get(std::to_string(i));
        if (value != "-") {
            ++hits;
            ASSERT_EQ(value, "value " + std::to_string(i) + std::string(300, 'x'));
        }
    }
    EXPECT_GT(hits, items / 2 * 6 / 10);
    EXPECT_LT(hits, items / 2 * 8 / 10);
    const ByteStoreStatistics before = store_.statistics();
    EXPECT_EQ(before.lost, static_cast<std::uint64_t>(items / 2 - hits));
    EXPECT_EQ(before.items, items - before.lost) << "a miss frees the slot";
    EXPECT_EQ(store_.sweep_all(false), 0U);
    EXPECT_GT(store_.sweep_all(true), 2000U);
    for (int i = 1; i < items; i += 2) {
        get(std::to_string(i));
    }
    EXPECT_EQ(store_.statistics().lost, before.lost);
}

TEST_F(ByteStoreTest, SweepsWhatTheHeapReleasedWithoutReadingIt) {
    for (int i = 0; i < 1000; ++i) {
        set(std::to_string(i), std::string(10'000, 'x'));
    }
    heap_.seal();
    EXPECT_GT(heap_.release(SIZE_MAX), 8 * mebibyte);
    EXPECT_EQ(store_.sweep_all(false), 1000U);
    EXPECT_LT(store_.statistics().index_bytes, 64U * 1024) << "but what is remembered of lost items";
}

TEST_F(ByteStoreTest, AValueWithoutRoomIsNotThere) {
    set("key", "value");
    heap_.set_limit(0);
    EXPECT_EQ(set("key", "other").what, What::no_room);
    EXPECT_EQ(get("key"), "-");
    EXPECT_EQ(store_.statistics().no_room, 1U);
    EXPECT_EQ(store_.statistics().items, 0U);
}

TEST_F(ByteStoreTest, ALowerLimitGivesBackWhatIsTooOldFirst) {
    for (int i = 0; i < 400; ++i) {
        set("old " + std::to_string(i), std::string(20'000, 'o'), 110);
    }
    for (int i = 0; i < 400; ++i) {
        set("new " + std::to_string(i), std::string(20'000, 'n'));
    }
    heap_.seal();
    now_ = 110;
    store_.set_limit(14 * mebibyte);
    EXPECT_LE(heap_.segment_bytes() + store_.ordinary_bytes(), 14 * mebibyte);
    int there = 0;
    for (int i = 0; i < 400; ++i) {
        there += get("new " + std::to_string(i)) != "-" ? 1 : 0;
    }
    EXPECT_EQ(there, 400);
}

TEST_F(ByteStoreTest, AMuchLowerLimitOrAnUrgentOneReadsNoItem) {
    for (const bool is_urgent : {false, true}) {
        store_.set_limit(64 * mebibyte);
        for (int i = 0; i < 1000; ++i) {
            set(std::to_string(i), std::string(20'000, 'x'));
            get(std::to_string(i));
        }
        heap_.seal();
        const std::uint64_t moved = heap_.statistics().moved_objects;
        store_.set_limit(is_urgent ? 14 * mebibyte : 4 * mebibyte, is_urgent);
        EXPECT_LE(heap_.segment_bytes() + store_.ordinary_bytes(), (is_urgent ? 14 : 4) * mebibyte);
        EXPECT_EQ(heap_.statistics().moved_objects, moved);
        EXPECT_LT(store_.statistics().items, is_urgent ? 700U : 200U) << "their slots are free";
    }
}

TEST_F(ByteStoreTest, KeepsTheIndexWithinTheLimit) {
    store_.set_limit(8 * mebibyte);
    for (int i = 0; i < 60'000; ++i) {
        set(std::to_string(i), "small");
    }
    store_.set_limit(8 * mebibyte);
    EXPECT_LE(heap_.segment_bytes() + store_.ordinary_bytes(), 8 * mebibyte);
    EXPECT_GT(store_.ordinary_bytes(), 60'000U * 24);
}

TEST_F(ByteStoreTest, VisitsItems) {
    std::map<std::string, std::string> all;
    for (int i = 0; i < 500; ++i) {
        all[std::to_string(i)] = "value " + std::to_string(i);
        set(std::to_string(i), all[std::to_string(i)], i % 5 == 0 ? 101 : 0);
    }
    now_ = 101;
    for (int i = 0; i < 500; i += 5) {
        all.erase(std::to_string(i));
    }
    for (std::size_t shard = 0; shard < ByteStore::nr_shards; ++shard) {
        store_.visit(shard, [&](std::string_view key, const Item& item) {
            EXPECT_EQ(all.at(std::string(key)), item.value.view());
            all.erase(std::string(key));
        });
    }
    EXPECT_TRUE(all.empty());
}

class CrowdedByteStoreTest : public ByteStoreTest {
protected:
    CrowdedByteStoreTest() : ByteStoreTest(16 * mebibyte) {}
};

// Values tell their key and carry a check of themselves.
std::string value_of(std::uint32_t key, std::uint32_t seed) {
    std::mt19937 random(seed);
    const std::size_t bytes = random() % 50 == 0 ? 20'000 + random() % 60'000 : random() % 2000;
    std::string value = std::to_string(key) + " " + std::to_string(seed) + " ";
    while (value.size() < bytes) {
        value += static_cast<char>(random());
    }
    return value;
}
bool is_value_of(std::uint32_t key, const std::string& value) {
    const std::size_t space = value.find(' ');
    return space != std::string::npos && value.substr(0, space) == std::to_string(key) &&
           value == value_of(key, static_cast<std::uint32_t>(std::stoul(value.substr(space + 1))));
}

TEST_F(CrowdedByteStoreTest, ManyThreadsNeverReadAWrongValue) {
    std::atomic<int> wrong{0};
    std::atomic<int> hits{0};
    std::vector<std::thread> threads;
    for (unsigned number = 0; number < 4; ++number) {
        threads.emplace_back([&, number] {
            std::mt19937 random(number);
            for (int i = 0; i < 8000; ++i) {
                const std::uint32_t key = static_cast<std::uint32_t>(random()) % 3000;
                const std::string name = "key " + std::to_string(key);
                switch (random() % 8) {
                    case 0:
                    case 1:
                    case 2:
                        set(name, value_of(key, static_cast<std::uint32_t>(random())), random() % 4 == 0 ? now_ + 1 : 0);
                        break;
                    case 3:
                        store_.update(name, Need::item, [&](Item* item) -> Decision {
                            if (item != nullptr && !is_value_of(key, std::string(item->value.view()))) {
                                ++wrong;
                            }
                            return item != nullptr && key % 2 == 0 ? Decision(Remove{}) : Decision(Touch{.expires = now_ + 2});
                        });
                        break;
                    default:
                        if (const std::string value = get(name); value != "-") {
                            ++hits;
                            wrong += is_value_of(key, value) ? 0 : 1;
                        }
                }
            }
        });
    }
    for (unsigned i = 0; i < 60; ++i) {
        ++now_;
        store_.sweep(500, i % 2 == 0);
        heap_.seal();
        heap_.lose_pages(0.02, i);
        heap_.shrink(2 * mebibyte);
        if (i % 20 == 19) {
            heap_.release(4 * mebibyte);
            store_.flush(i % 40 == 19 ? 1 : 0);
        }
    }
    for (std::thread& one : threads) {
        one.join();
    }
    EXPECT_EQ(wrong, 0);
    EXPECT_GT(hits, 1000);
    EXPECT_LE(heap_.statistics().segment_bytes, 20 * mebibyte);
    store_.sweep_all(true);
    heap_.set_limit(0);
    store_.sweep_all(false);
    EXPECT_EQ(store_.statistics().items, 0U);
}

}  // namespace
}  // namespace tmm::caches
