// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// The messages between tmmd and the helper process that reads footprints and open files. Each order has one reply with its
// number. Pure.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "tmmd/core/generations/footprint_flow.hpp"

namespace tmm::os {

using FootprintMap = std::map<core::CgroupId, core::Footprint>;

struct FootprintOrder {
    enum class Kind { open, read, clear, files, unmapped };

    std::uint64_t number = 0;
    Kind kind = Kind::open;
    std::vector<std::string> transparent_cgroups;  // of read, files and unmapped

    bool operator==(const FootprintOrder&) const = default;
};

struct FootprintReply {
    std::uint64_t number = 0;
    std::chrono::nanoseconds cpu_time{0};  // of this order
    int error_code = 0;                    // 0: it was carried out
    std::string problem;
    FootprintMap footprints;  // by read; by files and unmapped with the files alone

    bool operator==(const FootprintReply&) const = default;
};

// Convert messages to text and back. The text of an order has at most max_message_bytes: it leaves out the longest paths if need
// be, so that no user's many names displace another's. Error: EINVAL or ERANGE, anything else than text_of() writes.
std::string text_of(const FootprintOrder& order);
Result<FootprintOrder> parse_footprint_order(std::string_view text);
std::string text_of(const FootprintReply& reply);
Result<FootprintReply> parse_footprint_reply(std::string_view text);

}  // namespace tmm::os
