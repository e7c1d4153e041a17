// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// advice(): what "tmm-far advise" says of a command that it has watched: whether zram, swap or far memory is the better choice.
// Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tmm::far {

struct Watched {
    std::uint64_t peak_bytes = 0;  // of the private memory of all its processes
    double compressed = 1;         // of a page: what zram would keep, from 0 to 1
};

// local_bytes: that the command may have. refusal: why far memory is impossible, or nothing.
std::string advice(const Watched& watched, std::uint64_t local_bytes, const std::string& refusal);

// Returns about how much of a page is left once it is compressed, from 0 to 1. It looks at how often bytes and words repeat, and
// compresses nothing.
double compressed_share(std::string_view page);

}  // namespace tmm::far
