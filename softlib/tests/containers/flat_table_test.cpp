// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/detail/flat_table.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

namespace soft::detail {
namespace {

using Number = std::unique_ptr<int>;

// Many keys want few slots, also at the end of the table, from where it continues at its beginning.
struct Crowded {
    std::size_t operator()(const std::string& key) const { return std::hash<std::string>()(key) % 3; }
};

template <class Hash>
class FlatTableTest : public testing::Test {
protected:
    FlatTable<std::string, Number, Hash, std::equal_to<>> table{Hash(), {}};
    std::map<std::string, int> model;

    void same_as_model() {
        ASSERT_EQ(table.size(), model.size());
        for (const auto& [key, number] : model) {
            const auto* slot = table.find(key);
            ASSERT_NE(slot, nullptr) << key;
            ASSERT_EQ(*slot->owner, number);
        }
        std::size_t seen = 0;
        table.for_each([&](const auto& slot) {
            ++seen;
            EXPECT_EQ(model.at(slot.key), *slot.owner);
        });
        ASSERT_EQ(seen, model.size());
    }
};
using Hashes = testing::Types<std::hash<std::string>, Crowded>;
TYPED_TEST_SUITE(FlatTableTest, Hashes);

TYPED_TEST(FlatTableTest, IsWhatAMapIs) {
    std::mt19937 random(7);
    for (int step = 0; step < 20'000; ++step) {
        const std::string key = "key " + std::to_string(random() % 150);
        const auto* slot = this->table.find(key);
        ASSERT_EQ(slot != nullptr, this->model.contains(key));
        if (slot == nullptr) {
            this->table.insert(key, std::make_unique<int>(step));
            this->model[key] = step;
        } else if (random() % 4 > 0) {
            this->table.erase(slot);
            this->model.erase(key);
        }
        if (step % 1000 == 0) {
            const int divisor = static_cast<int>(random() % 5) + 2;
            const std::size_t gone = std::erase_if(this->model, [&](const auto& item) { return item.second % divisor == 0; });
            EXPECT_EQ(this->table.erase_if([&](const auto& one) { return *one.owner % divisor == 0; }), gone);
            this->same_as_model();
        }
    }
    this->same_as_model();
    this->table.clear();
    this->model.clear();
    this->same_as_model();
}

TYPED_TEST(FlatTableTest, MovesAndSwaps) {
    this->table.insert("one", std::make_unique<int>(1));
    auto other = std::move(this->table);
    EXPECT_EQ(*other.find(std::string("one"))->owner, 1);
    FlatTable<std::string, Number, TypeParam, std::equal_to<>> third{TypeParam(), {}};
    third.insert("two", std::make_unique<int>(2));
    third.swap(other);
    EXPECT_EQ(*third.find(std::string("one"))->owner, 1);
    EXPECT_EQ(other.find(std::string("one")), nullptr);
    EXPECT_EQ(*other.find(std::string("two"))->owner, 2);
}

TYPED_TEST(FlatTableTest, WhatIsReservedIsNotMoved) {
    this->table.reserve(1000);
    const auto* first = this->table.insert("first", std::make_unique<int>(0));
    for (int i = 1; i < 1000; ++i) {
        this->table.insert("key " + std::to_string(i), std::make_unique<int>(i));
    }
    EXPECT_EQ(this->table.find(std::string("first")), first);
}

struct Touchy {
    int number;
    bool* throws;
    Touchy(int its_number, bool* when) : number(its_number), throws(when) {}
    Touchy(const Touchy& other) : number(other.number), throws(other.throws) {
        if (*throws) {
            throw std::runtime_error("no copy");
        }
    }
    Touchy& operator=(const Touchy&) = delete;
    ~Touchy() = default;
    bool operator==(const Touchy& other) const { return number == other.number; }
};
struct HashOfTouchy {
    std::size_t operator()(const Touchy& key) const { return static_cast<std::size_t>(key.number) % 2; }
};

class TouchyTableTest : public testing::Test {
protected:
    bool throws = false;
    FlatTable<Touchy, std::shared_ptr<int>, HashOfTouchy, std::equal_to<>> table{{}, {}};
    std::shared_ptr<int> owned = std::make_shared<int>(0);

    void fill(int keys) {
        for (int i = 0; i < keys; ++i) {
            table.insert(Touchy(i, &throws), owned);
        }
    }
    void is_empty_and_usable() {
        throws = false;
        EXPECT_EQ(table.size(), 0U);
        EXPECT_EQ(owned.use_count(), 1);
        fill(20);
        EXPECT_EQ(table.size(), 20U);
        EXPECT_EQ(owned.use_count(), 21);
    }
};

TEST_F(TouchyTableTest, AKeyThatCannotBeCopiedIsNotInserted) {
    fill(3);
    throws = true;
    EXPECT_THROW(table.insert(Touchy(3, &throws), owned), std::runtime_error);
    EXPECT_EQ(table.size(), 3U);
    EXPECT_EQ(owned.use_count(), 4);
    EXPECT_EQ(table.find(Touchy(3, &throws)), nullptr);
    EXPECT_NE(table.find(Touchy(2, &throws)), nullptr);
}

TEST_F(TouchyTableTest, AnExceptionWhileItGrowsLeavesItEmpty) {
    fill(6);
    throws = true;
    EXPECT_THROW(table.insert(Touchy(6, &throws), owned), std::runtime_error);
    is_empty_and_usable();
}

TEST_F(TouchyTableTest, AnExceptionInARemovalLeavesItEmpty) {
    fill(6);
    throws = true;
    EXPECT_THROW(table.erase(table.find(Touchy(0, &throws))), std::runtime_error);
    is_empty_and_usable();
}

}  // namespace
}  // namespace soft::detail
