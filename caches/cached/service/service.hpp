// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Service: what all sessions share. Thread-safe where it says nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "caches/cached/service/counters.hpp"
#include "caches/cached/service/expiry.hpp"
#include "caches/cached/service/passwords.hpp"
#include "caches/cached/service/settings.hpp"
#include "caches/memcache/parsed.hpp"
#include "caches/store/byte_store.hpp"

namespace tmm::caches {

// One statistic; texts are what clients read.
struct Statistic {
    std::string name;
    std::string value;
};

struct Service {
    const Settings& settings;
    const Passwords& passwords;
    ByteStore& store;
    std::function<ServerTime()> time;
    // The statistics of "stats" and of its sub-commands "settings", "conns", ...; none: there is no such command.
    std::function<std::vector<Statistic>(std::string_view what)> statistics;
    std::function<void()> reset_statistics;
    std::function<void(std::int64_t seconds)> move_clock;
    // Changes the most memory for items, in bytes.
    std::function<void(std::uint64_t bytes)> set_limit;
    std::function<void(bool gracefully)> shut_down;

    [[nodiscard]] memcache::Limits limits() const { return {.max_value_bytes = settings.max_item_bytes}; }
    // Whether an item fits, with the header that memcached's items have: its users know its bounds.
    [[nodiscard]] bool fits(std::size_t key_bytes, std::size_t value_bytes) const {
        return key_bytes + value_bytes + memcached_overhead_bytes <= settings.max_item_bytes;
    }
    static constexpr std::size_t memcached_overhead_bytes = 48 + 8 + 1 + 2;
};

}  // namespace tmm::caches
