// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "softlib/budget.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "softlib/pool.hpp"
#include "src/budget/memory_reading.hpp"
#include "tests/blocks.hpp"
#include "tests/fake_os.hpp"
#include "tests/mebibyte.hpp"

namespace soft {
namespace {

using namespace std::chrono_literals;
constexpr std::size_t gibibyte = std::size_t{1} << 30;

// A machine of 10 GiB, of which half a gibibyte is the reserve.
class BudgetRuleTest : public testing::Test {
protected:
    budget_rule rule;
    memory_reading machine{.total_bytes = 10 * gibibyte, .free_bytes = 5 * gibibyte};
    std::chrono::steady_clock::time_point now{};
    std::size_t held = 0;

    /// The heap takes its budget from free memory.
    std::size_t second() {
        const std::size_t budget = rule.step(machine, held, now);
        now += 1s;
        machine.free_bytes += held;
        held = std::min(budget, machine.free_bytes);
        machine.free_bytes -= held;
        return budget;
    }
};

TEST_F(BudgetRuleTest, GrowsIntoFreeMemoryAndLeavesAReserve) {
    const std::size_t first = second();
    EXPECT_GT(first, gibibyte);
    EXPECT_LT(first, 2 * gibibyte);
    for (int i = 0; i < 100; ++i) {
        second();
    }
    EXPECT_GE(machine.free_bytes, gibibyte / 2);
    EXPECT_LE(machine.free_bytes, gibibyte * 4 / 5);
}

TEST_F(BudgetRuleTest, LeavesWhatTheKernelKeepsForItself) {
    machine.kept_bytes = gibibyte;
    for (int i = 0; i < 100; ++i) {
        second();
    }
    EXPECT_GE(machine.free_bytes, gibibyte * 3 / 2);
    EXPECT_LE(machine.free_bytes, gibibyte * 5 / 2);
    EXPECT_TRUE(rule.is_close_to_reserve(machine));
    machine.free_bytes = gibibyte;
    second();
    EXPECT_GE(machine.free_bytes, gibibyte * 3 / 2);
}

TEST_F(BudgetRuleTest, GivesBackWhatOthersTakeFromTheReserve) {
    for (int i = 0; i < 100; ++i) {
        second();
    }
    const std::size_t before = held;
    machine.free_bytes -= 400 * mebibyte;
    EXPECT_LE(second(), before - 80 * mebibyte);
    EXPECT_GE(machine.free_bytes, gibibyte / 2);
    EXPECT_LT(held, before);
}

TEST_F(BudgetRuleTest, StaysAsItIsWithinTheReservesHysteresis) {
    for (int i = 0; i < 100; ++i) {
        second();
    }
    const std::size_t before = held;
    machine.free_bytes = gibibyte * 6 / 10;
    EXPECT_EQ(second(), before);
    EXPECT_EQ(second(), before);
}

TEST_F(BudgetRuleTest, BacksOffWhenOthersReadAgainWhatWasEvicted) {
    for (int i = 0; i < 100; ++i) {
        second();
    }
    const std::size_t before = held;
    machine.reclaimed += 1000;
    machine.refaults += 1000;
    EXPECT_LE(second(), before * 3 / 4);
    // and does not grow until nobody has done so for ten seconds
    for (int i = 0; i < 9; ++i) {
        EXPECT_LE(second(), before * 3 / 4);
    }
    second();
    second();
    EXPECT_GT(held, before * 3 / 4);
}

TEST_F(BudgetRuleTest, BacksOffWhenOthersWaitForMemory) {
    for (int i = 0; i < 100; ++i) {
        second();
    }
    const std::size_t before = held;
    machine.reclaimed += 1000;
    machine.stalled += 100ms;
    EXPECT_LE(second(), before * 3 / 4);
}

TEST_F(BudgetRuleTest, AFewRefaultsAreNothing) {
    for (int i = 0; i < 100; ++i) {
        machine.reclaimed += 1000;
        machine.refaults += 20;
        machine.stalled += 1ms;
        second();
    }
    EXPECT_LE(machine.free_bytes, gibibyte * 4 / 5);
}

// A cgroup at its own limit reads its files again and again and waits for them. The kernel counts that for the whole machine.
TEST_F(BudgetRuleTest, ASqueezedCgroupIsNothing) {
    auto neighbour_thrashes = [this] {
        machine.refaults += 12'000;
        machine.stalled += 900ms;
    };
    held = 64 * mebibyte;
    machine.free_bytes = 9 * gibibyte;
    for (int i = 0; i < 100; ++i) {
        const std::size_t before = held;
        neighbour_thrashes();
        EXPECT_GE(second(), before);
    }
    // The heap has grown, so that little is free.
    EXPECT_GT(held, 8 * gibibyte);
    EXPECT_TRUE(rule.is_close_to_reserve(machine));
}

TEST_F(BudgetRuleTest, CountersThatGoBackAreNothing) {
    machine.reclaimed = 1000000;
    machine.refaults = 1000000;
    machine.stalled = 1h;
    second();
    machine.reclaimed = 0;
    machine.refaults = 0;
    machine.stalled = 0s;
    const std::size_t before = held;
    second();
    EXPECT_GT(held, before);
}

TEST_F(BudgetRuleTest, GivesNothingWithoutFreeMemory) {
    machine.free_bytes = 100 * mebibyte;
    EXPECT_EQ(second(), 0U);
}

TEST_F(BudgetRuleTest, GoesOnFromABudgetThatItDidNotGive) {
    machine.free_bytes = 600 * mebibyte;  // too near the reserve to grow
    EXPECT_EQ(second(), 0U);
    held = gibibyte;
    rule.adopt(2 * gibibyte);
    EXPECT_EQ(second(), gibibyte + 600 * mebibyte - gibibyte / 2) << "and what is free";
    EXPECT_FALSE(rule.gives_way());
}

TEST_F(BudgetRuleTest, GivesWayWhileMemoryIsShortOrWasMissed) {
    EXPECT_FALSE(rule.gives_way());
    second();
    EXPECT_FALSE(rule.gives_way());
    const std::size_t free = std::exchange(machine.free_bytes, gibibyte / 4);
    rule.step(machine, held, now);
    EXPECT_TRUE(rule.gives_way());
    machine.free_bytes = free;
    second();
    EXPECT_FALSE(rule.gives_way());
    machine.reclaimed += 1'000'000;
    machine.refaults += 1'000'000;
    for (int i = 0; i < 10; ++i) {
        second();
        EXPECT_TRUE(rule.gives_way()) << i;
    }
    second();
    EXPECT_FALSE(rule.gives_way());
}

TEST(BudgetRuleOptionsTest, AValueThatIsNoShareIsAnError) {
    for (const double wrong : {-0.1, 1.5, 50.0, std::numeric_limits<double>::quiet_NaN()}) {
        EXPECT_THROW(budget_rule({.reserve = wrong}), std::invalid_argument) << wrong;
        EXPECT_THROW(budget_rule({.growth = wrong}), std::invalid_argument) << wrong;
        EXPECT_THROW(budget_rule({.retreat = wrong}), std::invalid_argument) << wrong;
        EXPECT_THROW(machine_budget({.stalled_share = wrong}), std::invalid_argument) << wrong;
    }
    EXPECT_THROW(budget_rule({.refaults_per_s = -1}), std::invalid_argument);
    EXPECT_NO_THROW(budget_rule({.reserve = 0, .growth = 1, .retreat = 1, .refaults_per_s = 1e9, .stalled_share = 1}));
}

TEST_F(BudgetRuleTest, NeverGivesMoreThanIsFreeNorLessThanNothing) {
    rule = budget_rule({.reserve = 1, .growth = 1, .retreat = 1});
    held = 4 * gibibyte;
    EXPECT_LE(second(), held);
    rule = budget_rule({.reserve = 0, .growth = 1, .retreat = 1});
    held = 0;
    machine.free_bytes = 5 * gibibyte;
    EXPECT_LE(second(), 5 * gibibyte);
    machine.reclaimed += 1'000'000;
    machine.refaults += 1'000'000;
    EXPECT_EQ(second(), 0U);
}

TEST(ParseMemoryTest, ReadsWhatTheKernelWrites) {
    const auto reading = detail::parse_memory(
        "MemTotal:       24602624 kB\nMemFree:         1048576 kB\nMemAvailable:   2 kB\n",
        "nr_free_pages 1\nworkingset_refault_anon 5\nworkingset_refault_file 77\npgsteal_kswapd 30\npgsteal_direct 3\n",
        "some avg10=0.00 avg60=0.00 avg300=0.00 total=123456\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=9\n");
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->total_bytes, std::size_t{24602624} * 1024);
    EXPECT_EQ(reading->free_bytes, gibibyte);
    EXPECT_EQ(reading->reclaimed, 33U);
    EXPECT_EQ(reading->refaults, 77U);
    EXPECT_EQ(reading->stalled, 123456us);
}

TEST(ParseMemoryTest, DoesWithoutPsiAndRefaults) {
    const auto reading = detail::parse_memory("MemTotal: 10 kB\nMemFree: 5 kB\n", "", "");
    ASSERT_TRUE(reading);
    EXPECT_EQ(reading->reclaimed, 0U);
    EXPECT_EQ(reading->refaults, 0U);
    EXPECT_EQ(reading->stalled, 0us);
}

TEST(ParseMemoryTest, SaysSoIfThereIsNothingToGoBy) {
    for (const char* text :
         {"", "MemTotal: 10 kB\n", "MemFree: 10 kB\n", "MemTotal: x kB\nMemFree: 5 kB\n", "MemTotal: 10 kB\nMemFree: 11 kB\n",
          "MemTotal: 0 kB\nMemFree: 0 kB\n", "MemTotal: 99999999999999999999999 kB\nMemFree: 5 kB\n",
          "MemTotal: 18446744073709551615 kB\nMemFree: 5 kB\n", "NotMemTotal: 10 kB\nMemFree: 5 kB\n"}) {
        EXPECT_FALSE(detail::parse_memory(text, "", "")) << text;
    }
}

TEST(ParseKeptPagesTest, AddsWhatEachZoneKeeps) {
    const char* const text =
        "Node 0, zone      DMA\n  per-node stats\n      nr_inactive_anon 5\n  pages free     3808\n        boost    0\n"
        "        min      190\n        low      237\n        high     284\n        spanned  4095\n        present  3998\n"
        "        managed  3840\n        cma      0\n        protection: (0, 426, 15000, 15000)\n      nr_free_pages 3808\n"
        "  pagesets\n    cpu: 0\n              count:    0\n              high:     99999\n"
        "Node 0, zone    DMA32\n  pages free     101231\n        min      5585\n        low      6981\n        high     8377\n"
        "        spanned  126935\n        present  126935\n        managed  112688\n        protection: (0, 0, 1000, 0)\n"
        "Node 0, zone  Movable\n  pages free     0\n        min      32\n        low      32\n        high     32\n"
        "        spanned  0\n        present  0\n        managed  0\n        protection: (0, 0, 0, 0)\n";
    EXPECT_EQ(detail::parse_kept_pages(text), std::size_t{3840} + 8377 + 1000);
}

TEST(ParseKeptPagesTest, IsZeroWithoutNumbers) {
    for (const char* text : {"", "\n", "Node 0, zone DMA\n", "Node 0, zone DMA\n high 5\n", "high 5\nmanaged x\n",
                             "protection: (", "protection: (,,\nmanaged 0", "managed 7\n"}) {
        EXPECT_EQ(detail::parse_kept_pages(text), 0U) << text;
    }
    EXPECT_LE(detail::parse_kept_pages(
                  " managed 18446744073709551615\n high 18446744073709551615\nprotection: (9, 18446744073709551615)"),
              std::size_t{1} << 40);
}

TEST(MachineBudgetTest, ReadsTheMachine) {
    const std::filesystem::path root = testing::TempDir() + "softlib-budget";
    std::filesystem::create_directories(root / "proc/pressure");
    machine_budget budget({}, root.string());
    EXPECT_EQ(budget.budget_bytes(gibibyte), 0U);
    std::ofstream(root / "proc/meminfo") << "MemTotal: 10485760 kB\nMemFree: 5242880 kB\n";
    EXPECT_GT(budget.budget_bytes(gibibyte), gibibyte);
    EXPECT_EQ(budget.interval(), 1s);
    std::ofstream(root / "proc/meminfo") << "MemTotal: 10485760 kB\nMemFree: 1000 kB\n";
    EXPECT_LT(budget.budget_bytes(gibibyte), gibibyte);
    EXPECT_EQ(budget.interval(), 250ms);
    // as if the process has no descriptor left
    const std::size_t before = budget.budget_bytes(gibibyte);
    std::filesystem::rename(root / "proc/meminfo", root / "proc/away");
    EXPECT_EQ(budget.budget_bytes(gibibyte), before);
    std::filesystem::rename(root / "proc/away", root / "proc/meminfo");
    // a kernel that keeps all of it for itself
    std::ofstream(root / "proc/meminfo") << "MemTotal: 10485760 kB\nMemFree: 5242880 kB\n";
    std::ofstream(root / "proc/zoneinfo") << "Node 0, zone Normal\n  pages free 1\n  high 9000000\n  managed 9000000\n";
    EXPECT_LT(machine_budget({}, root.string()).budget_bytes(gibibyte), gibibyte);
    std::filesystem::remove_all(root);
}

// The test sets its budget, and the heap asks it at once.
class ToldBudget final : public budget_source {
public:
    explicit ToldBudget(std::atomic<std::size_t>& bytes, std::atomic<std::size_t>* asked = nullptr)
        : bytes_(bytes), asked_(asked) {}
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override {
        if (asked_ != nullptr) {
            ++*asked_;
        }
        return bytes_;
    }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return 1ms; }

private:
    std::atomic<std::size_t>& bytes_;
    std::atomic<std::size_t>* asked_;
};

TEST(FollowTest, AHeapKeepsToWhatItsSourceSays) {
    detail::FakeOs os;
    soft::heap heap({.limit_bytes = 16 * mebibyte, .reserve_bytes = 32 * mebibyte, .os = &os});
    std::atomic<std::size_t> bytes{8 * mebibyte};
    heap.follow(std::make_unique<ToldBudget>(bytes));
    EXPECT_EQ(heap.statistics().limit_bytes, 8 * mebibyte);
    bytes = 4 * mebibyte;
    while (heap.statistics().limit_bytes != 4 * mebibyte) {
        std::this_thread::yield();
    }
    bytes = 1000 * mebibyte;
    while (heap.statistics().limit_bytes != 16 * mebibyte) {
        std::this_thread::yield();
    }
    heap.follow(std::make_unique<fixed_budget>(2 * mebibyte));
    EXPECT_EQ(heap.statistics().limit_bytes, 2 * mebibyte);
    heap.follow(nullptr);
    EXPECT_EQ(heap.statistics().limit_bytes, 2 * mebibyte);
}

TEST(FollowTest, ALimitStaysTheUpperBoundOfWhatTheSourceSays) {
    detail::FakeOs os;
    soft::heap heap({.limit_bytes = 16 * mebibyte, .reserve_bytes = 32 * mebibyte, .os = &os});
    std::atomic<std::size_t> asked = 0;
    std::atomic<std::size_t> bytes{1000 * mebibyte};
    heap.follow(std::make_unique<ToldBudget>(bytes, &asked));
    heap.set_limit(8 * mebibyte);
    EXPECT_EQ(heap.statistics().limit_bytes, 8 * mebibyte);
    // The second of them has begun since.
    for (const std::size_t begin = asked; asked < begin + 3;) {
        std::this_thread::yield();
    }
    EXPECT_EQ(heap.statistics().limit_bytes, 8 * mebibyte);
    heap.set_limit(32 * mebibyte);
    while (heap.statistics().limit_bytes != 32 * mebibyte) {
        std::this_thread::yield();
    }
    bytes = 4 * mebibyte;
    while (heap.statistics().limit_bytes != 4 * mebibyte) {
        std::this_thread::yield();
    }
    heap.set_limit(32 * mebibyte);
    EXPECT_EQ(heap.statistics().limit_bytes, 4 * mebibyte) << "the source decides below it";
}

// Several sources, one after the other, with the same budget: each follow() asks once.
class SharedBudget final : public budget_source {
public:
    explicit SharedBudget(machine_budget& budget) : budget_(budget) {}
    std::size_t budget_bytes(std::size_t held_bytes) noexcept override { return budget_.budget_bytes(held_bytes); }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return budget_.interval(); }

private:
    machine_budget& budget_;
};

TEST(FollowTest, ASqueezedCgroupCostsNoObject) {
    const std::filesystem::path root = testing::TempDir() + "softlib-squeezed";
    std::filesystem::create_directories(root / "proc/pressure");
    std::ofstream(root / "proc/meminfo") << "MemTotal: 25165824 kB\nMemFree: 11534336 kB\n";
    detail::FakeOs os;
    soft::heap heap({.reserve_bytes = 128 * mebibyte, .background = false, .os = &os});
    pool<Block> blocks(heap, "blocks", [] { return Block{}; });
    std::vector<unique_ptr<Block>> objects;
    for (int i = 0; i < 10'000; ++i) {
        objects.push_back(blocks.make(Block{}));
    }
    machine_budget budget({}, root.string());
    for (int second = 0; second < 20; ++second) {
        std::ofstream(root / "proc/vmstat") << "workingset_refault_file " << 1'000'000 * second << "\npgsteal_kswapd 7\n";
        std::ofstream(root / "proc/pressure/memory") << "some avg10=9.00 total=" << 1'000'000 * second << "\n";
        heap.follow(std::make_unique<SharedBudget>(budget));
    }
    EXPECT_EQ(heap.statistics().evicted_objects, 0U);
    EXPECT_TRUE(std::all_of(objects.begin(), objects.end(), [](const auto& object) { return object.is_there(); }));
    std::filesystem::remove_all(root);
}

// Fills a heap with objects, reads all, and has it follow a budget. Returns its state afterwards.
heap_statistics after_fall(std::size_t from_mib, std::size_t to_mib) {
    using Large = std::array<std::byte, 250'000>;
    detail::FakeOs os;
    soft::heap heap(
        {.limit_bytes = from_mib * mebibyte, .reserve_bytes = 2 * from_mib * mebibyte, .background = false, .os = &os});
    pool<Large> larges(heap, "larges", [] { return Large{}; });
    std::vector<unique_ptr<Large>> objects;
    for (std::size_t i = 0; i < from_mib * 4; ++i) {
        objects.push_back(larges.make(Large{}));
        objects.back().read();
    }
    heap.seal();
    const heap_statistics before = heap.statistics();
    heap.follow(std::make_unique<fixed_budget>(to_mib * mebibyte));
    heap_statistics after = heap.statistics();
    after.moved_objects -= before.moved_objects;
    return after;
}

TEST(FollowTest, ABudgetThatFallsByMuchMovesNoObject) {
    const heap_statistics little = after_fall(64, 32);
    EXPECT_LE(little.segment_bytes, 32 * mebibyte);
    EXPECT_GT(little.moved_objects, 0U) << "objects that were read lately stay";
    const heap_statistics much = after_fall(320, 32);
    EXPECT_LE(much.segment_bytes, 32 * mebibyte);
    EXPECT_EQ(much.moved_objects, 0U);
}

TEST(FollowTest, WithoutAThreadItIsAskedOnce) {
    detail::FakeOs os;
    soft::heap heap({.limit_bytes = 16 * mebibyte, .reserve_bytes = 32 * mebibyte, .background = false, .os = &os});
    std::atomic<std::size_t> bytes{8 * mebibyte};
    heap.follow(std::make_unique<ToldBudget>(bytes));
    bytes = 4 * mebibyte;
    EXPECT_EQ(heap.statistics().limit_bytes, 8 * mebibyte);
}

}  // namespace
}  // namespace soft
