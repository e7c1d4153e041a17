// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads and writes recordings of a program's faults, version 1: the line "#tmm-far-recording 1", the line
// "t_us,thread,area,page,kind,waited_us", then a line for each fault.
// - t_us: microseconds from the start of the recording to the fault, at most ten years; it never falls.
// - thread: 0 to 65535, by the order of their first faults.
// - area: 16 hexadecimal digits, the hash of the first address of the memory area; its secret is forgotten with the recording.
// - page: of the area, from 0 to 2^36 - 1. Places within an area stay, because prefetching depends on them; addresses do not.
// - kind: r (read), w (write) or z (the first touch, which reads zeros).
// - waited_us: microseconds until the thread could go on.
// Pure functions, thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace tmm::far {

inline constexpr std::string_view recording_header = "#tmm-far-recording 1";
inline constexpr std::string_view recording_columns = "t_us,thread,area,page,kind,waited_us";

enum class FaultKind : std::uint8_t { read, write, zero };

struct RecordedFault {
    static constexpr std::uint64_t max_us = 10ULL * 365 * 24 * 3600 * 1'000'000;
    static constexpr std::uint64_t max_page = (std::uint64_t{1} << 36) - 1;

    std::uint64_t t_us = 0;
    std::uint16_t thread = 0;
    std::uint64_t area = 0;
    std::uint64_t page = 0;
    FaultKind kind = FaultKind::read;
    std::uint64_t waited_us = 0;

    bool operator==(const RecordedFault&) const = default;
};

// Parses a line without its line end. Error: EINVAL with the field.
Result<RecordedFault> parse_fault(std::string_view line);

// Returns the line, with its line end.
std::string format_fault(const RecordedFault& fault);

// Parses a whole recording. The last line needs no line end. Error: EINVAL with "line N: reason".
Result<std::vector<RecordedFault>> parse_recording(std::string_view text);

}  // namespace tmm::far
