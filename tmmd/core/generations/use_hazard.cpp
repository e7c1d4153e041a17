// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/generations/use_hazard.hpp"

#include <algorithm>
#include <cmath>

namespace tmm::core {

void UseHazard::epoch_ended(const Epoch& epoch) {
    const auto mix = [](double& mean, double value) { mean += newest * (value - mean); };
    mix(mean_.recent, epoch.recent);
    mix(mean_.used_recent, epoch.used_recent);
    mix(mean_.old, epoch.old);
    mix(mean_.used_old, epoch.used_old);
    mix(log_ages_, epoch.old * epoch.log_age);
}

double UseHazard::exponent() const {
    if (mean_.recent <= 0 || mean_.used_old <= 0 || log_ages_ <= 0)
        return 1;
    const double recent = mean_.used_recent / mean_.recent;
    const double old = mean_.used_old / mean_.old;
    return recent <= old ? 0 : std::min(std::log(recent / old) / (log_ages_ / mean_.old), 1.0);
}

}  // namespace tmm::core
