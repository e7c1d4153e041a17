// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "softlib/array.hpp"
#include "softlib/queue.hpp"
#include "softlib/unordered_map.hpp"
#include "tests/fake_os.hpp"
#include "tests/mebibyte.hpp"

namespace soft {
namespace {

class ContainersTest : public testing::Test {
protected:
    detail::FakeOs os;
    soft::heap heap{{.limit_bytes = 32 * mebibyte, .reserve_bytes = 64 * mebibyte, .background = false, .os = &os}};

    void lose_all() {
        heap.seal();
        heap.lose_pages(1.0, 1);
    }
};

TEST_F(ContainersTest, AnArrayMakesItsElementsFromTheirIndex) {
    array<std::uint64_t> squares(heap, "squares", 1000, [](std::size_t i) { return std::uint64_t{i} * i; });
    EXPECT_EQ(squares.size(), 1000U);
    EXPECT_EQ(squares.try_get(30), std::nullopt);
    EXPECT_EQ(squares.read(30), 900U);
    EXPECT_EQ(squares.try_get(30), 900U);
    squares.write(30, 7);
    EXPECT_EQ(squares.read(30), 7U);
    lose_all();
    EXPECT_EQ(squares.try_get(30), std::nullopt);
    EXPECT_EQ(squares.read(30), 900U);
    EXPECT_THROW(squares.read(1000), std::out_of_range);
    EXPECT_THROW(squares.write(1000, 1), std::out_of_range);
}

TEST_F(ContainersTest, AnArrayMayBeMovedAndBeEmpty) {
    array<int> one(heap, "one", 3, [](std::size_t i) { return static_cast<int>(i); });
    one.write(2, 42);
    array<int> other = std::move(one);
    EXPECT_EQ(other.read(2), 42);
    other.clear();
    EXPECT_EQ(other.read(2), 2);
    array<int> third(heap, "third", 5, [](std::size_t i) { return static_cast<int>(i) + 100; });
    third.write(1, 7);
    third = std::move(other);
    EXPECT_EQ(third.size(), 3U);
    EXPECT_EQ(third.read(2), 2);
    const array<int> none(heap, "none", 0, [](std::size_t) { return 0; });
    EXPECT_TRUE(none.empty());
    EXPECT_THROW(static_cast<void>(none.read(0)), std::out_of_range);
}

TEST_F(ContainersTest, MoreElementsThanThereCanBeAreAnError) {
    const auto one = [](std::size_t) { return 1; };
    EXPECT_THROW(array<int>(heap, "array", SIZE_MAX, one), std::length_error);
    unordered_map<std::size_t, int> map(heap, "map", one);
    for (const std::size_t keys : {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX / 4 * 3, std::size_t{1} << 60}) {
        EXPECT_THROW(map.reserve(keys), std::bad_alloc) << keys;
    }
    EXPECT_EQ(map.get(7), 1);
    map.reserve(0);
    EXPECT_EQ(map.size(), 1U);
}

TEST_F(ContainersTest, AQueueLeavesOutWhatIsGone) {
    queue<std::string> work(heap, "work");
    work.push("first");
    work.push("second");
    EXPECT_EQ(work.size(), 2U);
    EXPECT_EQ(work.pop(), "first");
    lose_all();
    work.push("third");
    EXPECT_EQ(work.pop(), "third");
    EXPECT_EQ(work.lost(), 1U);
    EXPECT_EQ(work.pop(), std::nullopt);
}

TEST_F(ContainersTest, AQueueGivesEachElementToOneThread) {
    queue<int> work(heap, "work");
    std::atomic<int> sum{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
        threads.emplace_back([&] {
            for (int i = 1; i <= 1000; ++i) {
                work.push(i);
                sum += work.pop().value_or(0);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    while (const auto rest = work.pop()) {
        sum += *rest;
    }
    EXPECT_EQ(sum, 4 * 1000 * 1001 / 2);
}

struct AnyStringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};
using Lengths = unordered_map<std::string, std::uint64_t, AnyStringHash, std::equal_to<>>;

TEST_F(ContainersTest, AMapMakesValuesFromTheirKeys) {
    Lengths lengths(heap, "lengths", [](const std::string& key) { return std::uint64_t{key.size()}; });
    EXPECT_EQ(lengths.find("four"), std::nullopt);
    EXPECT_EQ(lengths.get("four"), 4U);
    EXPECT_EQ(lengths.try_get(std::string_view("four")), 4U);
    EXPECT_TRUE(lengths.contains(std::string_view("four")));
    EXPECT_TRUE(lengths.insert_or_assign("three", 3));
    EXPECT_FALSE(lengths.insert_or_assign("three", 33));
    EXPECT_EQ(lengths.find("three"), 33U);
    lose_all();
    EXPECT_EQ(lengths.size(), 2U);
    EXPECT_EQ(lengths.try_get("three"), std::nullopt);
    EXPECT_EQ(lengths.find("three"), 5U);
    EXPECT_EQ(lengths.erase_lost(), 1U);
    EXPECT_FALSE(lengths.contains("four"));
    EXPECT_EQ(lengths.erase("three"), 1U);
    EXPECT_TRUE(lengths.empty());
}

TEST_F(ContainersTest, AMapWhoseReconstructorThrowsKeepsTheKey) {
    unordered_map<int, int> shaky(heap, "shaky", [](int key) -> int { throw std::runtime_error(std::to_string(key)); });
    EXPECT_THROW(shaky.get(1), std::runtime_error);
    EXPECT_EQ(shaky.try_get(1), std::nullopt);
    shaky.insert_or_assign(1, 10);
    EXPECT_EQ(shaky.get(1), 10);
}

TEST_F(ContainersTest, AMapMayBeAssignedToAnother) {
    auto negative = [](int key) { return -key; };
    unordered_map<int, int> one(heap, "one", negative);
    unordered_map<int, int> other(heap, "other", [](int key) { return key; });
    one.get(3);
    other.get(4);
    other = std::move(one);
    EXPECT_EQ(other.find(3), -3);
    EXPECT_EQ(other.find(4), std::nullopt);
    const unordered_map<int, int> third = std::move(other);
    EXPECT_EQ(third.find(3), -3);
}

// Each insertion may move all keys, also that of the value that is being made.
TEST_F(ContainersTest, AReconstructorMayFillItsMap) {
    unordered_map<std::string, std::uint64_t>* numbers = nullptr;
    unordered_map<std::string, std::uint64_t> fibonacci(heap, "fibonacci", [&](const std::string& key) {
        const int n = std::stoi(key);
        return n < 2 ? std::uint64_t(n) : numbers->get(std::to_string(n - 1)) + numbers->get(std::to_string(n - 2));
    });
    numbers = &fibonacci;
    EXPECT_EQ(fibonacci.get("90"), 2'880'067'194'370'816'120U);
    EXPECT_EQ(fibonacci.size(), 91U);
}

// Random operations beside a map that loses nothing: each value that is there must be equal, and find() must always return it.
TEST_F(ContainersTest, AMapIsWhatItsModelIsButForLosses) {
    auto made = [](int key) { return std::string(static_cast<std::size_t>(key % 3000), static_cast<char>('a' + key % 26)); };
    unordered_map<int, std::string> soft(heap, "soft", made);
    std::map<int, std::string> model;
    std::mt19937 random(7);
    for (int step = 0; step < 60000; ++step) {
        const int key = static_cast<int>(random() % 2000);
        switch (random() % 8) {
            case 0:
                soft.insert_or_assign(key, made(key));
                model[key] = made(key);
                break;
            case 1:
                ASSERT_EQ(soft.erase(key), model.erase(key));
                break;
            case 2:
                if (random() % 500 == 0) {
                    heap.seal();
                    heap.lose_pages(0.3, random());
                } else if (random() % 500 == 0) {
                    heap.release(2 * mebibyte);
                } else if (random() % 500 == 0) {
                    heap.evacuate();
                }
                break;
            case 3:
                ASSERT_TRUE(soft.get(key) == made(key));
                model[key] = made(key);
                break;
            case 4: {
                const auto there = soft.try_get(key);
                ASSERT_TRUE(!there || (model.contains(key) && *there == model[key]));
                break;
            }
            default: {
                const auto found = soft.find(key);
                ASSERT_EQ(found.has_value(), model.contains(key));
                ASSERT_TRUE(!found || *found == model[key]);
            }
        }
        ASSERT_EQ(soft.size(), model.size());
    }
    std::size_t seen = 0;
    soft.for_each([&](int key, const std::string& value) {
        ++seen;
        EXPECT_TRUE(model[key] == value);
    });
    EXPECT_LE(seen, model.size());
    EXPECT_GT(soft.statistics().lost, 0U);
}

}  // namespace
}  // namespace soft
