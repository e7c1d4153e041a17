// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Worker: a thread that serves its share of the connections, each one turn at a time. Once a second it ends those that are idle
// for too long, and those that stand still with memory that others wait for.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "base/unique_fd.hpp"
#include "caches/net/connection.hpp"

namespace tmm::caches {

struct WorkerOptions {
    std::size_t max_requests_per_turn = 20;
    std::chrono::seconds idle_timeout{0};  // 0: none
};

// Counts since the start, or since reset(). Thread-safe.
struct WorkerCounts {
    std::atomic<std::uint64_t> read_bytes = 0;
    std::atomic<std::uint64_t> written_bytes = 0;
    std::atomic<std::uint64_t> yields = 0;  // turns that ended before the input did
    std::atomic<std::uint64_t> idle_kicks = 0;
    std::atomic<std::uint64_t> hoarders = 0;
};

class Worker {
public:
    // closed: called when a connection has ended, with its peer. Throws std::system_error.
    Worker(const WorkerOptions& options, SessionFactory factory, std::function<void(const Peer&)> closed);
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;

    // Hands a connection over; from any thread.
    void add(UniqueFd socket, Peer peer, std::shared_ptr<Account> account);

    [[nodiscard]] WorkerCounts& counts() { return counts_; }

    struct Description {
        int socket;
        std::string address;
        std::string listen_address;
        std::string_view state;
        std::chrono::seconds idle;
    };
    // Describes the connections; from any thread.
    [[nodiscard]] std::vector<Description> describe() const;

private:
    struct Served {
        std::unique_ptr<Connection> connection;
        Connection::Need need;  // for a turn it is in ready_, for memory in starved_
    };

    void run();
    void take_arrivals();
    void serve(int socket, bool hung_up);
    void tick();
    void close(int socket);
    void wake();

    const WorkerOptions options_;
    const SessionFactory factory_;
    const std::function<void(const Peer&)> closed_;
    UniqueFd epoll_;
    UniqueFd event_;
    mutable std::mutex mutex_;  // guards arrivals_ and the set of connections_
    std::vector<std::unique_ptr<Connection>> arrivals_;
    std::unordered_map<int, Served> connections_;
    std::vector<int> ready_;    // these have a turn without an event
    std::vector<int> starved_;  // these wait for memory
    std::vector<char> scratch_;
    WorkerCounts counts_;
    std::atomic<bool> stops_ = false;
    std::thread thread_;
};

}  // namespace tmm::caches
