// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LimitSink: writes the limits of the two classes to the kernel, and reads the usage of memory. Called from one thread.
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
    // Sets both limits. Error: the kernel cannot be written; one limit may then be set.
    virtual ~LimitSink() = default;
    // Returns the usage of memory by class. Error: the kernel cannot be read.
    virtual Result<void> write(const Limits& limits) = 0;
    virtual Result<core::MemoryUsage> usage() = 0;
};

}  // namespace tmm::os
