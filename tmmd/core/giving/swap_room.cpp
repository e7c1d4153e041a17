// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/swap_room.hpp"

namespace tmm::core {

namespace {

// Contributions thaw only after 1/50 of memory is free again, so that they do not freeze and thaw in turns.
constexpr unsigned parts_to_go_on = 50;

}  // namespace

bool SwapRoom::step(Pages total, Pages wanted, Pages in_memory) {
    const Pages enough = wanted + (held_ ? total / parts_to_go_on : Pages(0));
    held_ = in_memory > Pages(0) && wanted > Pages(0) && total <= enough;
    return held_;
}

}  // namespace tmm::core
