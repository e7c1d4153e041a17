// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/heap.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <latch>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/blocks.hpp"
#include "tests/fake_os.hpp"
#include "tests/mebibyte.hpp"

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

namespace soft {
namespace {

class HeapTest : public testing::Test {
protected:
    detail::FakeOs os;
    std::unique_ptr<soft::heap> heap = make({.limit_bytes = 8 * mebibyte});
    std::unique_ptr<pool<Block, std::uint64_t>> blocks = make_pool();
    std::vector<unique_ptr<Block, std::uint64_t>> kept;

    std::unique_ptr<soft::heap> make(heap_options options) {
        options.background = false;
        options.os = &os;
        if (options.reserve_bytes == 0) {
            options.reserve_bytes = 32 * mebibyte;
        }
        return std::make_unique<soft::heap>(options);
    }
    std::unique_ptr<pool<Block, std::uint64_t>> make_pool() {
        return std::make_unique<pool<Block, std::uint64_t>>(*heap, "blocks", block_of);
    }
    void start(heap_options options) {
        kept.clear();
        blocks.reset();
        heap = make(options);
        blocks = make_pool();
    }
    void fill(std::size_t objects) {
        for (std::size_t i = 0; i < objects; ++i) {
            kept.push_back(blocks->make(block_of(kept.size())));
        }
    }
    [[nodiscard]] std::size_t present() const {
        return static_cast<std::size_t>(
            std::count_if(kept.begin(), kept.end(), [](const auto& one) { return one.try_get().has_value(); }));
    }
    [[nodiscard]] bool none_wrong() const {
        for (std::size_t i = 0; i < kept.size(); ++i) {
            const auto value = kept[i].try_get();
            if (value && *value != block_of(i)) {
                return false;
            }
        }
        return true;
    }
};

TEST_F(HeapTest, KeepsToItsLimit) {
    fill(50000);
    EXPECT_LE(heap->statistics().segment_bytes, 12 * mebibyte);
    EXPECT_TRUE(none_wrong());
    EXPECT_GT(present(), 4 * mebibyte / sizeof(Block));
    EXPECT_GT(heap->statistics().evicted_objects, 0U);
}

TEST_F(HeapTest, WhatIsReadStaysAndWhatIsNotGoes) {
    fill(1000);
    for (int round = 0; round < 40; ++round) {
        for (std::size_t i = 0; i < 1000; ++i) {
            kept[i].try_get();
        }
        fill(1000);
    }
    std::size_t stayed = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        stayed += kept[i].try_get() ? 1 : 0;
    }
    EXPECT_EQ(stayed, 1000U);
    EXPECT_TRUE(none_wrong());
}

TEST_F(HeapTest, WithProbationObjectsOfOneUseDoNotEvictThoseOfMany) {
    const auto stayed_after_scan = [&](double probation) {
        soft::heap other({.limit_bytes = 24 * mebibyte, .probation = probation, .background = false, .os = &os});
        pool<std::string> texts(other, "texts", [] { return std::string(); });
        std::vector<unique_ptr<std::string>> used;
        std::vector<unique_ptr<std::string>> vouched;
        std::vector<unique_ptr<std::string>> scanned;
        for (int i = 0; i < 2000; ++i) {
            used.push_back(texts.make(std::string(1000, 'u')));
            used.back().try_get();
            used.back().try_get();
            vouched.push_back(texts.make(std::string(1000, 'v')));
            vouched.back().vouch();
        }
        for (int i = 0; i < 100'000; ++i) {
            scanned.push_back(texts.make(std::string(1000, 's')));
        }
        EXPECT_LE(other.segment_bytes(), 24 * mebibyte);
        EXPECT_EQ(other.segment_bytes(), other.statistics().segment_bytes);
        const auto there = [](const auto& one) { return one.try_get().has_value(); };
        return std::min(std::count_if(used.begin(), used.end(), there), std::count_if(vouched.begin(), vouched.end(), there));
    };
    EXPECT_LT(stayed_after_scan(0), 200) << "all but those in segments that are being filled";
    EXPECT_GT(stayed_after_scan(0.1), 1400) << "three quarters of a segment are kept";
    EXPECT_THROW(soft::heap({.probation = 1}), std::invalid_argument);
}

TEST_F(HeapTest, ProbationKeepsToTheLimitIfAllIsUsed) {
    start({.limit_bytes = 12 * mebibyte, .probation = 0.1});
    pool<std::string> texts(*heap, "texts", [] { return std::string(); });
    std::vector<unique_ptr<std::string>> all;
    for (int i = 0; i < 40'000; ++i) {
        all.push_back(texts.make(std::string(1000, static_cast<char>('a' + i % 26))));
        all.back().vouch();
    }
    EXPECT_LE(heap->segment_bytes(), 12 * mebibyte);
    int there = 0;
    for (int i = 0; i < 40'000; ++i) {
        if (const auto text = all[static_cast<std::size_t>(i)].try_get()) {
            ++there;
            EXPECT_EQ(text->front(), static_cast<char>('a' + i % 26));
        }
    }
    EXPECT_GT(there, 5'000);
    all.clear();
}

TEST_F(HeapTest, ALowerLimitGivesMemoryBack) {
    start({.limit_bytes = 24 * mebibyte});
    fill(16 * mebibyte / sizeof(Block));
    EXPECT_GE(heap->statistics().resident_bytes, 15 * mebibyte);
    heap->set_limit(6 * mebibyte);
    EXPECT_LE(heap->statistics().segment_bytes, 6 * mebibyte);
    EXPECT_LE(heap->statistics().resident_bytes, 6 * mebibyte);
    EXPECT_TRUE(none_wrong());
}

TEST_F(HeapTest, ReleaseGivesBackAtLeastWhatWasAskedFor) {
    start({.limit_bytes = 24 * mebibyte});
    fill(16 * mebibyte / sizeof(Block));
    const heap_statistics before = heap->statistics();
    const std::size_t given = heap->release(5 * mebibyte);
    EXPECT_GE(given, 5 * mebibyte);
    EXPECT_EQ(heap->statistics().segment_bytes, before.segment_bytes - given);
    EXPECT_LE(heap->statistics().resident_bytes, before.resident_bytes - given);
    EXPECT_TRUE(none_wrong());
    // segments that are being filled stay
    heap->release(1000 * mebibyte);
    EXPECT_EQ(heap->statistics().segment_bytes, before.open_bytes);
    EXPECT_TRUE(none_wrong());
}

TEST_F(HeapTest, EvacuationKeepsWhatIsInUseAndGivesBackTheRest) {
    start({.limit_bytes = 24 * mebibyte});
    fill(16 * mebibyte / sizeof(Block));
    std::mt19937 random(1);
    std::shuffle(kept.begin(), kept.end(), random);
    kept.resize(kept.size() / 5);
    heap->seal();
    const std::size_t objects = kept.size();
    EXPECT_GE(heap->evacuate(), 8 * mebibyte);
    EXPECT_EQ(present(), objects);
    EXPECT_EQ(heap->statistics().moved_objects, objects);
    for (const auto& one : kept) {
        const auto value = one.try_get();
        ASSERT_TRUE(value);
        ASSERT_EQ(*value, block_of((*value)[0]));
    }
}

// Seven of these fit into a page and fill less than nine tenths of it. Evacuated segments fill others with as few bytes in use.
TEST_F(HeapTest, EvacuationEndsThoughNoSegmentCanBeAsFullAsItShouldBe) {
    using Seventh = std::array<std::uint64_t, 64>;
    start({.limit_bytes = 24 * mebibyte, .evacuate_below = 0.95});
    pool<Seventh> pool(*heap, "sevenths", [] { return Seventh{}; });
    std::vector<unique_ptr<Seventh>> sevenths;
    for (std::uint64_t n = 0; n < 20000; ++n) {
        sevenths.push_back(pool.make(Seventh{n}));
    }
    heap->seal();
    heap->evacuate();
    for (std::uint64_t n = 0; n < sevenths.size(); ++n) {
        ASSERT_EQ(sevenths[n].try_get(), Seventh{n});
    }
    EXPECT_GE(heap->shrink(4 * mebibyte), 4 * mebibyte);
}

TEST_F(HeapTest, AShareThatIsNoneIsAnError) {
    for (const double share : {0.0, 1.0, 50.0, -0.5, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(soft::heap({.evacuate_below = share, .os = &os}), std::invalid_argument) << share;
    }
}

TEST_F(HeapTest, NumbersBeyondAllReasonCountAsTheLimit) {
    // QEMU's user mode takes memory for addresses.
    os.largest_reservation = 256 * mebibyte;
    start({.limit_bytes = SIZE_MAX, .reserve_bytes = SIZE_MAX});
    EXPECT_GT(heap->statistics().reserved_bytes, 0U);
    fill(2000);
    EXPECT_EQ(present(), 2000U);
    heap->set_limit(SIZE_MAX);
    EXPECT_EQ(heap->shrink(0), 0U);
    EXPECT_EQ(heap->release(0), 0U);
    EXPECT_EQ(present(), 2000U);
    heap->seal();
    EXPECT_EQ(heap->lose_pages(-1, 1), 0U);
    EXPECT_EQ(heap->lose_pages(std::numeric_limits<double>::quiet_NaN(), 1), 0U);
    EXPECT_GT(heap->shrink(SIZE_MAX), 0U);
    fill(2000);
    EXPECT_TRUE(none_wrong());
    heap->seal();
    heap->lose_pages(7, 1);
    EXPECT_EQ(present(), 0U);
    heap->release(SIZE_MAX);
    EXPECT_EQ(heap->statistics().segment_bytes, 0U);
    heap->set_limit(0);
    fill(10);
    EXPECT_EQ(present(), 0U);
}

TEST_F(HeapTest, ShrinkPrefersWhatNobodyUses) {
    start({.limit_bytes = 24 * mebibyte});
    fill(8 * mebibyte / sizeof(Block));
    const std::size_t wanted = kept.size();
    fill(8 * mebibyte / sizeof(Block));
    kept.resize(wanted);
    heap->seal();
    EXPECT_GE(heap->shrink(6 * mebibyte), 6 * mebibyte);
    EXPECT_EQ(present(), wanted);
}

TEST_F(HeapTest, WithoutAddressSpaceObjectsAreSimplyLost) {
    os.largest_reservation = 0;
    start({.limit_bytes = 8 * mebibyte});
    const auto block = blocks->make(block_of(1));
    EXPECT_EQ(block.try_get(), std::nullopt);
    EXPECT_EQ(block.read(2), block_of(2));
    EXPECT_EQ(heap->statistics().reserved_bytes, 0U);
}

TEST_F(HeapTest, TakesHalfOfWhatAddressSpaceThereIs) {
    os.largest_reservation = 8 * mebibyte;
    start({.limit_bytes = 64 * mebibyte, .reserve_bytes = 64 * mebibyte});
    EXPECT_GT(heap->statistics().reserved_bytes, 0U);
    EXPECT_LE(heap->statistics().reserved_bytes, 4 * mebibyte);
    fill(10000);
    EXPECT_TRUE(none_wrong());
    EXPECT_GT(present(), 0U);
}

TEST_F(HeapTest, WithoutMemoryToCommitObjectsAreLost) {
    os.commit_fails = true;
    fill(10);
    EXPECT_EQ(present(), 0U);
    os.commit_fails = false;
    fill(10);
    EXPECT_EQ(present(), 10U);
}

TEST_F(HeapTest, WithoutATableThereIsNoHeap) {
    os.table_fails = true;
    EXPECT_THROW(soft::heap({.os = &os}), std::bad_alloc);
    EXPECT_THROW(blocks->make(), std::bad_alloc);
    os.table_fails = false;
    EXPECT_EQ(blocks->make(block_of(1)).try_get(), block_of(1));
}

TEST_F(HeapTest, ALimitBelowASegmentKeepsNothing) {
    start({.limit_bytes = 1});
    fill(10);
    EXPECT_EQ(present(), 0U);
    EXPECT_EQ(heap->statistics().segment_bytes, 0U);
}

TEST_F(HeapTest, ALimitMeansTheSameFromTheStartAndLater) {
    for (const std::size_t limit : {std::size_t{0}, 6 * mebibyte, default_limit}) {
        start({.limit_bytes = limit});
        const std::size_t at_first = heap->statistics().limit_bytes;
        EXPECT_EQ(at_first, limit == default_limit ? at_first : limit);
        heap->set_limit(2 * mebibyte);
        heap->set_limit(limit);
        EXPECT_EQ(heap->statistics().limit_bytes, at_first);
    }
    EXPECT_GT(heap->statistics().limit_bytes, 6 * mebibyte);
}

TEST_F(HeapTest, SaysIfTheKernelCannotTakeMemoryByItself) {
    os.offer_fails = true;
    fill(10);
    heap->seal();
    EXPECT_FALSE(heap->statistics().offers_to_kernel);
    EXPECT_EQ(heap->statistics().offered_bytes, 0U);
    EXPECT_EQ(present(), 10U);
    EXPECT_EQ(heap->release(2 * mebibyte), 2 * mebibyte);
    EXPECT_EQ(present(), 0U);
}

// Before Linux 7.3 khugepaged makes ordinary huge pages of small pages that were offered. MADV_COLLAPSE (Linux 6.1) does the same
// at once.
TEST_F(HeapTest, SealedMemoryStaysTheKernelsToTake) {
    // So the pages are small, as where no huge ones are free.
    if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) {
        GTEST_SKIP() << "huge pages cannot be refused here";
    }
    fill(6000);
    heap->seal();
    ASSERT_EQ(prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0), 0);
    const std::size_t offered = heap->lazy_free_bytes();
    EXPECT_GE(offered, 5 * mebibyte);
    EXPECT_EQ(heap->statistics().offered_bytes, heap->statistics().segment_bytes);
    for (std::size_t at = 0; at < 8 * mebibyte; at += detail::segment_bytes) {
        madvise(os.reserved_at + at, detail::segment_bytes, MADV_COLLAPSE);
    }
    // The kernel counts the last pages of each processor later.
    EXPECT_GE(heap->lazy_free_bytes(), offered);
}

TEST_F(HeapTest, SaysIfTheKernelDoesNotTakeMemoryBack) {
    fill(6 * mebibyte / sizeof(Block));
    heap->seal();
    os.discard_fails = true;
    EXPECT_EQ(heap->release(2 * mebibyte), 0U);
    EXPECT_EQ(heap->shrink(2 * mebibyte), 0U);
    kept.clear();
    EXPECT_EQ(heap->evacuate(), 0U);
    heap->seal();
    EXPECT_EQ(heap->release(100 * mebibyte), 0U);
    const heap_statistics now = heap->statistics();
    EXPECT_EQ(now.segment_bytes, 0U);
    EXPECT_GE(now.unreturned_bytes, 6 * mebibyte);
    // It uses this memory first.
    fill(1);
    EXPECT_EQ(present(), 1U);
    EXPECT_EQ(heap->statistics().unreturned_bytes, now.unreturned_bytes - 2 * mebibyte);
    heap->seal();
    os.discard_fails = false;
    EXPECT_EQ(heap->release(2 * mebibyte), 2 * mebibyte);
    EXPECT_EQ(present(), 0U);
    // What is left from before must not pass for objects.
    fill(100);
    EXPECT_TRUE(none_wrong());
}

TEST_F(HeapTest, LockedMemoryIsGivenBackOrReported) {
    detail::Os& system = detail::linux_os();
    std::byte* at = system.reserve(detail::segment_bytes);
    ASSERT_NE(at, nullptr);
    ASSERT_TRUE(system.commit(at, detail::segment_bytes));
    ASSERT_EQ(mlock(at, detail::segment_bytes), 0);
    // MADV_DONTNEED_LOCKED of Linux 5.18. QEMU's user mode reports success for any advice, and ignores it.
    constexpr int dontneed_locked = 24;
    constexpr int no_advice = 0x7fff;
    const auto succeeds = [at](int advice) { return madvise(at, detail::segment_bytes, advice) == 0; };
    const bool kernel_can = succeeds(MADV_DONTNEED) || (!succeeds(no_advice) && succeeds(dontneed_locked));
    std::memset(at, 1, detail::segment_bytes);
    const bool is_given_back = system.discard(at, detail::segment_bytes);
    EXPECT_EQ(is_given_back, kernel_can);
    if (is_given_back) {
        EXPECT_EQ(system.resident(at, detail::segment_bytes), 0U);
        EXPECT_EQ(at[0], std::byte{0});
    } else {
        EXPECT_EQ(system.resident(at, detail::segment_bytes), detail::segment_bytes);
    }
    system.unreserve(at, detail::segment_bytes);
}

TEST_F(HeapTest, AnObjectLargerThanTheLimitIsLost) {
    pool<std::string> strings(*heap, "strings", [] { return std::string(); });
    EXPECT_EQ(strings.make(std::string(9 * mebibyte, 'x')).try_get(), std::nullopt);
    EXPECT_TRUE(strings.make(std::string(5 * mebibyte, 'x')).try_get() == std::string(5 * mebibyte, 'x'));
}

TEST_F(HeapTest, AddressSpaceDoesNotGrowWithChurn) {
    const std::size_t mapped = os.mapped;
    for (int round = 0; round < 100; ++round) {
        fill(2000);
        kept.clear();
    }
    EXPECT_LE(os.mapped, mapped + mebibyte);
    kept.clear();
    blocks.reset();
    heap.reset();
    EXPECT_EQ(os.mapped, 0U);
}

// Reuses each segment more often than there are tags: stale words of long lost objects must stay lost.
TEST_F(HeapTest, AWordFromLongAgoNeverReadsWhatCameLater) {
    os.small_pages = true;
    start({.limit_bytes = 4 * mebibyte, .reserve_bytes = 4 * mebibyte});
    fill(1);
    heap->seal();
    heap->release(100 * mebibyte);
    // one object a segment is enough to use it again
    for (std::uint32_t reuse = 0; reuse < 2 * (1U << detail::tag_bits); ++reuse) {
        const auto other = blocks->make(block_of(reuse + 1000));
        ASSERT_EQ(kept[0].try_get(), std::nullopt) << reuse;
        heap->seal();
        heap->release(100 * mebibyte);
    }
}

// Tags are found by address modulo 2 TiB. A heap whose tags belong to another heap gets no memory and loses all objects until
// that heap has gone.
TEST_F(HeapTest, TwoHeapsNeverShareATag) {
    const std::byte* const ours = os.reserved_at;
    fill(10);
    EXPECT_EQ(detail::tag_at(ours) & detail::tag_flags, detail::tag_flags);
    soft::heap second({.limit_bytes = 4 * mebibyte, .reserve_bytes = 4 * mebibyte, .background = false, .os = &os});
    detail::Tag& taken = detail::tag_at(os.reserved_at);
    taken = detail::tag_flags;
    pool<int> numbers(second, "numbers", [] { return 0; });
    const auto number = numbers.make(1);
    EXPECT_EQ(number.try_get(), std::nullopt);
    EXPECT_EQ(number.read(), 0);
    EXPECT_EQ(taken, detail::tag_flags);
    EXPECT_EQ(present(), 10U);
    kept.clear();
    blocks.reset();
    heap.reset();
    EXPECT_EQ(detail::tag_at(ours) & detail::tag_flags, 0);
    taken = 0;
    number.write(2);
    EXPECT_EQ(number.try_get(), 2);
}

TEST_F(HeapTest, AChildFindsAllLostAndGoesOn) {
    fill(100);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const bool lost = present() == 0;
        const bool rebuilt = kept[3].read(3) == block_of(3);
        fill(5000);
        _exit(lost && rebuilt && none_wrong() && present() > 5000 ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(present(), 100U);
}

TEST_F(HeapTest, AChildDoesNotWaitForThreadsThatItDoesNotHave) {
    fill(10);
    std::atomic<bool> stop{false};
    std::latch begun{1};
    std::thread writer([&] {
        begun.count_down();
        while (!stop) {
            kept[5].write(block_of(5));
        }
    });
    begun.wait();
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        if (child == 0) {
            heap->seal();
            fill(10);
            _exit(none_wrong() ? 0 : 1);
        }
        int status = 1;
        EXPECT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    stop = true;
    writer.join();
}

// Readers, writers, evacuation and loss at the same time: each value that is read was written before.
TEST_F(HeapTest, NothingWrongIsEverReadWhileAllHappensAtOnce) {
    start({.limit_bytes = 8 * mebibyte});
    struct Value {
        std::uint64_t key;
        std::uint64_t version;
        std::array<std::uint64_t, 30> filling;
    };
    auto value_of = [](std::uint64_t key, std::uint64_t version) {
        Value value{key, version, {}};
        value.filling.fill(key * 1000003 + version);
        return value;
    };
    pool<Value, std::uint64_t> values(*heap, "values", [&](std::uint64_t key) { return value_of(key, 0); });
    std::vector<unique_ptr<Value, std::uint64_t>> objects;
    for (std::uint64_t key = 0; key < 20000; ++key) {
        objects.push_back(values.make(value_of(key, 1)));
    }
    std::atomic<bool> stop{false};
    std::atomic<std::uint64_t> wrong{0};
    std::atomic<std::uint64_t> reads{0};
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            std::mt19937 random(t);
            while (!stop) {
                const std::uint64_t key = random() % objects.size();
                if (random() % 4 == 0) {
                    objects[key].write(value_of(key, random()));
                    continue;
                }
                const Value value = objects[key].read(key);
                const bool right =
                    value.key == key && std::all_of(value.filling.begin(), value.filling.end(),
                                                    [&](std::uint64_t word) { return word == key * 1000003 + value.version; });
                wrong += right ? 0 : 1;
                ++reads;
            }
        });
    }
    for (std::uint64_t round = 0; round < 60 || reads < 300000; ++round) {
        heap->evacuate();
        heap->lose_pages(0.1, round);
        heap->release(2 * mebibyte);
        heap->shrink(mebibyte);
    }
    stop = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(wrong, 0U);
    EXPECT_GT(values.statistics().lost, 0U);
    EXPECT_GT(values.statistics().rebuilds, 0U);
}

TEST_F(HeapTest, ThreadsComeAndGo) {
    for (int round = 0; round < 50; ++round) {
        std::thread([&] { fill(10); }).join();
    }
    EXPECT_EQ(present(), 500U);
    EXPECT_LE(heap->statistics().segment_bytes, 8 * mebibyte);
}

TEST_F(HeapTest, DropsOfAThreadCountOnceItHasEnded) {
    std::thread([&] {
        fill(4000);
        kept.clear();
    }).join();
    // The next thread that stores finds the pages that earlier ones have left.
    std::thread([&] { fill(1); }).join();
    heap->seal();
    EXPECT_EQ(heap->statistics().live_bytes, sizeof(Block) + 4);
}

// One write in some is counted, for the others as well.
TEST_F(HeapTest, WhatWritesOfSmallObjectsLeaveBehindIsCountedAboutRight) {
    using Small = std::array<std::uint64_t, 4>;
    constexpr std::size_t objects = 50'000;
    start({.limit_bytes = 16 * mebibyte});
    pool<Small> smalls(*heap, "smalls", [] { return Small{}; });
    std::vector<unique_ptr<Small>> all;
    std::thread([&] {
        for (std::size_t i = 0; i < objects; ++i) {
            all.push_back(smalls.make(Small{i}));
        }
        for (std::uint64_t round = 0; round < 4; ++round) {
            for (const auto& one : all) {
                one.write(Small{round});
            }
        }
    }).join();
    std::thread([&] { all[0].write(Small{}); }).join();
    heap->seal();
    EXPECT_NEAR(static_cast<double>(heap->statistics().live_bytes) / static_cast<double>(objects * (sizeof(Small) + 4)), 1.0,
                0.05);
    // The pages of ended threads are given back.
    EXPECT_GT(heap->evacuate(), 4 * mebibyte);
    for (const auto& one : all) {
        EXPECT_TRUE(one.is_there());
    }
}

}  // namespace
}  // namespace soft
