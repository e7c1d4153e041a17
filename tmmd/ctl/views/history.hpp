// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The output of tmmctl history. Pure but for the time zone.
#pragma once

#include <string>
#include <vector>

#include "tmmd/ctl/text/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// A table for people, one line a row.
std::string format_history(const std::vector<wire::HistoryRow>& rows, const Screen& screen);

// A line of titles, then one line a row; numbers without rounding, in the units of the bus.
std::string history_csv(const std::vector<wire::HistoryRow>& rows);

// One object on one line. resolution: minutes, hours or days.
std::string history_json(const std::string& resolution, const std::vector<wire::HistoryRow>& rows);

}  // namespace tmm::ctl
