// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Log: writes messages of programs to stderr. A service manager gets sd-daemon(3) "<N>" prefixes, a terminal or a pipe the
// program's name. A message is one line; controls in it, as of the names of others' programs, are escaped. Thread-safe: one
// write(2) a message. Libraries never log; programs do, once for each event.
#pragma once

#include <string>
#include <string_view>

namespace tmm {

enum class LogLevel { error = 3, warning = 4, info = 6, debug = 7 };

class Log {
public:
    // Messages above max_level are dropped. to_journal: prefix "<N>" instead of "program: ".
    Log(std::string program, LogLevel max_level, bool to_journal)
        : program_(std::move(program)), max_level_(max_level), to_journal_(to_journal) {}

    void error(std::string_view message) const { write(LogLevel::error, message); }
    void warning(std::string_view message) const { write(LogLevel::warning, message); }
    void info(std::string_view message) const { write(LogLevel::info, message); }
    void debug(std::string_view message) const { write(LogLevel::debug, message); }

    void set_max_level(LogLevel level) { max_level_ = level; }

private:
    void write(LogLevel level, std::string_view message) const;

    std::string program_;
    LogLevel max_level_;
    bool to_journal_;
};

}  // namespace tmm
