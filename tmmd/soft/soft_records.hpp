// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the records that heaps of soft memory send (softlib/coordinate/records.hpp), which may be anything, and writes grants.
// Pure; thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/result.hpp"
#include "tmmd/core/soft/soft_heap.hpp"

namespace tmm::soft {

struct Hello {
    std::string name;  // of letters that a terminal can show

    bool operator==(const Hello&) const = default;
};

struct Report {
    std::uint64_t number = 0;
    core::SoftHeap heap;  // without id and user
};

using Record = std::variant<Hello, Report>;

// Error: EPROTO with the reason: no record of this version, or a number that makes no sense.
Result<Record> parse_record(std::string_view bytes);

std::string grant_record(std::uint64_t number, Bytes bytes, bool urgent);

}  // namespace tmm::soft
