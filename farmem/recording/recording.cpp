// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "farmem/recording/recording.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

namespace tmm::far {

namespace {

constexpr std::size_t nr_fields = 6;
constexpr std::string_view kind_letters = "rwz";  // in the order of FaultKind

Error malformed(const std::string& what) {
    return {EINVAL, what};
}

// Returns the text up to the separator or the end, and removes both from the rest.
std::string_view cut(std::string_view& rest, char separator) {
    const std::size_t end = std::min(rest.find(separator), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
}

// Parses a whole number up to max, and nothing else.
template <typename Number>
bool read_number(std::string_view text, int base, std::uint64_t max, Number& number) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
    if (error != std::errc() || end != text.data() + text.size() || value > max)
        return false;
    number = static_cast<Number>(value);
    return true;
}

std::string_view without_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

}  // namespace

Result<RecordedFault> parse_fault(std::string_view line) {
    std::array<std::string_view, nr_fields> fields;
    std::size_t nr_commas = 0;
    for (const char c : line)
        nr_commas += c == ',' ? 1 : 0;
    if (nr_commas != nr_fields - 1)
        return malformed("not the six fields " + std::string(recording_columns));
    for (std::string_view& field : fields)
        field = cut(line, ',');

    RecordedFault fault;
    if (!read_number(fields[0], 10, RecordedFault::max_us, fault.t_us))
        return malformed("t_us is not a number of microseconds, at most ten years");
    if (!read_number(fields[1], 10, UINT16_MAX, fault.thread))
        return malformed("thread is not a number up to 65535");
    if (fields[2].size() != 16 || !read_number(fields[2], 16, UINT64_MAX, fault.area))
        return malformed("area is not 16 hexadecimal digits");
    if (!read_number(fields[3], 10, RecordedFault::max_page, fault.page))
        return malformed("page is not a number below 2^36");
    const std::size_t kind = fields[4].size() == 1 ? kind_letters.find(fields[4][0]) : std::string_view::npos;
    if (kind == std::string_view::npos)
        return malformed("kind is not r, w or z");
    fault.kind = static_cast<FaultKind>(kind);
    if (!read_number(fields[5], 10, RecordedFault::max_us, fault.waited_us))
        return malformed("waited_us is not a number of microseconds, at most ten years");
    return fault;
}

std::string format_fault(const RecordedFault& fault) {
    std::array<char, 16> area{};
    const auto end = std::to_chars(area.data(), area.data() + area.size(), fault.area, 16).ptr;
    const std::string digits(area.data(), end);
    return std::to_string(fault.t_us) + ',' + std::to_string(fault.thread) + ',' + std::string(16 - digits.size(), '0') + digits +
           ',' + std::to_string(fault.page) + ',' + kind_letters[static_cast<std::size_t>(fault.kind)] + ',' +
           std::to_string(fault.waited_us) + '\n';
}

Result<std::vector<RecordedFault>> parse_recording(std::string_view text) {
    std::size_t number = 0;
    const auto at_line = [&](Error error) { return std::move(error).with_context("line " + std::to_string(number)); };
    std::vector<RecordedFault> faults;
    while (!text.empty()) {
        const std::string_view line = without_return(cut(text, '\n'));
        ++number;
        if (number <= 2) {
            const std::string_view wanted = number == 1 ? recording_header : recording_columns;
            if (line != wanted)
                return at_line(malformed("not '" + std::string(wanted) + "'"));
            continue;
        }
        auto fault = parse_fault(line);
        if (!fault)
            return at_line(std::move(fault).error());
        if (!faults.empty() && fault->t_us < faults.back().t_us)
            return at_line(malformed("time falls"));
        faults.push_back(*fault);
    }
    if (number < 2)
        return malformed("not a recording: it has no header");
    return faults;
}

}  // namespace tmm::far
