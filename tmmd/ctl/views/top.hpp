// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl top. Pure but for the time zone and the names of users.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tmmd/ctl/processes.hpp"
#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// The number of processes of each class without a terminal and in JSON.
inline constexpr std::size_t max_processes = 10;

// The summary, then contributions and processes, which share the rest of the screen's height. now: seconds since 1970.
std::string format_top(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                       const std::vector<Process>& processes, std::time_t now, const Screen& screen);

// One object on one line: status with contributions, and the biggest processes of each class.
std::string top_json(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                     const std::vector<Process>& processes);

}  // namespace tmm::ctl
