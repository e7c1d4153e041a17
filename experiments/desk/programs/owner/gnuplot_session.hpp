// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// A persistent gnuplot process, driven through its standard input. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm::desk {

class GnuplotSession {
public:
    // program: gnuplot or a stand-in, found along PATH.
    static Result<GnuplotSession> start(const std::string& program);

    GnuplotSession(GnuplotSession&&) noexcept;
    GnuplotSession& operator=(GnuplotSession&&) = delete;
    // Closes gnuplot's input, which ends it, and kills it if it is busy.
    ~GnuplotSession();

    // Sends commands, then waits for a line that is `mark`. Error: gnuplot has ended; EINTR: a signal asked this process to end.
    Result<void> run(const std::string& commands, const std::string& mark);

private:
    GnuplotSession(pid_t pid, UniqueFd input, UniqueFd output)
        : pid_(pid), input_(std::move(input)), output_(std::move(output)) {}

    pid_t pid_;
    UniqueFd input_;
    UniqueFd output_;
    std::string pending_;
};

}  // namespace tmm::desk
