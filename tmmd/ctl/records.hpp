// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmctl history and explain show. Pure.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tmmd/ctl/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

std::string format_history(const std::vector<wire::HistoryRow>& rows, const Screen& screen);
// With a line of titles; numbers as they are.
std::string history_csv(const std::vector<wire::HistoryRow>& rows);
std::string history_json(const std::string& resolution, const std::vector<wire::HistoryRow>& rows);

// Why the state is what it is, then the decisions.
std::string format_decisions(const wire::Status& status, const std::vector<wire::Decision>& decisions, std::time_t now,
                             const Screen& screen);
std::string decisions_json(const wire::Status& status, const std::vector<wire::Decision>& decisions);

}  // namespace tmm::ctl
