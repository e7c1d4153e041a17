// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The trace that tmm-replay reads: a file, or a pipe that is kept in a temporary file while it is read twice. Not thread-safe.
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
    // "-": standard input. Error: "FILE: reason".
    static Result<Input> open(const std::string& file, std::uint64_t record_time_us);

    // From now on it can be read more than once: what cannot be rewound is copied into a temporary file without a name, in
    // $TMPDIR or /tmp.
    Result<void> make_rereadable();

    // Calls use for each record, from the begin. progress: called now and then with the bytes read so far.
    // Error: "FILE:LINE: reason".
    Result<void> for_each(const std::function<void(std::uint64_t)>& progress,
                          const std::function<void(const trace::Record&)>& use);

    // 0 if it is not known.
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
