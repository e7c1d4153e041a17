// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl explain. Pure but for the time zone.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// The state with its reason, then a table of the decisions. now: seconds since 1970.
std::string format_decisions(const wire::Status& status, const std::vector<wire::Decision>& decisions, std::time_t now,
                             const Screen& screen);

// One object on one line.
std::string decisions_json(const wire::Status& status, const std::vector<wire::Decision>& decisions);

}  // namespace tmm::ctl
