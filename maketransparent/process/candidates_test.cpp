// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/process/candidates.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace tmm {
namespace {

constexpr pid_t pid = 12;
constexpr uid_t owner = 1000;

ProcessInfo ordinary() {
    return {{"cat", 'S', 4194304}, {pid, owner, 4096}, "/a"};
}

TEST(CheckProcess, TakesTheOwnersAndForRootAll) {
    EXPECT_TRUE(check_process(pid, ordinary(), owner));
    EXPECT_TRUE(check_process(pid, ordinary(), 0));
}

TEST(CheckProcess, RefusesAnothersAndNamesTheUser) {
    const auto checked = check_process(pid, ordinary(), 1001);
    ASSERT_FALSE(checked);
    EXPECT_EQ(checked.error().code(), EPERM);
    EXPECT_NE(checked.error().message().find("not yours"), std::string::npos);
    EXPECT_NE(checked.error().message().find("1000"), std::string::npos);
}

TEST(CheckProcess, RefusesZombiesKernelThreadsAndThreads) {
    ProcessInfo zombie = ordinary();
    zombie.stat.state = 'Z';
    EXPECT_NE(check_process(pid, zombie, 0).error().message().find("zombie"), std::string::npos);
    ProcessInfo kernel = ordinary();
    kernel.stat.flags = 0x208040;
    EXPECT_NE(check_process(pid, kernel, 0).error().message().find("kernel thread"), std::string::npos);
    ProcessInfo thread = ordinary();
    thread.status.tgid = 11;
    EXPECT_NE(check_process(pid, thread, 0).error().message().find("thread of process 11"), std::string::npos);
}

}  // namespace
}  // namespace tmm
