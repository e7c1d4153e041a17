// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/line_reader.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tmm::trace {

LineReader::LineReader(UniqueFd fd) : fd_(std::move(fd)), buffer_(std::make_unique_for_overwrite<char[]>(block_bytes)) {}

Result<bool> LineReader::next(std::string_view& line) {
    const char* const start = buffer_.get() + begin_;
    const auto* const line_end = static_cast<const char*>(std::memchr(start, '\n', end_ - begin_));
    if (!line_end)
        return next_with_more_input(line);
    line = {start, static_cast<std::size_t>(line_end - start)};
    begin_ += line.size() + 1;
    ++line_number_;
    if (line.size() > max_line)
        return Error(EINVAL, "line longer than " + std::to_string(max_line) + " bytes");
    return true;
}

Result<bool> LineReader::next_with_more_input(std::string_view& line) {
    if (end_ - begin_ > max_line) {
        ++line_number_;
        return Error(EINVAL, "line longer than " + std::to_string(max_line) + " bytes");
    }
    if (!at_end_) {
        auto filled = fill();
        if (!filled) {
            ++line_number_;
            return std::move(filled).error();
        }
        return next(line);
    }
    if (begin_ == end_)
        return false;
    line = {buffer_.get() + begin_, end_ - begin_};
    begin_ = end_;
    ++line_number_;
    return true;
}

Result<void> LineReader::fill() {
    std::copy(buffer_.get() + begin_, buffer_.get() + end_, buffer_.get());
    end_ -= begin_;
    begin_ = 0;
    ssize_t got = -1;
    do {
        got = ::read(fd_.get(), buffer_.get() + end_, block_bytes - end_);
    } while (got < 0 && errno == EINTR);
    if (got < 0)
        return Error::from_errno(errno, "read");
    at_end_ = got == 0;
    end_ += static_cast<std::size_t>(got);
    bytes_read_ += static_cast<std::uint64_t>(got);
    return {};
}

}  // namespace tmm::trace
