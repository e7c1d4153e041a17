// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/reuse/counted_time.hpp"

#include <algorithm>

namespace soft::detail {

std::chrono::nanoseconds& counted_time() noexcept {
    thread_local std::chrono::nanoseconds counted{0};
    return counted;
}

std::chrono::nanoseconds count_rest(std::chrono::nanoseconds took, std::chrono::nanoseconds before) noexcept {
    const auto rest = std::max(took - (counted_time() - before), std::chrono::nanoseconds(0));
    counted_time() += rest;
    return rest;
}

}  // namespace soft::detail
