// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Server: accepts connections and shares them out among worker threads. The thread that calls run() accepts; it stops accepting
// while all connections are taken, or refuses further ones at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "caches/net/accounts.hpp"
#include "caches/net/listener.hpp"
#include "caches/net/worker.hpp"

namespace tmm::caches {

struct ServerOptions {
    std::size_t nr_workers = 4;
    WorkerOptions worker;
    AccountBounds bounds{.max_connections = 1024, .max_connections_per_user = 512, .max_bytes_per_user = std::size_t{64} << 20};
    // Refuse connections beyond the bound with a message; otherwise they wait.
    bool refuses_at_once = true;
    bool keep_alive = false;  // TCP
};

struct ServerCounts {
    std::atomic<std::uint64_t> accepted = 0;
    std::atomic<std::uint64_t> rejected = 0;
    std::atomic<std::uint64_t> listen_disabled = 0;
    std::atomic<std::uint64_t> disabled_microseconds = 0;
    std::atomic<bool> accepts = true;
};

class Server {
public:
    // Starts the workers. Throws std::system_error.
    Server(const ServerOptions& options, std::vector<Listener> listeners, const SessionFactory& factory);

    // Accepts until `until` is readable. Returns an error if epoll fails.
    Result<void> run(int until);

    [[nodiscard]] ServerCounts& counts() { return counts_; }
    [[nodiscard]] const Accounts& accounts() const { return accounts_; }
    [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }
    [[nodiscard]] const std::vector<Listener>& listeners() const { return listeners_; }

private:
    void accept_from(const Listener& listener);
    void set_accepting(bool accepts);
    void left(const Peer& peer);

    const ServerOptions options_;
    const std::vector<Listener> listeners_;
    Accounts accounts_;
    UniqueFd epoll_;
    UniqueFd room_;  // an event: a connection has ended while none was accepted
    ServerCounts counts_;
    std::chrono::steady_clock::time_point disabled_since_;
    std::uint64_t next_number_ = 1;
    std::vector<std::unique_ptr<Worker>> workers_;  // last: their threads use the rest
};

}  // namespace tmm::caches
