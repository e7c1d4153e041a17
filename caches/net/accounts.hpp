// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Accounts: what each user of the server holds: connections, and memory for requests and replies under way. Bounds are by user,
// so one user's many connections take nothing from another. Thread-safe.
#pragma once

#include <sys/socket.h>

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace tmm::caches {

// Whom a connection by TCP counts for. One user may have many addresses: all of 127.0.0.0/8 and ::1 count as one, and so does an
// IPv6 network of 64 bits.
std::string user_at(const sockaddr_storage& address);

struct AccountBounds {
    std::size_t max_connections;           // in all
    std::size_t max_connections_per_user;  // of users other than the server's own
    std::size_t max_bytes_per_user;        // of requests under way, and of replies each
};

class Account {
public:
    explicit Account(std::size_t max_bytes) : max_bytes_(max_bytes) {}

    // Reserves memory for a request. The first one of a user always has it.
    bool reserve_input(std::size_t bytes);
    void release_input(std::size_t bytes) { input_bytes_ -= bytes; }

    void add_output(std::ptrdiff_t bytes) { output_bytes_ += static_cast<std::size_t>(bytes); }
    // Whether a connection may make more replies. One that has none may go on for a while, so that a stalled one does not stop
    // it.
    [[nodiscard]] bool may_reply(bool has_none) const { return output_bytes_ < (has_none ? 2 : 1) * max_bytes_; }

    // Whether others of this user wait for what a stalled connection holds. Asked and set about once a second.
    [[nodiscard]] bool is_short() const { return short_of_input_ > 0 || output_bytes_ >= max_bytes_; }
    void wait_for_input(bool waits) { short_of_input_ += waits ? 1 : -1; }

private:
    friend class Accounts;
    const std::size_t max_bytes_;
    std::atomic<std::size_t> input_bytes_ = 0;
    std::atomic<std::size_t> output_bytes_ = 0;
    std::atomic<int> short_of_input_ = 0;
    std::size_t connections_ = 0;  // guarded by Accounts
};

class Accounts {
public:
    // own_user: the server's, which may take all connections.
    Accounts(const AccountBounds& bounds, std::string own_user) : bounds_(bounds), own_user_(std::move(own_user)) {}

    // Counts a connection until leave(); nullptr if there are too many.
    std::shared_ptr<Account> join(const std::string& user);
    void leave(const std::string& user);
    [[nodiscard]] std::size_t connections() const;

private:
    const AccountBounds bounds_;
    const std::string own_user_;
    mutable std::mutex mutex_;
    std::map<std::string, std::shared_ptr<Account>> users_;
    std::size_t connections_ = 0;
};

}  // namespace tmm::caches
