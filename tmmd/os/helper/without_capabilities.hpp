// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Runs a part of a test without capabilities, so that it may read no more than its user. For tests.
#pragma once

#include <gtest/gtest.h>

#include <thread>

#include "tmmd/os/helper/capabilities.hpp"

namespace tmm::os {

// In a thread of its own, since each has its own capabilities.
template <typename Body>
void without_capabilities(const Body& body) {
    std::thread([&] {
        ASSERT_TRUE(keep_capabilities(0));
        body();
    }).join();
}

}  // namespace tmm::os
