// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: LGPL-2.1-or-later
#include "src/counters/smaps.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace soft::detail {
namespace {

struct Range {
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
};

// "7f0000000000-7f0000200000 rw-p ..." begins a mapping.
std::optional<Range> range_of(std::string_view line) {
    Range range;
    const char* end = line.data() + line.size();
    const auto first = std::from_chars(line.data(), end, range.from, 16);
    if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') {
        return std::nullopt;
    }
    const auto second = std::from_chars(first.ptr + 1, end, range.to, 16);
    return second.ec == std::errc() ? std::optional(range) : std::nullopt;
}

// "Rss: 123 kB" is 123 KiB of "Rss:"; 0 of other keys.
std::size_t bytes_of(std::string_view line, std::string_view what) {
    if (!line.starts_with(what)) {
        return 0;
    }
    line.remove_prefix(std::min(line.find_first_not_of(' ', what.size()), line.size()));
    std::size_t kib = 0;
    std::from_chars(line.data(), line.data() + line.size(), kib);
    return kib * 1024;
}

}  // namespace

MappedMemory parse_smaps(std::string_view smaps, std::uintptr_t from, std::uintptr_t to) {
    MappedMemory sum;
    bool inside = false;
    while (!smaps.empty()) {
        const std::size_t end = std::min(smaps.find('\n'), smaps.size());
        const std::string_view line = smaps.substr(0, end);
        smaps.remove_prefix(std::min(end + 1, smaps.size()));
        if (const std::optional<Range> range = range_of(line)) {
            inside = range->from >= from && range->to <= to;
        } else if (inside) {
            sum.resident_bytes += bytes_of(line, "Rss:");
            sum.lazy_free_bytes += bytes_of(line, "LazyFree:");
            sum.huge_page_bytes += bytes_of(line, "AnonHugePages:");
        }
    }
    return sum;
}

}  // namespace soft::detail
