// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Ketama: which of several memcached servers has a key, as libmemcached's MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED with equal weights
// decides, so that any client and proxy agrees: 160 points a server on a circle, from MD5 of its name; a key belongs to the next
// point. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tmm::far {

class Ketama {
public:
    // servers: "HOST:PORT", or the path of a Unix socket. At least one.
    explicit Ketama(const std::vector<std::string>& servers);

    // Returns the number of the key's server.
    [[nodiscard]] std::size_t server_of(std::string_view key) const;

private:
    std::vector<std::pair<std::uint32_t, std::size_t>> points_;  // sorted
};

}  // namespace tmm::far
