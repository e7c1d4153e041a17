// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "tmmd/os/read_back/process_text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/proc_text.hpp"
#include "base/units.hpp"

namespace tmm::os {

namespace {

// A longer line is none of the kernel's.
constexpr std::size_t max_map_line = 65536;
constexpr unsigned room_parts = 128;

std::optional<std::uint64_t> parse_hex(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    const bool whole = error == std::errc() && end == text.data() + text.size();
    return whole ? std::optional(value) : std::nullopt;
}

std::uint64_t number_or_0(std::string_view text) {
    const auto number = parse_uint(text);
    return number ? *number : 0;
}

std::uint64_t next_number(std::string_view& line) {
    return number_or_0(next_word(line));
}

// Returns the largest of "(0, 1907, 7837)".
std::uint64_t largest_of(std::string_view list) {
    std::uint64_t largest = 0;
    while (!list.empty()) {
        std::string_view word = next_word(list);
        while (!word.empty() && (word.front() == '(' || word.front() == ','))
            word.remove_prefix(1);
        while (!word.empty() && (word.back() == ')' || word.back() == ','))
            word.remove_suffix(1);
        largest = std::max(largest, number_or_0(word));
    }
    return largest;
}

struct Zone {
    std::uint64_t free = 0;
    std::uint64_t kept = 0;

    [[nodiscard]] std::uint64_t room() const { return free - std::min(free, kept); }
};

}  // namespace

std::optional<AddressRange> parse_address_range(std::string_view word) {
    const auto dash = word.find('-');
    if (dash == std::string_view::npos)
        return std::nullopt;
    const auto begin = parse_hex(word.substr(0, dash));
    const auto end = parse_hex(word.substr(dash + 1));
    if (!begin || !end || *begin >= *end)
        return std::nullopt;
    return AddressRange{*begin, *end};
}

void SmapsParser::feed(std::string_view piece) {
    rest_ += piece;
    std::string_view text = rest_;
    while (text.find('\n') != std::string_view::npos)
        take(next_line(text));
    rest_ = text.size() > max_map_line ? std::string() : std::string(text);
}

void SmapsParser::take(std::string_view line) {
    const std::string_view first = next_word(line);
    if (const auto range = parse_address_range(first)) {
        end_mapping();
        current_.begin = range->begin;
        current_.end = range->end;
    } else if (first == "Rss:") {
        current_.resident = Bytes(next_number(line) * 1024);
    } else if (first == "Referenced:") {
        current_.referenced = Bytes(next_number(line) * 1024);
    } else if (first == "Swap:") {
        current_.swapped = Bytes(next_number(line) * 1024);
    }
}

void SmapsParser::end_mapping() {
    const core::MappingUse ended = std::exchange(current_, {});
    if (ended.swapped > Bytes(0) && ended.end > 0)
        found_.push_back(ended);
}

std::vector<core::MappingUse> SmapsParser::finish() {
    end_mapping();
    return std::exchange(found_, {});
}

std::optional<core::ProcessUse> parse_process_use(pid_t pid, std::string_view stat) {
    const auto name_end = stat.rfind(')');
    if (name_end == std::string_view::npos)
        return std::nullopt;
    std::string_view rest = trim(stat.substr(name_end + 1));
    core::ProcessUse use{.pid = pid, .faults = 0, .ticks = 0, .started = 0};
    // proc(5) counts columns from 1; the state is the third.
    for (int column = 3; column <= 22; ++column) {
        const auto number = parse_uint(next_word(rest));
        if (column == 12 || column == 14 || column == 15 || column == 22) {
            if (!number)
                return std::nullopt;
            if (column == 12)
                use.faults = *number;
            else if (column == 22)
                use.started = *number;
            else
                use.ticks += *number;
        }
    }
    return use;
}

core::Pages parse_room(std::string_view zoneinfo) {
    std::uint64_t room = 0;
    std::uint64_t managed = 0;
    Zone zone;
    while (!zoneinfo.empty()) {
        std::string_view line = next_line(zoneinfo);
        const std::string_view first = next_word(line);
        if (first == "Node") {
            room += zone.room();
            zone = Zone();
        } else if (first == "pages" && next_word(line) == "free") {
            zone.free = next_number(line);
        } else if (first == "managed") {
            managed += next_number(line);
        } else if (first == "high" && zone.kept == 0) {
            zone.kept = next_number(line);
        } else if (first == "protection:") {
            zone.kept += largest_of(line);
        }
    }
    room += zone.room();
    return core::Pages(room - std::min(room, managed / room_parts));
}

bool is_any_disk_busy(std::string_view diskstats) {
    while (!diskstats.empty()) {
        std::string_view line = next_line(diskstats);
        for (int column = 1; column <= 11; ++column)
            next_word(line);
        if (next_number(line) > 0)
            return true;
    }
    return false;
}

}  // namespace tmm::os
