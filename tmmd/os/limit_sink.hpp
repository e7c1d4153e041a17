// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LimitSink: where limits of the two classes go, and where their usage is read. Called from one thread.
#pragma once

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::os {

struct Limits {
    core::Pages opaque{0};
    core::Pages transparent{0};
    bool operator==(const Limits&) const = default;
};

class LimitSink {
public:
    virtual ~LimitSink() = default;
    virtual Result<void> write(const Limits& limits) = 0;
    virtual Result<core::MemoryUsage> usage() = 0;
};

}  // namespace tmm::os
