// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "maketransparent/cgroup/memory_pressure.hpp"

#include <gtest/gtest.h>

#include "base/temp_tree.hpp"

namespace tmm {
namespace {

TEST(MemoryPressure, IsWatchedInTheOwnCgroup) {
    TempTree tree;
    const RootDir root = tree.root();
    EXPECT_FALSE(pressure_file(root, std::nullopt));
    tree.file("proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
    tree.file("proc/self/cgroup", "0::/transparent.slice/science.scope\n");
    EXPECT_FALSE(pressure_file(root, std::nullopt)) << "the kernel has no such file";
    const std::string own = "/sys/fs/cgroup/transparent.slice/science.scope/memory.pressure";
    tree.file(own.substr(1), "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n");
    EXPECT_EQ(pressure_file(root, std::nullopt), own);
    EXPECT_EQ(pressure_file(root, "/sys/fs/cgroup/user.slice/terminal.service/memory.pressure"), own)
        << "that cgroup is this process's no more";
    for (const char* const chosen : {"/dev/null", "/run/user/1000/pressure.socket", ""})
        EXPECT_FALSE(pressure_file(root, chosen)) << chosen;
}

}  // namespace
}  // namespace tmm
