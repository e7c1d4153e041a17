// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <string>

namespace soft::detail {

/// What is in a file of /proc, which has no size to go by. Empty if there is no such file, or it may not be read.
std::string read_proc(const std::string& path);

}  // namespace soft::detail
