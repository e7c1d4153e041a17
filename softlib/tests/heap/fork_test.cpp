// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// fork() while other threads are inside softlib.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/forks.hpp"
#include "tests/soft_test.hpp"

namespace soft {
namespace {

bool fork_and_wait() {
    const pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/// A kernel that lets a thread wait while it asks for a table.
class WaitingOs final : public detail::FakeOs {
public:
    std::byte* table(std::size_t bytes, std::size_t alignment) noexcept override {
        if (waits.exchange(false)) {
            waiting.count_down();
            go_on.wait();
        }
        return FakeOs::table(bytes, alignment);
    }
    std::atomic<bool> waits{false};
    std::latch waiting{1};
    std::latch go_on{1};
};

// A thread drops owned objects of another heap and has a lock of its own heap, while fork() locks one heap after the other. To
// make them meet, a third thread keeps the lock of the owned objects' pool until both want it.
TEST(ForkTest, OwnersInOneHeapOfObjectsInAnotherDoNotHoldItUp) {
    constexpr std::size_t nr_owners = 500;
    constexpr std::size_t nr_owned = 400;
    // So large that they fill many segments: owners are visited when many segments have gone.
    using Large = std::array<char, 40'000>;
    WaitingOs os;
    const heap_options options{.limit_bytes = 64 * mebibyte, .reserve_bytes = 64 * mebibyte, .background = false, .os = &os};
    // fork() comes to it first.
    soft::heap owned_heap(options);
    soft::heap owners_heap(options);
    pool<int> owned(owned_heap, "owned", [] { return 1; });
    pool<Large> owners(owners_heap, "owners", [] { return Large{}; });
    std::vector<unique_ptr<Large>> all;
    for (std::size_t i = 0; i < nr_owners; ++i) {
        all.push_back(owners.make(Large{}));
        for (std::size_t n = 0; n < nr_owned; ++n) {
            all.back().own(owned.make_shared());
        }
    }
    owners_heap.seal();

    std::vector<unique_ptr<int>> more;
    std::thread with_lock([&] {
        os.waits = true;
        // Until a new chunk is needed.
        while (os.waits) {
            more.push_back(owned.make());
        }
    });
    os.waiting.wait();
    std::thread dropping([&] { owners_heap.release(64 * mebibyte); });
    std::thread forking([&] { EXPECT_TRUE(fork_and_wait()); });
    // Both come to the lock; without this the test would succeed more often than it should.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    os.go_on.count_down();
    with_lock.join();
    forking.join();
    dropping.join();
    EXPECT_EQ(owned.statistics().objects, more.size());
}

// The heap's thread waits at the time of fork(), and does not exist in the child.
TEST(ForkTest, AChildMayDestroyAHeap) {
    detail::FakeOs os;
    auto heap = std::make_unique<soft::heap>(heap_options{.limit_bytes = 16 * mebibyte, .os = &os});
    heap->follow(std::make_unique<fixed_budget>(8 * mebibyte));
    // Time for the thread to begin to wait; if it has not, the test succeeds all the same.
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    const pid_t child = fork();
    if (child == 0) {
        heap.reset();
        _exit(0);
    }
    int status = 1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

/// Starts a program whenever it is asked.
class ForkingBudget final : public budget_source {
public:
    explicit ForkingBudget(std::atomic<int>& nr_asked) : asked(nr_asked) {}
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override {
        EXPECT_TRUE(fork_and_wait());
        ++asked;
        return 8 * mebibyte;
    }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return std::chrono::milliseconds(1); }

    std::atomic<int>& asked;
};

TEST(ForkTest, ABudgetSourceMayFork) {
    detail::FakeOs os;
    std::atomic<int> asked{0};
    for (const bool background : {false, true}) {
        asked = 0;
        soft::heap heap({.limit_bytes = 16 * mebibyte, .background = background, .os = &os});
        heap.follow(std::make_unique<ForkingBudget>(asked));
        EXPECT_EQ(heap.statistics().limit_bytes, 8 * mebibyte);
        while (asked < (background ? 5 : 1)) {
            std::this_thread::yield();
        }
    }
}

class CountingBudget final : public budget_source {
public:
    explicit CountingBudget(std::atomic<int>& nr_asked) : asked(nr_asked) {}
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override {
        ++asked;
        return 8 * mebibyte;
    }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return std::chrono::milliseconds(1); }

    std::atomic<int>& asked;
};

TEST(ForkTest, AChildThatStoresFollowsTheBudget) {
    if (!forks_beside_threads_work()) {
        GTEST_SKIP() << "children that were forked beside threads do not work here (QEMU's user mode)";
    }
    detail::FakeOs os;
    std::atomic<int> asked{0};
    soft::heap heap({.limit_bytes = 16 * mebibyte, .os = &os});
    pool<int> pool(heap, "numbers", [] { return 1; });
    heap.follow(std::make_unique<CountingBudget>(asked));
    // Until the heap's thread has begun.
    while (asked < 2) {
        std::this_thread::yield();
    }
    const pid_t child = fork();
    if (child == 0) {
        const int before = asked;
        const unique_ptr<int> one = pool.make(2);
        while (asked < before + 2) {
            std::this_thread::yield();
        }
        _exit(0);
    }
    int status = 1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

/// Replaces itself.
class ReplacedBudget final : public budget_source {
public:
    ReplacedBudget(soft::heap& heap, std::atomic<bool>& alive) : heap_(heap), alive_(alive) { alive_ = true; }
    ~ReplacedBudget() override { alive_ = false; }
    std::size_t budget_bytes(std::size_t /*held_bytes*/) noexcept override {
        heap_.follow(nullptr);
        EXPECT_TRUE(alive_);
        return 2 * mebibyte;
    }
    [[nodiscard]] std::chrono::milliseconds interval() const noexcept override { return std::chrono::milliseconds(1); }

private:
    soft::heap& heap_;
    std::atomic<bool>& alive_;
};

TEST(ForkTest, ABudgetSourceMayEndItself) {
    detail::FakeOs os;
    soft::heap heap({.limit_bytes = 16 * mebibyte, .background = false, .os = &os});
    std::atomic<bool> alive{false};
    heap.follow(std::make_unique<ReplacedBudget>(heap, alive));
    EXPECT_FALSE(alive);
    // Nobody follows it any more.
    EXPECT_EQ(heap.statistics().limit_bytes, 16 * mebibyte);
}

// Somebody who has replaced a source may destroy what it uses.
TEST(ForkTest, ASourceThatWasReplacedIsNotAskedAnyMore) {
    detail::FakeOs os;
    std::atomic<int> asked{0};
    soft::heap heap({.limit_bytes = 16 * mebibyte, .os = &os});
    for (int round = 0; round < 20; ++round) {
        heap.follow(std::make_unique<ForkingBudget>(asked));
        std::this_thread::sleep_for(std::chrono::milliseconds(round % 3));
        heap.follow(nullptr);
        const int before = asked;
        heap.set_limit(4 * mebibyte);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        EXPECT_EQ(asked, before);
        EXPECT_EQ(heap.statistics().limit_bytes, 4 * mebibyte);
    }
}

}  // namespace
}  // namespace soft
