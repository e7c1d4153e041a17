// SPDX-FileCopyrightText: 2026 The TMM authors
// SPDX-License-Identifier: GPL-2.0-or-later
//
// Fetchers: threads that fetch blocks ahead. So a slow store serves several at once, and no reader waits for one it did not ask
// for. Users take turns. Thread-safe.
#pragma once

#include <sys/types.h>

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "caches/cachefs/blocks/request_turns.hpp"

namespace tmm::caches {

class Fetchers {
public:
    using Job = std::function<void()>;

    /// At most max_waiting_per_user jobs of a user wait. Throws std::system_error if no thread can be started.
    Fetchers(std::size_t threads, std::size_t max_waiting_per_user);
    /// Drops the jobs that wait, and waits for those that run.
    ~Fetchers();
    Fetchers(const Fetchers&) = delete;
    Fetchers& operator=(const Fetchers&) = delete;

    /// Has a thread run the job, in the order of this user's calls. Drops it if too many wait: what is fetched ahead may be
    /// missed. A job throws nothing.
    void add(uid_t user, Job job);

private:
    void run();

    std::mutex mutex_;
    std::condition_variable wake_;
    RequestTurns<Job> turns_;
    std::deque<std::pair<uid_t, Job>> begun_;  // at most as many as threads
    bool stops_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace tmm::caches
