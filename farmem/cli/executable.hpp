// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which programs can have a hand: dynamically linked ones that run with their caller's rights.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"

namespace tmm::far {

// The beginning of an executable, as far as it counts. interpreter: of a script, else empty.
struct ExecutableHead {
    bool is_elf = false;
    bool is_dynamic = false;
    std::string interpreter;
};
// Pure. head: at least the program headers, usually the first 4 KiB.
ExecutableHead parse_head(std::string_view head);

// Returns the path of a command as execvp(3) finds it. Error: ENOENT.
Result<std::string> find_executable(const std::string& command);

// Error: the program is static, or setuid, setgid or with file capabilities; the text says so.
Result<void> check_executable(const std::string& path);

}  // namespace tmm::far
