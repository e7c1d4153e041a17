// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "caches/cached/service/operations.hpp"

#include <gtest/gtest.h>

#include "softlib/heap.hpp"

namespace tmm::caches {
namespace {

// A store with a clock that stands still until a test moves it.
class OperationsTest : public testing::Test {
protected:
    std::string value_of(std::string_view key) {
        const auto item = operations_.get(key);
        return item ? std::string(item->value.view()) : "none";
    }
    StoreResult store(StoreMode mode, std::string_view value, std::optional<std::uint64_t> cas = std::nullopt) {
        return operations_.store({.mode = mode, .key = "key", .value = value, .compare_cas = cas}).result;
    }
    std::uint64_t cas() { return operations_.look("key")->cas; }

    std::uint32_t now_ = 2;
    soft::heap heap_{soft::heap_options{.limit_bytes = std::size_t{16} << 20, .background = false}};
    ByteStore store_{{.heap = heap_, .now = [this] { return now_; }, .secret = HashSecret{}}};
    Counters counters_;
    Operations operations_{store_, counters_, [this] { return ServerTime{now_, 1'700'000'000}; }};
};

TEST_F(OperationsTest, StoreDependsOnWhatIsThere) {
    EXPECT_EQ(store(StoreMode::replace, "a"), StoreResult::not_stored);
    EXPECT_EQ(store(StoreMode::append, "a"), StoreResult::not_stored);
    EXPECT_EQ(store(StoreMode::cas, "a", 1), StoreResult::not_found);
    EXPECT_EQ(store(StoreMode::add, "b"), StoreResult::stored);
    EXPECT_EQ(store(StoreMode::add, "c"), StoreResult::not_stored);
    EXPECT_EQ(store(StoreMode::append, "c"), StoreResult::stored);
    EXPECT_EQ(store(StoreMode::prepend, "a"), StoreResult::stored);
    EXPECT_EQ(value_of("key"), "abc");
    EXPECT_EQ(store(StoreMode::cas, "d", cas() + 1), StoreResult::exists);
    EXPECT_EQ(store(StoreMode::append, "d", cas() + 1), StoreResult::exists);
    EXPECT_EQ(store(StoreMode::cas, "d", cas()), StoreResult::stored);
    EXPECT_EQ(value_of("key"), "d");
    EXPECT_EQ(counters_.get(Count::cas_misses), 1U);
    EXPECT_EQ(counters_.get(Count::cas_badval), 1U);
    EXPECT_EQ(counters_.get(Count::cas_hits), 1U);
}

TEST_F(OperationsTest, NumbersKeepTheLengthOfTheirText) {
    store(StoreMode::set, "10");
    EXPECT_EQ(operations_.add({.key = "key", .increments = false}).number, 9U);
    EXPECT_EQ(value_of("key"), "9 ");
    EXPECT_EQ(operations_.add({.key = "key", .delta = 991}).number, 1000U);
    EXPECT_EQ(operations_.add({.key = "key", .increments = false, .delta = UINT64_MAX}).number, 0U);
    store(StoreMode::set, "18446744073709551615");
    EXPECT_EQ(operations_.add({.key = "key", .delta = 2}).number, 1U);
    for (const char* const text : {"", "x", "1x", "-1", "18446744073709551616"}) {
        store(StoreMode::set, text);
        EXPECT_EQ(operations_.add({.key = "key"}).result, DeltaResult::non_numeric) << text;
    }
}

TEST_F(OperationsTest, NumbersBeginWithAnInitialValue) {
    EXPECT_EQ(operations_.add({.key = "key"}).result, DeltaResult::not_found);
    const Changed made = operations_.add({.key = "key", .delta = 5, .initial = 7, .initial_expiry = 10});
    EXPECT_EQ(made.result, DeltaResult::created);
    EXPECT_EQ(made.number, 7U);
    EXPECT_EQ(made.expires, 12U);
    now_ = 12;
    EXPECT_EQ(value_of("key"), "none");
}

TEST_F(OperationsTest, AStaleItemIsWonOnce) {
    store(StoreMode::set, "old");
    EXPECT_EQ(operations_.meta_remove({.key = "key", .marks_stale = true, .expiry = 30}), RemoveResult::removed);
    const auto first = operations_.meta_get({.key = "key"});
    ASSERT_TRUE(first);
    EXPECT_EQ(first->item.value.view(), "old");
    EXPECT_NE(first->item.marks & mark_stale, 0);
    EXPECT_TRUE(first->won);
    const auto second = operations_.meta_get({.key = "key"});
    EXPECT_FALSE(second->won);
    EXPECT_TRUE(second->already_won);
    store(StoreMode::set, "new");
    EXPECT_FALSE(operations_.meta_get({.key = "key"})->already_won);
}

TEST_F(OperationsTest, AMissingItemIsWonOnce) {
    const auto first = operations_.meta_get({.key = "key", .vivify_expiry = 30});
    ASSERT_TRUE(first);
    EXPECT_TRUE(first->won);
    EXPECT_EQ(first->item.expires, 32U);
    EXPECT_TRUE(operations_.meta_get({.key = "key", .vivify_expiry = 30})->already_won);
}

TEST_F(OperationsTest, AnOlderValueIsStoredAsStale) {
    operations_.store({.key = "key", .value = "new", .new_cas = 100});
    EXPECT_EQ(
        operations_.store({.mode = StoreMode::cas, .key = "key", .value = "old", .compare_cas = 99, .takes_older = true}).result,
        StoreResult::stored);
    EXPECT_NE(operations_.look("key")->marks & mark_stale, 0);
    EXPECT_EQ(
        operations_.store({.mode = StoreMode::cas, .key = "key", .value = "x", .compare_cas = UINT64_MAX, .takes_older = true})
            .result,
        StoreResult::exists);
}

TEST_F(OperationsTest, AnEmptiedItemLeavesItsName) {
    store(StoreMode::set, "value");
    operations_.meta_remove({.key = "key", .empties = true});
    EXPECT_EQ(value_of("key"), "");
}

}  // namespace
}  // namespace tmm::caches
