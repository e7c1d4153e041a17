// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include "softlib/heap.hpp"
#include "tests/fake_os.hpp"
#include "tests/mebibyte.hpp"

namespace soft {

/// A fixture with a heap without a thread, so that things happen when the test says so.
class SoftTest : public testing::Test {
protected:
    detail::FakeOs os;
    soft::heap heap{{.limit_bytes = 64 * mebibyte, .reserve_bytes = 128 * mebibyte, .background = false, .os = &os}};

    void lose_all() {
        heap.seal();
        heap.lose_pages(1.0, 1);
    }
};

}  // namespace soft
