// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <unistd.h>

#include "base/quantity.hpp"

namespace tmm::os {

// Returns the size of a base page of this machine.
inline Bytes page_bytes() {
    return Bytes(::sysconf(_SC_PAGESIZE));
}

}  // namespace tmm::os
