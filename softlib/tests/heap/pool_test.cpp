// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/pool.hpp"

#include <sys/resource.h>

#include <array>
#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/soft_test.hpp"

namespace soft {
namespace {

struct Point {
    std::int64_t x = 0;
    std::int64_t y = 0;
    bool operator==(const Point&) const = default;
};

class PoolTest : public SoftTest {
protected:
    int rebuilds = 0;
    pool<Point, int> points{heap, "points", [this](int n) {
                                ++rebuilds;
                                return Point{n, -n};
                            }};
};

TEST_F(PoolTest, AnObjectIsBuiltWhenItIsReadForTheFirstTime) {
    const auto point = points.make();
    EXPECT_EQ(point.try_get(), std::nullopt);
    EXPECT_EQ(point.read(7), (Point{7, -7}));
    EXPECT_EQ(point.read(7), (Point{7, -7}));
    EXPECT_EQ(rebuilds, 1);
}

TEST_F(PoolTest, WhatIsWrittenIsRead) {
    const auto point = points.make({1, 2});
    EXPECT_EQ(point.try_get(), (Point{1, 2}));
    point.write({3, 4});
    EXPECT_EQ(point.try_get(), (Point{3, 4}));
    EXPECT_EQ(rebuilds, 0);
}

TEST_F(PoolTest, WhatTheKernelTookIsGoneOrRebuilt) {
    const auto gone = points.make({1, 2});
    const auto rebuilt = points.make({3, 4});
    lose_all();
    EXPECT_EQ(gone.try_get(), std::nullopt);
    EXPECT_EQ(rebuilt.read(5), (Point{5, -5}));
    EXPECT_EQ(points.statistics().lost, 1U);
    EXPECT_EQ(points.statistics().rebuilds, 1U);
}

TEST_F(PoolTest, AnOfferedSegmentStillHasWhatTheKernelLeaves) {
    const auto point = points.make({1, 2});
    heap.seal();
    EXPECT_EQ(os.offered, detail::segment_bytes);
    EXPECT_EQ(point.try_get(), (Point{1, 2}));
}

TEST_F(PoolTest, AClearedObjectIsRebuilt) {
    const auto point = points.make({1, 2});
    point.clear();
    EXPECT_EQ(point.try_get(), std::nullopt);
    EXPECT_EQ(point.read(9), (Point{9, -9}));
}

TEST_F(PoolTest, CompareExchangeWritesOnlyWhatWasExpected) {
    const auto point = points.make({1, 2});
    Point expected{9, 9};
    EXPECT_FALSE(point.compare_exchange(expected, {5, 6}));
    EXPECT_EQ(expected, (Point{1, 2}));
    EXPECT_TRUE(point.compare_exchange(expected, {5, 6}));
    EXPECT_EQ(point.try_get(), (Point{5, 6}));
    point.clear();
    EXPECT_FALSE(point.compare_exchange(expected, {7, 8}));
    EXPECT_EQ(point.try_get(), std::nullopt);
}

TEST_F(PoolTest, WithGivesACopyToUse) {
    const auto point = points.make({1, 2});
    EXPECT_EQ(point.with([](const Point& p) { return p.x + p.y; }, 0), 3);
}

TEST_F(PoolTest, AReconstructorsExceptionReachesTheReaderAndLeavesTheObjectSound) {
    bool works = false;
    pool<Point, int> shaky(heap, "shaky", [&](int n) {
        if (!works) {
            throw std::runtime_error("no network");
        }
        return Point{n, n};
    });
    const auto point = shaky.make();
    EXPECT_THROW(point.read(1), std::runtime_error);
    EXPECT_THROW(point.read(1), std::runtime_error);
    works = true;
    EXPECT_EQ(point.read(1), (Point{1, 1}));
    EXPECT_EQ(shaky.statistics().failed_rebuilds, 2U);
}

TEST_F(PoolTest, AReconstructorThatReadsItsOwnObjectIsAnError) {
    const unique_ptr<Point, int>* self = nullptr;
    pool<Point, int> recursive(heap, "recursive", [&](int n) { return self->read(n); });
    const auto point = recursive.make();
    self = &point;
    EXPECT_THROW(point.read(1), recursive_rebuild);
    EXPECT_THROW(point.read(1), recursive_rebuild);
}

TEST_F(PoolTest, AReconstructorMayReadOtherObjects) {
    const auto point = points.make();
    pool<Point, int> mirrored(heap, "mirrored", [&](int n) {
        const Point p = point.read(n);
        return Point{p.y, p.x};
    });
    EXPECT_EQ(mirrored.make().read(3), (Point{-3, 3}));
}

TEST_F(PoolTest, SharedPointersDropTheObjectWithTheLastOfThem) {
    auto one = points.make_shared({1, 2});
    {
        const auto other = one;
        EXPECT_EQ(one.use_count(), 2U);
        EXPECT_EQ(other.try_get(), (Point{1, 2}));
    }
    EXPECT_EQ(one.use_count(), 1U);
    EXPECT_EQ(points.statistics().objects, 1U);
    one.reset();
    EXPECT_EQ(points.statistics().objects, 0U);
}

TEST_F(PoolTest, StringsOfAnySizeComeBackWhole) {
    pool<std::string, std::size_t> strings(heap, "strings", [](std::size_t n) { return std::string(n, 'r'); });
    std::vector<unique_ptr<std::string, std::size_t>> kept;
    const std::vector<std::size_t> sizes = {
        0, 1, 3, 511, 512, 513, 4079, 4080, 4081, 4088, 8192, 40000, 1000000, 2 << 20U, (4 << 20U) + 1, 12345678, 3 * (2 << 20U)};
    for (const std::size_t size : sizes) {
        std::string text(size, 'w');
        for (std::size_t i = 0; i < size; ++i) {
            text[i] = static_cast<char>('a' + i * 7 % 26);
        }
        kept.push_back(strings.make(text));
        ASSERT_TRUE(kept.back().try_get() == text) << size;
    }
    heap.seal();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_EQ(kept[i].read(sizes[i]).size(), sizes[i]);
    }
    lose_all();
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        EXPECT_TRUE(kept[i].read(sizes[i]) == std::string(sizes[i], 'r')) << sizes[i];
    }
}

TEST_F(PoolTest, ALargeObjectOfWhichOnePageIsLostIsGone) {
    using Block = std::array<std::byte, 100000>;
    pool<Block> blocks(heap, "blocks", [] { return Block{}; });
    const auto block = blocks.make(Block{});
    std::vector<unique_ptr<Block>> more;
    heap.seal();
    for (std::uint64_t seed = 1; seed < 100 && block.try_get(); ++seed) {
        heap.lose_pages(1.0 / detail::pages_per_segment, seed);
    }
    EXPECT_EQ(block.try_get(), std::nullopt);
    EXPECT_EQ(blocks.statistics().lost, 0U);
    block.read();
    EXPECT_EQ(blocks.statistics().lost, 1U);
}

TEST_F(PoolTest, ManyReadersRebuildALostObjectOnce) {
    std::atomic<int> built{0};
    pool<Point, int> slow(heap, "slow", [&](int n) {
        ++built;
        std::this_thread::yield();
        return Point{n, n};
    });
    const auto point = slow.make();
    std::vector<std::thread> readers;
    std::atomic<int> wrong{0};
    for (int i = 0; i < 8; ++i) {
        readers.emplace_back([&] { wrong += point.read(4) == Point{4, 4} ? 0 : 1; });
    }
    for (std::thread& reader : readers) {
        reader.join();
    }
    EXPECT_EQ(built, 1);
    EXPECT_EQ(wrong, 0);
}

TEST_F(PoolTest, AWriteDuringARebuildWins) {
    const unique_ptr<Point, int>* written = nullptr;
    pool<Point, int> slow(heap, "slow", [&](int n) {
        written->write({100, 100});
        return Point{n, n};
    });
    const auto point = slow.make();
    written = &point;
    EXPECT_EQ(point.read(4), (Point{4, 4}));
    EXPECT_EQ(point.try_get(), (Point{100, 100}));
}

// A writer may read the entry just before a rebuild begins, and write just after.
TEST_F(PoolTest, AWriteThatDidNotSeeARebuildLeavesNobodyWaiting) {
    detail::TypedPool<Point, int> entries(heap, "entries", [](int n) { return Point{n, n}; });
    for (int round = 0; round < 200; ++round) {
        detail::AtomicWord* entry = entries.new_entry();
        ASSERT_EQ(entries.take_turn(entry), detail::PoolBase::Turn::rebuild);
        std::atomic<bool> begins{false};
        std::thread waiting([&] {
            begins = true;
            EXPECT_EQ(entries.take_turn(entry), detail::PoolBase::Turn::try_again);
        });
        while (!begins) {
            std::this_thread::yield();
        }
        for (int i = 0; i < round; ++i) {
            std::this_thread::yield();
        }
        const Point newer{1, 2};
        detail::AtomicWord* elsewhere = entries.new_entry();
        entries.store(elsewhere, &newer, sizeof newer);
        entry->store(elsewhere->exchange(0));
        const Point older{3, 4};
        entries.rebuilt(entry, &older, sizeof older, std::chrono::nanoseconds(1));
        waiting.join();
        Point read;
        ASSERT_TRUE(detail::PoolBase::read_fixed(entry, &read, sizeof read));
        EXPECT_EQ(read, newer);
        entries.free_entry(entry);
        entries.free_entry(elsewhere);
    }
}

TEST_F(PoolTest, AGlimpseSeesTheObjectOfItsMoment) {
    detail::TypedPool<std::string> strings(heap, "strings", [] { return std::string(); });
    for (const std::size_t size : {std::size_t{3}, std::size_t{5000}}) {
        const std::string first(size, 'a');
        const std::string second(size, 'b');
        detail::AtomicWord* entry = strings.new_entry_with(first);
        const detail::Glimpse<std::string> glimpse(entry);
        EXPECT_EQ(glimpse.read(), first);
        strings.free_entry(entry);
        ASSERT_EQ(strings.new_entry_with(second), entry);
        EXPECT_NE(glimpse.read(), second);
        heap.seal();
        heap.release(100 * mebibyte);
        EXPECT_EQ(glimpse.read(), std::nullopt);
        strings.free_entry(entry);
    }
}

TEST_F(PoolTest, ARowIsStoredFromItsPlace) {
    const std::string text(10'000, 'x');
    EXPECT_TRUE(detail::Content<std::string>::saved(
        text, [&](const void* object, std::size_t bytes) { return object == text.data() && bytes == text.size(); }));
    EXPECT_TRUE(detail::Content<std::vector<int>>::saved(
        {}, [](const void* object, std::size_t bytes) { return object != nullptr && bytes == 0; }));
}

TEST_F(PoolTest, AnEntryGoesFromOnePointerToAnother) {
    auto point = points.make({1, 2});
    detail::AtomicWord* entry = point.release();
    EXPECT_FALSE(point);
    const unique_ptr<Point, int> other(points, entry);
    EXPECT_EQ(other.try_get(), (Point{1, 2}));
    EXPECT_EQ(points.statistics().objects, 1U);
}

TEST_F(PoolTest, ALookAtManyReleasedObjectsTouchesNoneOfTheirMemory) {
    soft::heap real({.limit_bytes = 64 << 20, .background = false});
    pool<std::string> texts(real, "texts", [] { return std::string(); });
    std::vector<unique_ptr<std::string>> kept;
    for (int i = 0; i < 5000; ++i) {
        kept.push_back(texts.make(std::string(4000, 'x')));
    }
    const auto never_stored = texts.make();
    EXPECT_FALSE(never_stored.may_be_there());
    EXPECT_TRUE(kept.front().may_be_there());
    real.seal();
    real.release(SIZE_MAX);
    const auto faults = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_minflt;
    };
    const auto before = faults();
    for (auto& one : kept) {
        EXPECT_FALSE(one.may_be_there());
        EXPECT_FALSE(one.is_there());
        one.reset();
    }
    EXPECT_LT(faults() - before, 1000);
}

TEST_F(PoolTest, EntriesAreUsedAgain) {
    for (int i = 0; i < 100000; ++i) {
        const auto point = points.make({i, i});
        ASSERT_EQ(point.try_get(), (Point{i, i}));
    }
    EXPECT_LE(heap.statistics().metadata_bytes, mebibyte);
}

struct Odd {
    std::array<std::uint8_t, 12> bytes;
    bool operator==(const Odd&) const = default;
};

// Values that begin in one page and end in the next.
TEST_F(PoolTest, RowsOfAnySizeAreReadAsTheyWereWritten) {
    pool<std::vector<Odd>, std::size_t> rows(heap, "rows", [](std::size_t) { return std::vector<Odd>(); });
    for (const std::size_t values : {0U, 1U, 42U, 43U, 340U, 341U, 342U, 1000U, 20'000U, 200'000U}) {
        std::vector<Odd> row(values);
        for (std::size_t i = 0; i < values; ++i) {
            row[i].bytes.fill(static_cast<std::uint8_t>(i % 251 + 1));
        }
        const auto kept = rows.make(row);
        EXPECT_TRUE(kept.try_get() == row) << values;
        EXPECT_TRUE(kept.read(0) == row) << values;
    }
}

}  // namespace
}  // namespace soft
