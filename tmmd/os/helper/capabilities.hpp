// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The capabilities of this process, as sets of bits. Called while the process has one thread, since each thread has its own.
#pragma once

#include <linux/capability.h>

#include <cstdint>

#include "base/result.hpp"

namespace tmm::os {

using Capabilities = std::uint64_t;

constexpr Capabilities capability(unsigned number) {
    return Capabilities{1} << number;
}

// Returns the effective ones.
Result<Capabilities> own_capabilities();

// Gives up all others, for good. A process without others needs no permission for it. Error: a filter of system calls refuses.
Result<void> keep_capabilities(Capabilities kept);

}  // namespace tmm::os
