// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Turns: bounds the requests that are open at once and lets others wait: one is open for each sender, some for each user. The
// first of a user is always open, and the first of a sender may almost always wait. So neither another user nor another program
// of the same user keeps a sender from its turn. Pure. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/result.hpp"

namespace tmm {

struct TurnBounds {
    std::size_t max_open_per_user;
    std::size_t max_open;                // in all; beyond it, each user still has one
    std::size_t max_waiting_per_sender;  // besides the open one
    std::size_t max_waiting_per_user;    // a sender that has none may exceed it, up to four times as many
};

class Turns {
public:
    // Begins the request, whose end calls done(), or gives the error to the sender.
    using Begin = std::function<void(std::optional<Error>)>;

    explicit Turns(const TurnBounds& bounds) : bounds_(bounds) {}

    // Begins now or later. Returns false, and forgets begin, if too many wait.
    bool take(const std::string& sender, uid_t user, Begin begin);

    // The open request of the sender has ended: begins those that may begin now.
    void done(const std::string& sender, uid_t user);

    // Gives the error to all that wait for this user.
    void refuse(uid_t user, const Error& error);

    [[nodiscard]] std::size_t open() const { return open_; }

private:
    struct Waiting {
        std::string sender;
        Begin begin;
    };
    struct User {
        std::set<std::string> open;  // senders
        std::deque<Waiting> waiting;
    };

    [[nodiscard]] bool may_begin(const User& user, const std::string& sender) const;
    void begin_next();

    TurnBounds bounds_;
    std::map<uid_t, User> users_;  // those that have any
    std::size_t open_ = 0;
};

}  // namespace tmm
