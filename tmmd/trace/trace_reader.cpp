// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/trace/trace_reader.hpp"

#include <cerrno>
#include <cstring>

#include "tmmd/trace/lackey.hpp"

namespace tmm::trace {

namespace {

std::string_view without_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

TraceReader::TraceReader(UniqueFd fd, std::string name, std::uint64_t lackey_step_us)
    : lines_(std::move(fd)), name_(std::move(name)), lackey_step_us_(lackey_step_us) {}

Error TraceReader::at_line(Error error) const {
    // A failed read is not the fault of the line.
    if (error.code() != EINVAL)
        return {error.code(), name_ + ": " + std::strerror(error.code())};
    return std::move(error).with_context(name_ + ":" + std::to_string(lines_.line_number()));
}

Result<bool> TraceReader::next(Record& record) {
    switch (format_) {
        case Format::own:
            return next_own(record);
        case Format::lackey:
            return next_lackey(record);
        case Format::unknown:
            break;
    }
    return begin(record);
}

Result<bool> TraceReader::begin(Record& record) {
    std::string_view line;
    auto more = lines_.next(line);
    if (!more)
        return at_line(std::move(more).error());
    if (!*more)
        return Error(EINVAL, name_ + ": is empty");
    if (looks_like_lackey(line)) {
        format_ = Format::lackey;
        return lackey_line(line, record);
    }
    line = without_return(line);
    if (line != header) {
        if (line.starts_with("#tmm-trace "))
            return at_line({EINVAL, in_quotes(line) + ": this program reads version 1"});
        return at_line({EINVAL, "neither a trace (" + std::string(header) + ") nor the text of valgrind --tool=lackey"});
    }
    format_ = Format::own;
    more = lines_.next(line);
    if (!more)
        return at_line(std::move(more).error());
    if (!*more)
        return false;
    if (without_return(line) == columns)
        return next_own(record);
    return own_record(line, record);
}

Result<bool> TraceReader::next_own(Record& record) {
    std::string_view line;
    auto more = lines_.next(line);
    if (!more)
        return at_line(std::move(more).error());
    if (!*more)
        return false;
    return own_record(line, record);
}

Result<bool> TraceReader::own_record(std::string_view line, Record& record) {
    auto parsed = parse_record(line);
    if (!parsed)
        return at_line(std::move(parsed).error());
    if (parsed->t_us < last_t_us_)
        return at_line({EINVAL, "time falls from " + std::to_string(last_t_us_) + " to " + std::to_string(parsed->t_us) + " us"});
    last_t_us_ = parsed->t_us;
    record = *parsed;
    return true;
}

Result<bool> TraceReader::next_lackey(Record& record) {
    if (nr_pages_left_ > 0) {
        record.page = next_page_++;
        --nr_pages_left_;
        return true;
    }
    std::string_view line;
    auto more = lines_.next(line);
    if (!more)
        return at_line(std::move(more).error());
    if (!*more)
        return false;
    return lackey_line(line, record);
}

Result<bool> TraceReader::lackey_line(std::string_view line, Record& record) {
    for (;;) {
        const auto access = parse_lackey(line);
        if (!access)
            return at_line(access.error());
        if (*access) {
            record = {.t_us = last_t_us_, .page = (*access)->first_page};
            if (last_t_us_ + lackey_step_us_ > max_t_us)
                return at_line({EINVAL, "the trace is longer than ten years"});
            last_t_us_ += lackey_step_us_;
            next_page_ = (*access)->first_page + 1;
            nr_pages_left_ = (*access)->last_page - (*access)->first_page;
            return true;
        }
        auto more = lines_.next(line);
        if (!more)
            return at_line(std::move(more).error());
        if (!*more)
            return false;
    }
}

}  // namespace tmm::trace
