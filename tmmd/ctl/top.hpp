// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tmmctl top shows. Pure.
#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "tmmd/ctl/processes.hpp"
#include "tmmd/ctl/screen.hpp"
#include "tmmd/wire/types.hpp"

namespace tmm::ctl {

// The most of each class that are shown, without a terminal or in JSON.
inline constexpr std::size_t max_processes = 10;

// Fits the height of the screen, if that has one: contributions and processes share what is left of it.
std::string format_top(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                       const std::vector<Process>& processes, std::time_t now, const Screen& screen);

// One object on one line: status with contributions, and the biggest processes of each class.
std::string top_json(const wire::Status& status, const std::vector<wire::Contribution>& contributions,
                     const std::vector<Process>& processes);

}  // namespace tmm::ctl
