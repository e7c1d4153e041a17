// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times an owner's interactions and writes the log of their latencies. Not thread-safe.
#pragma once

#include <chrono>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "latency_log.hpp"

namespace tmm::desk {

class InteractionRecorder {
public:
    // With an empty path it times but does not write. Error: the file cannot be made.
    static Result<InteractionRecorder> create(const std::string& path);

    void begin();
    // Also for an interaction that the end of the program interrupts: it counts with the wait so far.
    void end();
    // Writes the last second.
    void finish();

private:
    explicit InteractionRecorder(UniqueFd file) : file_(std::move(file)) {}
    void write(const std::string& text);

    UniqueFd file_;
    LatencyLog log_;
    std::chrono::nanoseconds begin_{0};
};

// Makes an empty file as a sign that the program is loaded; does nothing for an empty path.
Result<void> tell_ready(const std::string& path);

}  // namespace tmm::desk
