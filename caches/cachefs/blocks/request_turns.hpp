// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// RequestTurns: which requests of several users run, and which wait. Each user runs some at once; beyond a bound in all, users
// take turns. So one user's slow requests leave threads for those of others. Pure. Not thread-safe.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <utility>

namespace tmm::caches {

template <class Request>
class RequestTurns {
public:
    struct Bounds {
        std::size_t max_running_per_user;
        std::size_t max_running;           // in all
        std::size_t max_waiting_per_user;  // sum of the sizes that wait() is told
    };

    explicit RequestTurns(const Bounds& bounds) : bounds_(bounds) {}

    // Counts a request of the user as running, if one more may run now.
    bool begin(uid_t user) {
        if (running_ >= bounds_.max_running)
            return false;
        if (const auto found = users_.find(user); found != users_.end() && found->second.running >= bounds_.max_running_per_user)
            return false;
        ++running_;
        ++users_[user].running;
        return true;
    }
    // Keeps a request that may not begin, until finish() returns it. Returns false if the user has too much waiting.
    bool wait(uid_t user, std::size_t size, Request request) {
        User& its = users_[user];
        if (its.waiting_size + size > bounds_.max_waiting_per_user)
            return false;
        if (its.waiting.empty())
            turns_.push_back(user);
        its.waiting.emplace_back(size, std::move(request));
        its.waiting_size += size;
        return true;
    }
    // A request of the user has ended. Returns the one that begins now, if one waits that may.
    std::optional<std::pair<uid_t, Request>> finish(uid_t user) {
        --running_;
        if (User& its = users_[user]; --its.running == 0 && its.waiting.empty())
            users_.erase(user);
        for (auto turn = turns_.begin(); turn != turns_.end(); ++turn) {
            const uid_t next = *turn;
            if (!begin(next))
                continue;
            User& its = users_[next];
            turns_.erase(turn);
            auto [size, request] = std::move(its.waiting.front());
            its.waiting.pop_front();
            its.waiting_size -= size;
            if (!its.waiting.empty())
                turns_.push_back(next);
            return std::pair{next, std::move(request)};
        }
        return std::nullopt;
    }

private:
    struct User {
        std::size_t running = 0;
        std::size_t waiting_size = 0;
        std::deque<std::pair<std::size_t, Request>> waiting;
    };

    const Bounds bounds_;
    std::map<uid_t, User> users_;
    std::list<uid_t> turns_;  // users of whom requests wait
    std::size_t running_ = 0;
};

}  // namespace tmm::caches
