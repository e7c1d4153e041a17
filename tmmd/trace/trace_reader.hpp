// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// TraceReader: reads the records of a trace, one by one, in bounded memory. It reads TMM's format (record.hpp) and the text of
// valgrind's lackey (lackey.hpp), told apart by the first line. Not thread-safe.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "tmmd/trace/line_reader.hpp"
#include "tmmd/trace/record.hpp"

namespace tmm::trace {

class TraceReader {
public:
    // name: of the file, for messages. lackey_step_us: microseconds between two accesses of lackey's text, which has no clock.
    TraceReader(UniqueFd fd, std::string name, std::uint64_t lackey_step_us);

    // Gives the next record. Returns false at the end. Error: "FILE:LINE: reason" for a malformed line or a time that falls;
    // "FILE: reason" if the file is empty or cannot be read.
    Result<bool> next(Record& record);

    [[nodiscard]] std::uint64_t bytes_read() const { return lines_.bytes_read(); }

private:
    enum class Format { unknown, own, lackey };

    Result<bool> begin(Record& record);
    Result<bool> next_own(Record& record);
    Result<bool> own_record(std::string_view line, Record& record);
    Result<bool> next_lackey(Record& record);
    Result<bool> lackey_line(std::string_view line, Record& record);
    [[nodiscard]] Error at_line(Error error) const;

    LineReader lines_;
    std::string name_;
    std::uint64_t lackey_step_us_;
    Format format_ = Format::unknown;
    std::uint64_t last_t_us_ = 0;
    core::PageKey next_page_ = 0;  // the first of the pages of lackey's last access that are not handed out yet
    std::uint64_t nr_pages_left_ = 0;
};

}  // namespace tmm::trace
