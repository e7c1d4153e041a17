// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Connection: one client's socket with its buffers. It reads, lets its session handle what came, and sends, one bounded turn at a
// time; it never waits. Small requests live in the worker's scratch memory only, so an idle connection holds none. One thread
// serves it; the atomic members may be read by others.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "base/unique_fd.hpp"
#include "caches/net/accounts.hpp"
#include "caches/net/session.hpp"

namespace tmm::caches {

// Bytes of replies that one connection may have unsent before its next request.
inline constexpr std::size_t max_unsent_bytes = std::size_t{256} * 1024;
// Requests up to this size need no reservation of the user's memory.
inline constexpr std::size_t free_input_bytes = std::size_t{64} * 1024;

class Connection {
public:
    using Clock = std::chrono::steady_clock;

    // What the connection needs to go on.
    enum class Need : std::uint8_t {
        read,    // bytes from the client
        write,   // the client to read
        turn,    // its next turn
        memory,  // the user's other connections to give memory back
        close,   // nothing: it has ended
    };

    struct Traffic {
        std::uint64_t read_bytes = 0;
        std::uint64_t written_bytes = 0;
    };

    Connection(UniqueFd socket, Peer peer, std::shared_ptr<Account> account, std::size_t max_requests_per_turn)
        : socket_(std::move(socket)),
          peer_(std::move(peer)),
          account_(std::move(account)),
          max_requests_(max_requests_per_turn) {}
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    // Makes its session, which may greet.
    void start(const SessionFactory& factory, Clock::time_point now) {
        session_ = factory(peer_, output_);
        last_active_ = now.time_since_epoch().count();
    }

    // Takes one turn. scratch: memory that is free until it returns.
    Need serve(std::span<char> scratch, Traffic& traffic, Clock::time_point now);

    [[nodiscard]] int socket() const { return socket_.get(); }
    [[nodiscard]] const Peer& peer() const { return peer_; }
    // The last time that a byte came or went.
    [[nodiscard]] Clock::time_point last_active() const { return Clock::time_point(Clock::duration(last_active_.load())); }
    // Whether it stands still with memory that others of its user wait for.
    [[nodiscard]] bool hoards() const { return account_->is_short() && (reserved_bytes_ > 0 || !output_.empty()); }
    // What it does, in memcached's words for "stats conns".
    [[nodiscard]] std::string_view state() const { return state_.load(std::memory_order_relaxed); }

private:
    enum class Filled : std::uint8_t { some, nothing, refused, ended };

    Need turn(std::span<char> scratch, Traffic& traffic);
    // Reads what came, into the scratch memory or behind the input that is kept.
    Filled fill(std::span<char> scratch, Traffic& traffic);
    bool make_room();
    void handle(std::string_view input);
    void keep(std::string_view rest);
    void drop_input();
    bool flush(Traffic& traffic);
    void account_output();

    UniqueFd socket_;
    const Peer peer_;
    const std::shared_ptr<Account> account_;
    const std::size_t max_requests_;
    std::unique_ptr<Session> session_;

    Buffer input_;                 // what the session has not used; empty most of the time
    std::size_t input_start_ = 0;  // of it, this much is used
    std::size_t reserved_bytes_ = 0;
    bool waits_for_memory_ = false;
    std::size_t wanted_ = 0;
    std::uint64_t swallow_bytes_ = 0;
    bool again_ = false;
    bool closes_ = false;
    std::string_view scratch_input_;  // during a turn: what came, if input_ is empty

    Output output_;
    std::size_t accounted_output_ = 0;
    std::atomic<Clock::rep> last_active_ = 0;
    std::atomic<const char*> state_ = "conn_read";
};

}  // namespace tmm::caches
