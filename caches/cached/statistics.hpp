// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Statistics: what "stats" and its sub-commands tell, under memcached's names. A number that this program does not have is 0, and
// means that none of that happened. Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "caches/cached/service/counters.hpp"
#include "caches/cached/service/service.hpp"
#include "caches/net/server.hpp"

namespace tmm::caches {

class Statistics {
public:
    // counters: of each worker. All must outlive it.
    Statistics(const Settings& settings, ByteStore& store, const std::vector<std::unique_ptr<Counters>>& counters,
               std::function<ServerTime()> time)
        : settings_(settings), store_(store), counters_(counters), time_(std::move(time)) {}

    // From now on, connections are counted, too.
    void set_server(Server* server) { server_ = server; }

    std::vector<Statistic> get(std::string_view what);
    void reset();

private:
    [[nodiscard]] std::uint64_t count(Count count) const;
    [[nodiscard]] std::vector<Statistic> general();
    [[nodiscard]] std::vector<Statistic> settings() const;
    [[nodiscard]] std::vector<Statistic> connections() const;
    [[nodiscard]] std::vector<Statistic> items();
    [[nodiscard]] std::vector<Statistic> slabs();
    soft::heap_statistics heap();

    const Settings& settings_;
    ByteStore& store_;
    const std::vector<std::unique_ptr<Counters>>& counters_;
    const std::function<ServerTime()> time_;
    std::atomic<Server*> server_ = nullptr;

    std::mutex mutex_;
    // A reading of the heap costs much, and clients may ask often.
    soft::heap_statistics heap_;
    std::chrono::steady_clock::time_point next_reading_;
    // At the last reset.
    ByteStoreStatistics store_before_;
    std::uint64_t evicted_before_ = 0;
};

}  // namespace tmm::caches
