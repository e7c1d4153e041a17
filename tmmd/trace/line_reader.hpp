// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// LineReader: reads the lines of a file, a pipe or a terminal, in large blocks. Memory does not grow with the input. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "base/result.hpp"
#include "base/unique_fd.hpp"

namespace tmm::trace {

class LineReader {
public:
    static constexpr std::size_t block_bytes = 1 << 20;
    static constexpr std::size_t max_line = 4096;

    explicit LineReader(UniqueFd fd);

    // Gives the next line without its line end, valid until the next call. The last line needs no line end. Returns false at the
    // end of the input. Error: reading failed, or the line is longer than max_line bytes.
    Result<bool> next(std::string_view& line);

    [[nodiscard]] std::uint64_t line_number() const { return line_number_; }  // of the latest line, from 1
    [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

private:
    Result<bool> next_with_more_input(std::string_view& line);
    Result<void> fill();

    UniqueFd fd_;
    std::unique_ptr<char[]> buffer_;  // of block_bytes
    std::size_t begin_ = 0;           // of the bytes not yet handed out
    std::size_t end_ = 0;             // of the bytes read
    bool at_end_ = false;             // the input has ended
    std::uint64_t line_number_ = 0;
    std::uint64_t bytes_read_ = 0;
};

}  // namespace tmm::trace
