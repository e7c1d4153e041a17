// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/base/owner_lock.hpp"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <thread>
#include <vector>

#include "softlib/pool.hpp"

namespace soft::detail {
namespace {

// Forbids this process a system call, as programs do that need it no more. This process must have no other threads.
bool forbid_membarrier() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(std::size(rules)), rules};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Returns the result of `check` in a child process.
template <class Check>
bool holds_in_child(Check check) {
    const pid_t child = fork();
    if (child == 0) {
        _exit(check() ? 0 : 1);
    }
    int status = 1;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// Two numbers that are equal unless somebody has the lock.
struct Pair {
    std::uint64_t one = 0;
    std::uint64_t other = 0;

    bool count() {
        const bool same = one == other;
        ++one;
        std::atomic_signal_fence(std::memory_order_seq_cst);
        ++other;
        return same;
    }
};

// Counts how often the owner and another thread found the other one inside. They meet at all sorts of moments.
std::uint64_t meetings(std::uint64_t rounds) {
    Pair pair;
    std::atomic<std::uint64_t> met{0};
    std::atomic<OwnerLock*> shared{nullptr};
    std::atomic<bool> done{false};
    std::thread owner([&] {
        OwnerLock lock;
        shared = &lock;
        while (!done) {
            const OwnerLock::Own own(lock);
            met += pair.count() ? 0 : 1;
        }
    });
    while (shared == nullptr) {
        std::this_thread::yield();
    }
    for (std::uint64_t got = 0; got < rounds;) {
        if (shared.load()->lock()) {
            met += pair.count() ? 0 : 1;
            shared.load()->unlock();
            ++got;
        }
    }
    done = true;
    owner.join();
    return met;
}

TEST(OwnerLock, IsHadByOneAtATime) {
    EXPECT_EQ(meetings(20'000), 0U);
}

class OwnerLockWithoutBarriers : public testing::Test {
protected:
    void SetUp() override {
        if (!holds_in_child(forbid_membarrier)) {
            GTEST_SKIP() << "no seccomp(2) filters here";
        }
    }
};

TEST_F(OwnerLockWithoutBarriers, IsHadByOneAtATime) {
    EXPECT_TRUE(holds_in_child([] { return forbid_membarrier() && meetings(20'000) == 0; }));
}

TEST_F(OwnerLockWithoutBarriers, IsRefusedWhileItsOwnerMayRelyOnThem) {
    EXPECT_TRUE(holds_in_child([] {
        OwnerLock lock;
        const bool relies = prepare_fences() == Fences::work;
        { const OwnerLock::Own own(lock); }
        if (!forbid_membarrier() || lock.lock() == relies) {
            return false;
        }
        lock.unlock();
        { const OwnerLock::Own own(lock); }
        return lock.lock();
    }));
}

TEST_F(OwnerLockWithoutBarriers, AHeapGoesOn) {
    EXPECT_TRUE(holds_in_child([] {
        soft::heap heap({.limit_bytes = std::size_t{4} << 20, .reserve_bytes = std::size_t{8} << 20, .background = false});
        pool<std::uint64_t, std::uint64_t> numbers(heap, "numbers", [](std::uint64_t n) { return n; });
        std::vector<unique_ptr<std::uint64_t, std::uint64_t>> kept;
        kept.push_back(numbers.make(0));
        if (!forbid_membarrier()) {
            return false;
        }
        heap.seal();
        for (std::uint64_t n = 1; n < 1'000'000; ++n) {
            kept.push_back(numbers.make(n));
        }
        heap.seal();
        std::uint64_t there = 0;
        for (std::uint64_t n = 0; n < kept.size(); ++n) {
            const std::optional<std::uint64_t> number = kept[n].try_get();
            if (number.value_or(n) != n) {
                return false;
            }
            there += number ? 1 : 0;
        }
        // At most one object was lost because nobody could be asked to make room.
        return there > 100'000 && heap.statistics().open_bytes == 0;
    }));
}

}  // namespace
}  // namespace soft::detail
