// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Session: decides what to do with one connection to a BOINC client: when to connect and when to give up, what to send, and which
// reply belongs to which request. It authenticates first. Its owner moves the bytes, without ever blocking. Pure: time comes as
// an argument. Not thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "boinc-adapter/rpc/framing.hpp"

namespace tmm::boinc {

class Session {
public:
    // Since some fixed moment; it also goes on while the machine sleeps.
    using Time = std::chrono::nanoseconds;

    static constexpr Time min_backoff = std::chrono::seconds(1);
    static constexpr Time max_backoff = std::chrono::seconds(30);
    // A client does nothing else while it waits for its tasks to end, which may take 20 seconds.
    static constexpr Time max_wait = std::chrono::seconds(40);
    // More than its owner sends in one turn.
    static constexpr std::size_t max_requests = 256;

    enum class Access { unknown, full, read_only };

    struct Answer {
        int request = 0;            // as given to ask()
        Result<std::string> reply;  // an error: the connection was lost before the reply
    };

    // password: of the client; empty: it needs none; none: nobody may read it, so the session only reads.
    void set_password(std::optional<std::string> password) {
        is_refused_ = is_refused_ && password == password_;
        password_ = std::move(password);
    }

    // Returns whether the owner should connect now.
    [[nodiscard]] bool wants_connection(Time now) const { return phase_ == Phase::closed && now >= retry_at_; }

    // The owner began to connect; the connection stands; bytes arrived; the connection is lost or could not be made.
    void begin(Time now);
    void connected(Time now);
    // Error: the client breaks the protocol. The owner then closes the connection and calls lost().
    Result<void> received(std::string_view bytes, Time now);
    void lost(Time now);

    // Returns whether the client takes too long for an answer, also if bytes of it trickle in. The owner then closes the
    // connection and calls lost().
    [[nodiscard]] bool expired(Time now) const;

    // The client could not answer until now, through no fault of its own: it has its full time from now on.
    void excuse(Time now) { since_ = now; }

    // The owner has got all that it asked for in its turn: the next failure is a new one.
    void completed_turn() { backoff_ = min_backoff; }

    // Queues a request: a whole frame. id: anything. Error: EAGAIN, because there is no session, or too many requests wait.
    Result<void> ask(int id, std::string frame, Time now);

    // Takes back the requests that the client has not got yet, and returns their number: no answer comes for these.
    std::size_t withdraw();

    // Returns the bytes to send; the owner tells by sent() how many of them it could.
    [[nodiscard]] std::string_view outgoing() const { return outgoing_; }
    void sent(std::size_t nr_bytes) { outgoing_.erase(0, nr_bytes); }

    // Returns the next answer, in the order of the requests.
    std::optional<Answer> next_answer();

    [[nodiscard]] bool is_open() const { return phase_ == Phase::open; }
    [[nodiscard]] bool is_closed() const { return phase_ == Phase::closed; }
    // full: requests that change something may be sent. A client closes the connection at the second one that it refuses.
    [[nodiscard]] Access access() const { return access_; }
    // The client refused a request: no further one that changes something.
    void refused() { access_ = Access::read_only; }

private:
    enum class Phase { closed, connecting, first_step, second_step, open };

    Result<void> take(const std::string& frame, Time now);
    void send_next(Time now);
    void opened(Access access, Time now);

    std::optional<std::string> password_ = std::string();
    bool is_refused_ = false;  // the password: the client hangs up after it, so it is not told again
    Phase phase_ = Phase::closed;
    Access access_ = Access::unknown;
    Time retry_at_{Time::min()};
    Time backoff_ = min_backoff;
    Time since_{0};  // the client owes an answer, a whole one, since then
    FrameReader frames_;
    std::string outgoing_;
    struct Request {
        int id;
        std::string frame;
    };
    std::deque<Request> requests_;  // the first one is sent, the others wait for its reply
    bool is_sent_ = false;
    std::deque<Answer> answers_;
};

}  // namespace tmm::boinc
