// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// softlib and tmmd together: heaps of real caches report through the socket, and get what the division grants them. The test
// stands for the heaps' threads, the daemon's tick and the clock.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/temp_tree.hpp"
#include "softlib/cache.hpp"
#include "src/budget/coordinated_budget.hpp"
#include "tmmd/core/soft/division.hpp"
#include "tmmd/soft/soft_server.hpp"

namespace tmm::soft_memory {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t mib = 1 << 20;
constexpr int values = 256;
using Value = std::array<char, 128 << 10>;

// A heap without a thread asks its source in each follow(). So hand it the same one again and again.
class Shared final : public ::soft::budget_source {
public:
    explicit Shared(::soft::budget_source& source) : source_(source) {}
    std::size_t budget_bytes(std::size_t held_bytes) noexcept override { return source_.budget_bytes(held_bytes); }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return source_.interval(); }

private:
    ::soft::budget_source& source_;
};

// Reads 32 MiB of values in a loop.
class LoopingProgram {
public:
    LoopingProgram(const TempTree& tree, const std::chrono::steady_clock::time_point& now, std::chrono::microseconds rebuild_time)
        : rebuild_time_(rebuild_time),
          heap_({.reserve_bytes = 256 * mib, .background = false}),
          cache_(heap_, "values", {}),
          source_(heap_, tree.path() / "run/tmm/soft", tree.path(), [&now] { return now; }) {}

    // Returns the number of hits.
    int read_all() {
        const auto before = cache_.statistics().hits;
        for (int key = 0; key < values; ++key)
            cache_.get_or(key, [this] { return make(); });
        return static_cast<int>(cache_.statistics().hits - before);
    }
    void ask_for_budget() { heap_.follow(std::make_unique<Shared>(source_)); }
    [[nodiscard]] std::size_t limit() const { return heap_.statistics().limit_bytes; }
    // As softlib-top shows it.
    [[nodiscard]] Bytes has() const { return Bytes(heap_.statistics().segment_bytes); }

private:
    [[nodiscard]] Value make() const {
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < rebuild_time_) {
        }
        return {};
    }

    std::chrono::microseconds rebuild_time_;
    ::soft::heap heap_;
    ::soft::cache<int, Value> cache_;
    ::soft::coordinated_budget source_;
};

TEST(SoftHeaps, DearMissesGetMostOfTheMemory) {
    TempTree tree;
    tree.dir("run").file("proc/meminfo", "MemTotal: 10485760 kB\nMemFree: 5242880 kB\n");
    auto server = tmm::soft::SoftServer::open(tree.root()).value();
    core::SoftDivision division;
    std::chrono::steady_clock::time_point now{100s};
    LoopingProgram cheap(tree, now, 0us);
    LoopingProgram dear(tree, now, 1000us);
    int dear_hits = 0;
    Bytes dear_has{0};
    for (int second = 0; second < 30; ++second) {
        cheap.read_all();
        dear_hits = dear.read_all();
        now += 1s;
        dear_has = dear.has();
        cheap.ask_for_budget();
        dear.ask_for_budget();
        const core::AwakeTime awake{now.time_since_epoch()};
        server.serve(awake);
        server.grant(division.divide(Bytes(56 * mib), server.heaps(awake)), false);
    }
    ASSERT_EQ(server.peers().size(), 2U);
    EXPECT_EQ(server.peers()[1].heap.used, dear_has) << "tmmctl soft and softlib-top agree";
    EXPECT_GE(dear.limit(), 34 * mib);
    EXPECT_LE(dear.limit() + cheap.limit(), 56 * mib);
    EXPECT_EQ(dear_hits, values);
}

}  // namespace
}  // namespace tmm::soft_memory
