// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Timeline: a CSV file with a header line and a row for each decision. Readers find columns by name; new ones may be added.
// Megabytes are 2^20 bytes. It writes each row at once, so that a crash loses no earlier row. Called from one thread.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/core/moment.hpp"
#include "tmmd/core/tick/wanted.hpp"

namespace tmm::app {

struct TimelineRow {
    core::PolicyStep step;
    core::WallTime wall{};
    core::GivingDecision given;  // the decision after the owner's settings: the limits in force
};

// Both return a line without its end. Pure.
std::string timeline_header();
std::string format_row(const TimelineRow& row, Bytes page_bytes);

class Timeline {
public:
    // Creates the file, or empties it, and writes the header.
    static Result<Timeline> create(const std::string& path);

    // Error: the write fails, for example on a full disk; earlier rows stay.
    Result<void> append(const TimelineRow& row);

private:
    Timeline(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
    Result<void> write_line(std::string line);

    UniqueFd fd_;
    std::string path_;
};

}  // namespace tmm::app
