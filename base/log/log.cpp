// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/log/log.hpp"

#include <unistd.h>

#include "base/text/utf8.hpp"

namespace tmm {

void Log::write(LogLevel level, std::string_view message) const {
    if (level > max_level_)
        return;
    std::string line = to_journal_ ? "<" + std::to_string(static_cast<int>(level)) + ">" : program_ + ": ";
    line += printable(message);
    line += '\n';
    // If stderr itself is gone, nobody can read the error.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
}

}  // namespace tmm
