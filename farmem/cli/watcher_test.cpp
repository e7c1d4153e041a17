// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/cli/watcher.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace tmm::far {
namespace {

constexpr std::size_t held_bytes = 32 << 20;

// Has pages of ones, and waits for its end.
[[noreturn]] void hold(int ready) {
    void* const memory = ::mmap(nullptr, held_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memset(memory, 1, held_bytes);
    (void)!::write(ready, "", 1);
    for (;;)
        ::pause();
}

TEST(WatcherTest, CountsAProcessAndItsChildren) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t first = ::fork();
    ASSERT_GE(first, 0);
    if (first == 0) {
        ::setpgid(0, 0);
        (void)::fork();
        hold(pipe[1]);
    }
    char ready[2];
    for (char& one : ready)
        ASSERT_EQ(::read(pipe[0], &one, 1), 1);
    Watcher watcher(*RootDir::open("/proc"), first);
    watcher.look();
    const Watched seen = watcher.watched();
    ::kill(-first, SIGKILL);
    ::waitpid(first, nullptr, 0);
    watcher.look();
    EXPECT_EQ(watcher.watched().peak_bytes, seen.peak_bytes) << "the most that it had";
    EXPECT_GE(seen.peak_bytes, 2 * held_bytes);
    EXPECT_LT(seen.compressed, 0.5);
    ::close(pipe[0]);
    ::close(pipe[1]);
}

}  // namespace
}  // namespace tmm::far
