// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/giving/caps.hpp"

namespace tmm::core {

Caps apply(Caps caps, const CapsChange& change) {
    caps.max_bytes = change.max_bytes.value_or(caps.max_bytes);
    caps.max_percent = change.max_percent.value_or(caps.max_percent);
    caps.only_when_idle = change.only_when_idle.value_or(caps.only_when_idle);
    caps.only_on_mains = change.only_on_mains.value_or(caps.only_on_mains);
    caps.quiet_hours = change.quiet_hours.value_or(caps.quiet_hours);
    return caps;
}

}  // namespace tmm::core
