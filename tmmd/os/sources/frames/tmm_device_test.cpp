// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/sources/frames/tmm_device.hpp"

#include <gtest/gtest.h>
#include <linux/tmm.h>

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <vector>

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

// Memory of 30,000 frames, all with a word. A signal ends each call after `max_frames` frames.
int scan_frames(tmm_scan& request, std::uint64_t max_frames) {
    constexpr std::uint64_t end = 30'000;
    const std::uint64_t stop =
        std::min<std::uint64_t>({end, request.start_pfn + max_frames, request.start_pfn + request.vec_len});
    auto* const words = reinterpret_cast<std::uint64_t*>(request.vec);
    for (std::uint64_t frame = request.start_pfn; frame < stop; ++frame)
        words[frame - request.start_pfn] = frame;
    request.walk_end = stop;
    return static_cast<int>(stop - request.start_pfn);
}

std::vector<std::uint64_t> all_frames() {
    std::vector<std::uint64_t> frames(30'000);
    std::iota(frames.begin(), frames.end(), 0);
    return frames;
}

TEST(TmmDevice, AScanGoesOnAfterAFullBuffer) {
    const auto words = scan_all([](tmm_scan& request) { return scan_frames(request, UINT32_MAX); }, 0, 0);
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, all_frames());
}

TEST(TmmDevice, AScanGoesOnAfterASignal) {
    const auto words = scan_all([](tmm_scan& request) { return scan_frames(request, 64); }, 0, 0);
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, all_frames());
}

TEST(TmmDevice, AScanGoesOnAfterACallWithoutAWord) {
    int calls = 0;
    const auto words = scan_all(
        [&](tmm_scan& request) {
            if (++calls > 1)
                return scan_frames(request, UINT32_MAX);
            request.walk_end = 64;
            return 0;
        },
        0, 0);
    ASSERT_TRUE(words);
    EXPECT_EQ(words->size(), 30'000U - 64);
}

TEST(TmmDevice, AScanBeginsAgainIfASignalCameFirst) {
    int calls = 0;
    const auto words = scan_all(
        [&](tmm_scan& request) {
            if (++calls > 1)
                return scan_frames(request, UINT32_MAX);
            errno = EINTR;
            return -1;
        },
        0, 0);
    ASSERT_TRUE(words);
    EXPECT_EQ(*words, all_frames());
}

}  // namespace
}  // namespace tmm::os
