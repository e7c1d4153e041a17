// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A number that nobody can guess: for seeds and secrets. Thread-safe.
#pragma once

#include <sys/random.h>

#include <cstdint>

namespace tmm::far {

inline std::uint64_t random_number() {
    std::uint64_t number = 0;
    // Fails only without a kernel's generator of random numbers.
    (void)!::getrandom(&number, sizeof number, 0);
    return number;
}

}  // namespace tmm::far
