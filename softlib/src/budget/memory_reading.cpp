// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/budget/memory_reading.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace soft::detail {
namespace {

std::optional<std::uint64_t> leading_number(std::string_view text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? std::optional(number) : std::nullopt;
}

// The number after the first `name` that begins a word.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ') {
            continue;
        }
        if (const auto number = leading_number(text.substr(at + name.size()))) {
            return number;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> kibibytes_after(std::string_view text, std::string_view name) {
    const auto number = number_after(text, name);
    if (!number || *number > SIZE_MAX / 1024) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(*number) * 1024;
}

}  // namespace

std::optional<memory_reading> parse_memory(std::string_view meminfo, std::string_view vmstat, std::string_view pressure) {
    const auto total = kibibytes_after(meminfo, "MemTotal:");
    const auto free = kibibytes_after(meminfo, "MemFree:");
    if (!total || !free || *total == 0 || *free > *total) {
        return std::nullopt;
    }
    memory_reading reading;
    reading.total_bytes = *total;
    reading.free_bytes = *free;
    reading.reclaimed = number_after(vmstat, "pgsteal_kswapd ").value_or(0) + number_after(vmstat, "pgsteal_direct ").value_or(0);
    reading.refaults = number_after(vmstat, "workingset_refault_file ").value_or(0);
    // some avg10=0.00 avg60=0.00 avg300=0.00 total=0
    if (const std::size_t some = pressure.find("some "); some != std::string_view::npos) {
        const std::string_view line = pressure.substr(some, pressure.find('\n', some) - some);
        reading.stalled = std::chrono::microseconds(number_after(line, "total=").value_or(0));
    }
    return reading;
}

std::size_t parse_kept_pages(std::string_view zoneinfo) {
    // More than any machine has, so that no sum of them overflows.
    constexpr std::uint64_t max_pages = std::uint64_t{1} << 40;
    auto pages = [&](std::optional<std::uint64_t> number) { return std::min(number.value_or(0), max_pages); };
    std::uint64_t kept = 0;
    while (!zoneinfo.empty()) {
        const std::string_view zone = zoneinfo.substr(0, zoneinfo.find("\nNode ", 1));
        zoneinfo.remove_prefix(zone.size());
        std::uint64_t largest = 0;
        constexpr std::string_view intro = "protection: (";
        if (const std::size_t from = zone.find(intro); from != std::string_view::npos) {
            // of the form 0, 3000, 15000)
            for (std::string_view list = zone.substr(from + intro.size()); !list.empty();
                 list.remove_prefix(std::min(list.find(','), list.size() - 1) + 1)) {
                largest = std::max(largest, pages(leading_number(list)));
            }
        }
        kept += std::min(pages(number_after(zone, "high ")) + largest, pages(number_after(zone, "managed ")));
    }
    return static_cast<std::size_t>(std::min(kept, max_pages));
}

}  // namespace soft::detail
