// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace soft::detail {

/// Returns the text of a file of /proc, whose size is not known beforehand. Empty if it does not exist or may not be read.
std::string read_proc(const std::string& path);

}  // namespace soft::detail
