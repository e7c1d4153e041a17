// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/app/contributions/contribution_keeper.hpp"

namespace tmm::app {

namespace {

constexpr core::Seconds held_discovery_interval{5};

}  // namespace

void ContributionKeeper::tick(core::Hold hold, core::AwakeTime now) {
    contributions_.hold(hold);
    contributions_.tick(now);
    if (hold == core::Hold::none)
        return;
    if (last_held_discovery_ && now - *last_held_discovery_ < held_discovery_interval)
        return;
    discover();
    last_held_discovery_ = now;
}

}  // namespace tmm::app
