// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// tmmctl record: becomes tmmd --dry-run --record=FILE. So no daemon opens a file that a user names, the one who may read the
// device is root and nobody else, and there is one recorder.
#pragma once

#include <string>

#include "base/result.hpp"

namespace tmm::ctl {

// Returns only if it could not be started.
Error record(const std::string& file, bool daemon_runs);

}  // namespace tmm::ctl
