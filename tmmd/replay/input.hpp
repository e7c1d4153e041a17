// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Input: opens the trace of tmm-replay: a file, or a pipe, which is copied to a temporary file if it is read twice. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/trace/record.hpp"

namespace tmm::replay {

class Input {
public:
    // Opens the file; "-" is standard input. record_time_us: see TraceReader. Error: "FILE: reason".
    static Result<Input> open(const std::string& file, std::uint64_t record_time_us);

    // Makes it possible to read the trace more than once. Copies input that cannot be rewound to a temporary file without a name,
    // in $TMPDIR or /tmp. Error: "FILE: reason", or that of the temporary file.
    Result<void> make_rereadable();

    // Calls use for each record, from the beginning, and progress now and then with the number of bytes read so far. Error:
    // "FILE:LINE: reason".
    Result<void> for_each(const std::function<void(std::uint64_t)>& progress,
                          const std::function<void(const trace::Record&)>& use);

    // Returns the size of the trace; 0 if it is not known.
    [[nodiscard]] std::uint64_t size_bytes() const { return size_bytes_; }

private:
    Input(UniqueFd fd, std::string name, std::uint64_t record_time_us)
        : fd_(std::move(fd)), name_(std::move(name)), record_time_us_(record_time_us) {}

    UniqueFd fd_;
    std::string name_;
    std::uint64_t record_time_us_;
    std::uint64_t size_bytes_ = 0;
    bool is_regular_ = false;
};

}  // namespace tmm::replay
