// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads and writes one line of a trace, version 1: "t_us,class,kind,page,weight". Pure functions, thread-safe.
// - t_us: microseconds from the start, at most ten years.
// - class: o (opaque) or t (transparent).
// - kind: r (referenced), e (evicted) or f (freed).
// - page: a key of 1 to 16 hexadecimal digits, without prefix.
// - weight: the number of base pages that it stands for, 1 to 262144 (a huge page of 1 GiB).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "tmmd/core/pages.hpp"

namespace tmm::trace {

inline constexpr std::string_view header = "#tmm-trace 1";                  // the first line of every trace
inline constexpr std::string_view columns = "t_us,class,kind,page,weight";  // may follow as the second line
inline constexpr std::uint64_t max_t_us = 10ULL * 365 * 24 * 3600 * 1'000'000;
inline constexpr std::uint32_t max_weight = 1U << 18;

enum class PageClass : std::uint8_t { opaque, transparent };
enum class RecordKind : std::uint8_t { referenced, evicted, freed };

struct Record {
    std::uint64_t t_us = 0;
    core::PageKey page = 0;
    std::uint32_t weight = 1;
    PageClass page_class = PageClass::opaque;
    RecordKind kind = RecordKind::referenced;

    bool operator==(const Record&) const = default;
};

// Parses a line without its line end; a carriage return at its end is ignored. Error: EINVAL with the problem and the field.
Result<Record> parse_record(std::string_view line);

// Returns the line, with its line end.
std::string format_record(const Record& record);

// Returns text for a message: in quotation marks, at most 40 characters, with '?' for characters that do not print.
std::string in_quotes(std::string_view text);

}  // namespace tmm::trace
