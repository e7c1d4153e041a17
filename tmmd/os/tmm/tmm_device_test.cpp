// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/tmm/tmm_device.hpp"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/temp_tree.hpp"

namespace tmm::os {
namespace {

TEST(TmmDevice, AMissingDeviceSaysWhatToDo) {
    TempTree tree;
    tree.dir("dev");
    const auto device = TmmDevice::open(tree.root());
    ASSERT_FALSE(device);
    EXPECT_EQ(device.error().code(), ENODEV) << "callers tell a kernel without TMM by it";
    EXPECT_NE(device.error().message().find("tmmd(8)"), std::string::npos);
}

TEST(TmmDevice, WhatIsNotTheDeviceFailsAtTheFirstQuestion) {
    TempTree tree;
    tree.file("dev/tmm", "");
    auto device = TmmDevice::open(tree.root());
    ASSERT_TRUE(device);
    EXPECT_EQ(device->scan(0, 0).error().message(), "/dev/tmm: TMM_SCAN: Inappropriate ioctl for device");
    EXPECT_EQ(device->poll_refaults(1).error().code(), ENOTTY);
}

}  // namespace
}  // namespace tmm::os
