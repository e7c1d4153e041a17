// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "static_limits.hpp"

#include <algorithm>

#include "base/units.hpp"

namespace tmm::desk {

StaticLimits static_limits(unsigned opaque_percent, std::uint64_t installed_bytes, std::uint64_t total_bytes) {
    const std::uint64_t opaque = std::min(installed_bytes / 100 * opaque_percent, total_bytes);
    return {opaque, total_bytes - opaque};
}

std::string static_timeline_header() {
    return "t_s,opaque_limit_mb,transparent_limit_mb,opaque_used_mb,transparent_used_mb,total_mb,kind,reason";
}

std::string static_timeline_row(double t_s, unsigned opaque_percent, const StaticLimits& limits, const TmmMemory& memory) {
    const auto megabytes = [](std::uint64_t bytes) { return format_fixed(static_cast<double>(bytes) / (1 << 20), 2); };
    return format_fixed(t_s, 3) + ',' + megabytes(limits.opaque_bytes) + ',' + megabytes(limits.transparent_bytes) + ',' +
           megabytes(memory.opaque_usage) + ',' + megabytes(memory.transparent_usage) + ',' + megabytes(memory.total) +
           ",static,\"" + std::to_string(opaque_percent) + " % of memory for opaque applications, whatever they need\"";
}

}  // namespace tmm::desk
