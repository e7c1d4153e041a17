// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/core/history/usage_history.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>

#include "base/units.hpp"

namespace tmm::core {

namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

constexpr std::string_view given_name = "given";

// About the year 2200: a time in a damaged file must not overflow.
constexpr double latest_start_s = 7.3e9;

WallTime row_start(WallTime time, seconds row_length) {
    const seconds since = std::chrono::floor<seconds>(time).time_since_epoch();
    const seconds into_row = (since % row_length + row_length) % row_length;
    return WallTime(since - into_row);
}

std::array<double, 5> in_order(const Usage& usage) {
    return {usage.opaque, usage.transparent, usage.free, usage.opaque_limit, usage.transparent_limit};
}

void append_number(std::string& text, double value) {
    std::array<char, 32> digits{};
    // Writes the shortest form that is read back as the same number.
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value);
    text += ' ';
    text.append(digits.data(), end.ptr);
}

// Cuts the first word and the blank after it off line, and returns the word.
std::string_view cut_word(std::string_view& line) {
    const auto end = line.find(' ');
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    return word;
}

// Returns the numbers in the rest of a line; none unless there are exactly as many as wanted, all from 0 on.
std::optional<std::vector<double>> numbers_of(std::string_view line, std::size_t wanted) {
    std::vector<double> numbers;
    while (!line.empty() && numbers.size() <= wanted) {
        const auto number = parse_double(cut_word(line));
        if (!number || *number < 0)
            return std::nullopt;
        numbers.push_back(*number);
    }
    return numbers.size() == wanted ? std::optional(std::move(numbers)) : std::nullopt;
}

}  // namespace

UsageHistory::Sums& UsageHistory::row_at(Level& level, const ResolutionShape& shape, WallTime time) {
    const WallTime start = row_start(time, shape.row_length);
    if (level.empty() || level.back().start != start) {
        level.emplace_back();
        level.back().start = start;
        if (level.size() > shape.max_rows)
            level.pop_front();
    }
    return level.back();
}

void UsageHistory::add(const Usage& usage, double stall, std::uint64_t faults_after_returns, Seconds length, WallTime end) {
    const auto span = std::chrono::duration_cast<microseconds>(std::min(length, 2 * max_span));
    if (span <= span.zero() || length > max_span)
        return;
    given_byte_seconds_ += usage.transparent * length.count();
    const std::array<double, 5> values = in_order(usage);
    for (std::size_t level = 0; level < nr_resolutions; ++level) {
        const ResolutionShape& shape = resolution_shapes[level];
        for (WallTime from = end - span; from < end;) {
            Sums& row = row_at(levels_[level], shape, from);
            const WallTime to = std::min<WallTime>(row.start + shape.row_length, end);
            const double part = Seconds(to - from).count();
            row.observed_s += part;
            for (std::size_t i = 0; i < values.size(); ++i)
                row.byte_seconds[i] += values[i] * part;
            if (!std::isnan(stall)) {
                row.stall_observed_s += part;
                row.stall_s += stall * part;
            }
            from = to;
        }
        levels_[level].back().faults_after_returns += static_cast<double>(faults_after_returns);
    }
}

std::vector<UsageRow> UsageHistory::rows(Resolution resolution) const {
    std::vector<UsageRow> rows;
    const ResolutionShape& shape = resolution_shapes[static_cast<std::size_t>(resolution)];
    for (const Sums& sums : levels_[static_cast<std::size_t>(resolution)]) {
        const auto mean = [&](std::size_t i) { return sums.byte_seconds[i] / sums.observed_s; };
        UsageRow row;
        row.start = sums.start;
        row.observed = std::min(Seconds(sums.observed_s), Seconds(shape.row_length));
        row.mean = {
            .opaque = mean(0), .transparent = mean(1), .free = mean(2), .opaque_limit = mean(3), .transparent_limit = mean(4)};
        if (sums.stall_observed_s > 0)
            row.stall = sums.stall_s / sums.stall_observed_s;
        row.faults_after_returns = static_cast<std::uint64_t>(std::llround(sums.faults_after_returns));
        rows.push_back(row);
    }
    return rows;
}

std::string UsageHistory::save_state() const {
    std::string text(given_name);
    append_number(text, given_byte_seconds_);
    text += '\n';
    for (std::size_t level = 0; level < nr_resolutions; ++level) {
        for (const Sums& row : levels_[level]) {
            text += resolution_shapes[level].name;
            append_number(text, Seconds(row.start.time_since_epoch()).count());
            for (const double value : {row.observed_s, row.stall_observed_s, row.stall_s, row.faults_after_returns})
                append_number(text, value);
            for (const double value : row.byte_seconds)
                append_number(text, value);
            text += '\n';
        }
    }
    return text;
}

Result<void> UsageHistory::restore_line(std::string_view line, std::array<Level, nr_resolutions>& levels, double& given) {
    const std::string_view name = cut_word(line);
    if (name == given_name) {
        const auto numbers = numbers_of(line, 1);
        if (!numbers)
            return Error(EINVAL, "not one number from 0 on");
        given = numbers->front();
        return {};
    }
    const auto* shape = std::find_if(resolution_shapes.begin(), resolution_shapes.end(),
                                     [&](const ResolutionShape& candidate) { return candidate.name == name; });
    if (shape == resolution_shapes.end())
        return Error(EINVAL, "no row of a history");
    const auto numbers = numbers_of(line, 10);
    if (!numbers)
        return Error(EINVAL, "not ten numbers from 0 on");
    const std::vector<double>& values = *numbers;
    // If the clock is set back, the same minute may be observed for longer than a minute; such a row is valid.
    constexpr double max_s = 1e9;
    if (values[0] > latest_start_s || std::fmod(values[0], static_cast<double>(shape->row_length.count())) != 0 ||
        values[1] <= 0 || values[1] > max_s || values[2] > max_s || values[3] > values[2] * 1.001 || values[4] > 1e15)
        return Error(EINVAL, "an impossible row");
    // No machine has a larger mean; the bound keeps conversions to whole bytes safe.
    constexpr double max_bytes = 1e18;
    const auto is_too_much = [&](double byte_seconds) { return byte_seconds > max_bytes * values[1]; };
    if (std::any_of(values.begin() + 5, values.end(), is_too_much))
        return Error(EINVAL, "a row with too many bytes");
    Level& level = levels[static_cast<std::size_t>(shape - resolution_shapes.begin())];
    if (level.size() == shape->max_rows)
        return Error(EINVAL, "too many rows");
    Sums& row = level.emplace_back();
    row.start = WallTime(seconds(std::llround(values[0])));
    row.observed_s = values[1];
    row.stall_observed_s = values[2];
    row.stall_s = values[3];
    row.faults_after_returns = values[4];
    std::copy(values.begin() + 5, values.end(), row.byte_seconds.begin());
    return {};
}

Result<void> UsageHistory::restore_state(std::string_view text) {
    std::array<Level, nr_resolutions> levels;
    double given = 0;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = text.find('\n');
        auto restored = end == std::string_view::npos ? Result<void>(Error(EINVAL, "no end of line"))
                                                      : restore_line(text.substr(0, end), levels, given);
        if (!restored)
            return std::move(restored).error().with_context("line " + std::to_string(number));
        text.remove_prefix(end + 1);
    }
    levels_ = std::move(levels);
    given_byte_seconds_ = given;
    return {};
}

}  // namespace tmm::core
