// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmctl history and explain show. Pure.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tmmd/ctl/data.hpp"
#include "tmmd/ctl/screen.hpp"

namespace tmm::ctl {

std::string format_history(const std::vector<HistoryRow>& rows, const Screen& screen);
// With a line of titles; numbers as they are.
std::string history_csv(const std::vector<HistoryRow>& rows);
std::string history_json(const std::string& resolution, const std::vector<HistoryRow>& rows);

// Why the state is what it is, then the decisions.
std::string format_decisions(const Status& status, const std::vector<Decision>& decisions, std::time_t now, const Screen& screen);
std::string decisions_json(const Status& status, const std::vector<Decision>& decisions);

}  // namespace tmm::ctl
