// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The file in which a client that is stopped keeps its tasks (client_state.xml). Pure.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "boinc-adapter/rpc/values.hpp"

namespace tmm::boinc {

// Returns the text without the suspensions of these tasks; all other bytes stay. It takes out whole lines, as the client writes
// them. Error: EPROTO for a text that is cut off or of another kind.
Result<std::string> without_suspensions(std::string_view text, const std::set<TaskId>& tasks);

}  // namespace tmm::boinc
