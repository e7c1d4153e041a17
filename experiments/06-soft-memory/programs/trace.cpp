// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>

namespace tmm::soft_memory {

namespace {

std::optional<std::uint64_t> number_in_column(std::string_view line, std::size_t column) {
    for (; column > 0; --column) {
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos)
            return std::nullopt;
        line.remove_prefix(comma + 1);
    }
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), number);
    if (error != std::errc())
        return std::nullopt;
    return number;
}

}  // namespace

Trace parse_trace(std::string_view csv, TraceColumns columns, std::uint32_t times_bytes) {
    Trace trace;
    std::unordered_map<std::uint64_t, std::uint32_t> units;
    while (!csv.empty()) {
        const std::string_view line = csv.substr(0, csv.find('\n'));
        csv.remove_prefix(std::min(line.size() + 1, csv.size()));
        const auto key = number_in_column(line, columns.key);
        const auto bytes = number_in_column(line, columns.bytes);
        if (!key || !bytes || *bytes == 0 || *bytes > UINT32_MAX / times_bytes)
            continue;
        const auto [unit, is_new] = units.try_emplace(*key, static_cast<std::uint32_t>(trace.unit_bytes.size()));
        if (is_new)
            trace.unit_bytes.push_back(static_cast<std::uint32_t>(*bytes) * times_bytes);
        trace.uses.push_back(unit->second);
    }
    return trace;
}

Trace parse_twitter(std::string_view csv) {
    return parse_trace(csv, {.key = 1, .bytes = 2}, 64);
}
Trace parse_cloud_physics(std::string_view csv) {
    return parse_trace(csv, {.key = 4, .bytes = 3});
}

}  // namespace tmm::soft_memory
