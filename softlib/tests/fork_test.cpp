// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
//
// fork() while other threads are inside softlib.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "softlib/pool.hpp"
#include "tests/deadline.hpp"
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

class ForkTest : public testing::Test {
protected:
    Deadline deadline;
};

// A thread drops owned objects of another heap and has a lock of its own heap, while fork() locks one heap after the other. To
// make them meet, a third thread keeps the lock of the owned objects' pool until both want it.
TEST_F(ForkTest, OwnersInOneHeapOfObjectsInAnotherDoNotHoldItUp) {
    constexpr std::size_t objects = 20'000;
    WaitingOs os;
    const heap_options options{.limit_bytes = 64 * mebibyte, .reserve_bytes = 64 * mebibyte, .background = false, .os = &os};
    // fork() comes to it first.
    soft::heap owned_heap(options);
    soft::heap owners_heap(options);
    pool<int> owned(owned_heap, "owned", [] { return 1; });
    pool<int> owners(owners_heap, "owners", [] { return 2; });
    std::vector<unique_ptr<int>> all;
    for (std::size_t i = 0; i < objects; ++i) {
        all.push_back(owners.make(2));
        for (int n = 0; n < 10; ++n) {
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

}  // namespace
}  // namespace soft
