// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// Rebuilds that others overtake, that fail late, and that need each other.
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <latch>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "src/reuse/counted_time.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

class RebuildTest : public SoftTest {};

TEST_F(RebuildTest, ARebuildFromBeforeAClearIsNotKept) {
    const unique_ptr<int>* object = nullptr;
    std::thread second;
    std::latch second_began(1);
    std::latch first_ended(1);
    int source = 1;
    pool<int> numbers(heap, "numbers", [&] {
        const int made = source;
        if (made == 1) {
            source = 2;
            object->clear();
            second = std::thread([&] { EXPECT_EQ(object->read(), 2); });
            second_began.wait();
        } else {
            second_began.count_down();
            first_ended.wait();
        }
        return made;
    });
    const auto number = numbers.make();
    object = &number;
    EXPECT_EQ(number.read(), 1);
    EXPECT_EQ(number.try_get(), std::nullopt);
    first_ended.count_down();
    second.join();
    EXPECT_EQ(number.try_get(), 2);
}

// If the first could end the second one's turn, a third would rebuild beside the second.
TEST_F(RebuildTest, ARebuildThatFailsEndsOnlyItsOwnTurn) {
    const unique_ptr<int>* object = nullptr;
    std::thread second;
    std::latch second_began(1);
    std::latch first_ended(1);
    std::atomic<int> calls{0};
    pool<int> numbers(heap, "numbers", [&]() -> int {
        const int call = ++calls;
        if (call == 1) {
            object->clear();
            second = std::thread([&] { EXPECT_EQ(object->read(), 2); });
            second_began.wait();
            throw std::runtime_error("no network");
        }
        if (call == 2) {
            second_began.count_down();
            first_ended.wait();
        }
        return call;
    });
    const auto number = numbers.make();
    object = &number;
    EXPECT_THROW(number.read(), std::runtime_error);
    std::thread third([&] { EXPECT_EQ(number.read(), 2); });
    // The third waits, or finds the second one's result.
    for (int i = 0; i < 1000; ++i) {
        std::this_thread::yield();
    }
    EXPECT_EQ(calls, 2);
    first_ended.count_down();
    second.join();
    third.join();
    EXPECT_EQ(number.try_get(), 2);
}

// Otherwise the outer object would seem to cost what the other thread does.
TEST_F(RebuildTest, WaitingForAnotherThreadIsNoCostOfTheOuterObject) {
    std::atomic<bool> inner_began{false};
    std::atomic<bool> outer_began{false};
    pool<int> inner(heap, "inner", [&] {
        inner_began = true;
        while (!outer_began) {
        }
        // The other thread waits meanwhile, most probably.
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        return 1;
    });
    const auto needed = inner.make();
    std::chrono::nanoseconds waited{0};
    pool<int> outer(heap, "outer", [&] {
        outer_began = true;
        const auto before = detail::counted_time();
        const int made = needed.read();
        waited = detail::counted_time() - before;
        return made;
    });
    const auto object = outer.make();
    for (int attempt = 0; attempt < 100 && waited.count() == 0; ++attempt) {
        inner_began = outer_began = false;
        needed.clear();
        object.clear();
        std::thread other([&] { EXPECT_EQ(needed.read(), 1); });
        while (!inner_began) {
        }
        const auto before = detail::counted_time();
        const auto start = std::chrono::steady_clock::now();
        EXPECT_EQ(object.read(), 1);
        const auto took = std::chrono::steady_clock::now() - start;
        EXPECT_LE(detail::counted_time() - before, took) << "each moment counts once";
        other.join();
    }
    EXPECT_GT(waited.count(), 0);
}

TEST_F(RebuildTest, AReconstructorThatClearsAndReadsItsOwnObjectIsAnError) {
    const unique_ptr<int>* self = nullptr;
    int depth = 0;
    pool<int> numbers(heap, "numbers", [&]() -> int {
        if (++depth > 10) {
            throw std::runtime_error("no end");
        }
        self->clear();
        return self->read();
    });
    const auto number = numbers.make();
    self = &number;
    EXPECT_THROW(number.read(), recursive_rebuild);
}

TEST_F(RebuildTest, AnExchangeNeedsAnObjectToReplace) {
    detail::TypedPool<int> numbers(heap, "numbers", [] { return 1; });
    detail::AtomicWord* entry = numbers.new_entry();
    const int value = 7;
    EXPECT_FALSE(numbers.store_if(entry, 0, &value, sizeof value));
    EXPECT_FALSE(numbers.holds(entry));
    // Nor does it end the turn of somebody who rebuilds.
    ASSERT_EQ(numbers.take_turn(entry), detail::PoolBase::Turn::rebuild);
    EXPECT_FALSE(numbers.store_if(entry, entry->load(), &value, sizeof value));
    EXPECT_FALSE(numbers.holds(entry));
    numbers.not_rebuilt(entry);
    numbers.free_entry(entry);
}

/// Throws at its first copy after it was saved.
struct Fragile {
    explicit Fragile(int its_number) : number(its_number) {}
    Fragile(const Fragile& other) : number(other.number) {
        if (armed) {
            armed = false;
            throw std::runtime_error("no copy");
        }
    }
    Fragile& operator=(const Fragile&) = default;

    int number;
    static inline bool armed = false;
};

}  // namespace

template <>
struct serializer<Fragile> {
    static std::size_t size(const Fragile& /*value*/) { return sizeof(int); }
    static void save(const Fragile& value, std::span<std::byte> to) {
        std::memcpy(to.data(), &value.number, sizeof value.number);
        Fragile::armed = true;
    }
    static Fragile load(std::span<const std::byte> from) {
        Fragile::armed = false;
        int number = 0;
        std::memcpy(&number, from.data(), sizeof number);
        return Fragile(number);
    }
};

namespace {

int number_of(const unique_ptr<Fragile>& object) {
    try {
        return object.read().number;
    } catch (const std::runtime_error&) {
        // A compiler may leave the copy out.
        return 7;
    }
}

TEST_F(RebuildTest, AnObjectIsKeptThoughItsCopyForTheReaderThrows) {
    pool<Fragile> fragiles(heap, "fragiles", [] { return Fragile(7); });
    const auto fragile = fragiles.make();
    EXPECT_EQ(number_of(fragile), 7);
    EXPECT_EQ(fragile.read().number, 7);
    EXPECT_EQ(fragiles.statistics().rebuilds, 1U);
    EXPECT_EQ(fragiles.statistics().failed_rebuilds, 0U);
}

TEST_F(RebuildTest, ACopyThatThrowsInARebuildLeavesTheOuterOneAlone) {
    pool<Fragile> fragiles(heap, "fragiles", [] { return Fragile(7); });
    const auto fragile = fragiles.make();
    pool<int> outer(heap, "outer", [&] { return number_of(fragile) + 1; });
    const auto object = outer.make();
    EXPECT_EQ(object.read(), 8);
    EXPECT_EQ(object.try_get(), 8);
    EXPECT_EQ(outer.statistics().rebuilds, 1U);
}

/// Objects of one pool, each of which needs the next one. Every rebuild waits until all have begun.
class RingTest : public RebuildTest {
protected:
    void everybody_reads(std::size_t objects) {
        std::latch all_began(static_cast<std::ptrdiff_t>(objects));
        std::vector<unique_ptr<int, std::size_t>> ring;
        pool<int, std::size_t> numbers(heap, "numbers", [&](std::size_t n) {
            if (first_turn) {
                first_turn = false;
                all_began.arrive_and_wait();
            }
            return ring[(n + 1) % objects].read((n + 1) % objects);
        });
        for (std::size_t n = 0; n < objects; ++n) {
            ring.push_back(numbers.make());
        }
        std::vector<std::thread> readers;
        for (std::size_t n = 0; n < objects; ++n) {
            readers.emplace_back([&, n] {
                first_turn = true;
                EXPECT_THROW(ring[n].read(n), recursive_rebuild);
            });
        }
        for (std::thread& reader : readers) {
            reader.join();
        }
        ring.clear();
    }
    static inline thread_local bool first_turn = false;
};

TEST_F(RingTest, TwoThreadsWhoseObjectsNeedEachOtherGetAnError) {
    everybody_reads(2);
}
TEST_F(RingTest, SoDoManyThreads) {
    everybody_reads(5);
}

}  // namespace
}  // namespace soft
