// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// English words for orders, for the log. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "boinc-adapter/policy/facts.hpp"

namespace tmm::boinc {

// Returns "suspend NAME, which waits for 1.2 GiB", and so on: one for each order. waiting: of Policy.
std::vector<std::string> words_of(const Orders& orders, const std::map<TaskId, std::uint64_t>& waiting);

}  // namespace tmm::boinc
