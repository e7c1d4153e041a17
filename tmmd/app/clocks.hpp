// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The clocks of the machine. Called from one thread (tzset).
#pragma once

#include "tmmd/core/moment.hpp"

namespace tmm::app {

// The local time follows a change of the time zone.
core::Moment read_clocks();

}  // namespace tmm::app
