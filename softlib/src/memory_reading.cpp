// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/memory_reading.hpp"

#include <charconv>
#include <cstdint>

namespace soft::detail {
namespace {

// The number behind the first `name` that begins a word.
std::optional<std::uint64_t> number_after(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        if (at > 0 && text[at - 1] != '\n' && text[at - 1] != ' ') {
            continue;
        }
        std::size_t from = at + name.size();
        while (from < text.size() && text[from] == ' ') {
            ++from;
        }
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text.data() + from, text.data() + text.size(), number);
        if (error == std::errc()) {
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

std::optional<MemoryReading> parse_memory(std::string_view meminfo, std::string_view vmstat, std::string_view pressure) {
    const auto total = kibibytes_after(meminfo, "MemTotal:");
    const auto free = kibibytes_after(meminfo, "MemFree:");
    if (!total || !free || *total == 0 || *free > *total) {
        return std::nullopt;
    }
    MemoryReading reading;
    reading.total_bytes = *total;
    reading.free_bytes = *free;
    reading.refaults = number_after(vmstat, "workingset_refault_file ").value_or(0);
    // some avg10=0.00 avg60=0.00 avg300=0.00 total=0
    if (const std::size_t some = pressure.find("some "); some != std::string_view::npos) {
        const std::string_view line = pressure.substr(some, pressure.find('\n', some) - some);
        reading.stalled = std::chrono::microseconds(number_after(line, "total=").value_or(0));
    }
    return reading;
}

}  // namespace soft::detail
