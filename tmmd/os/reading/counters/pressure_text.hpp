// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The text of a file memory.pressure, for tests.
#pragma once

#include <cstdint>
#include <string>

namespace tmm::os {

inline std::string pressure(std::uint64_t some_us) {
    return "some avg10=0.12 avg60=0.00 avg300=0.00 total=" + std::to_string(some_us) +
           "\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n";
}

}  // namespace tmm::os
