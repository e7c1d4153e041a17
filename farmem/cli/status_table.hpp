// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// status_table(): the table of "tmm-far top", of the lines that the pager answers to "status". Pure.
#pragma once

#include <string>
#include <string_view>

namespace tmm::far {

// Returns a header, and a line for each program. A value that the pager does not name is "-".
std::string status_table(std::string_view status);

}  // namespace tmm::far
